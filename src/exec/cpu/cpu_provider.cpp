#include "exec/cpu/cpu_provider.hpp"

#include <utility>

#include "base/fail.hpp"
#include "exec/cpu/cpu_executable.hpp"
#include "hwy/highway.h"

namespace hadamard::exec {
namespace {

struct Target {
  std::string_view name;
  std::int64_t number;  // Highway's
};

// Best first. What is compiled is decided by HWY_TARGETS, which CMake limits to targets that the
// tests can run (docs/adr/0003-cpu-targets.md).
constexpr Target kTargets[] = {
#if HWY_TARGETS & HWY_AVX2
    {"avx2", HWY_AVX2},
#endif
#if HWY_TARGETS & HWY_SSE4
    {"sse4", HWY_SSE4},
#endif
#if HWY_TARGETS & HWY_NEON
    {"neon", HWY_NEON},
#endif
#if HWY_TARGETS & HWY_SCALAR
    {"scalar", HWY_SCALAR},
#endif
};

// Asked once: CPUID takes microseconds where a hypervisor answers it.
bool supported(const Target& target) {
  static const std::int64_t found = hwy::SupportedTargets();
  return (found & target.number) != 0 || target.number == HWY_SCALAR;
}

const Target& choose_target(std::string_view demanded) {
  std::string names;
  for (const Target& target : kTargets) {
    names += names.empty() ? "" : ", ";
    names += target.name;
    if (demanded.empty() ? supported(target) : demanded == target.name) {
      if (supported(target)) return target;
      fail(ErrorCode::unavailable, "this CPU has no {}, which HADAMARD_CPU or the call demands",
           target.name);
    }
  }
  fail(ErrorCode::unavailable,
       "no CPU target is called '{}', which HADAMARD_CPU or the call demands; there are: {}",
       demanded, names);
}

class CpuProvider final : public Provider {
 public:
  std::string_view name() const noexcept override { return "cpu"; }
  std::string unavailable() const override { return {}; }
  std::unique_ptr<const Executable> bind(std::shared_ptr<const plan::Plan> plan,
                                         const Selection& selection,
                                         std::string& why) const override {
    const Target& target = choose_target(selection.cpu_target);
    return cpu::make_executable(std::move(plan), {target.name, target.number}, why);
  }
};

}  // namespace

const Provider& cpu_provider() {
  static const CpuProvider provider;
  return provider;
}

void require_cpu_target(std::string_view name) { choose_target(name); }

std::vector<CpuTarget> cpu_targets() {
  std::vector<CpuTarget> targets;
  for (const Target& target : kTargets) {
    targets.push_back({target.name, supported(target), target.number});
  }
  return targets;
}

}  // namespace hadamard::exec
