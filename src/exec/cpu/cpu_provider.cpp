#include "exec/cpu/cpu_provider.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "base/threads.hpp"
#include "exec/cpu/cpu_executable.hpp"
#include "exec/cpu/kernel.hpp"
#include "exec/cpu/kernel_lookup.hpp"
#include "exec/cpu/line_runner.hpp"
#include "exec/cpu/streaming.hpp"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

namespace hadamard::exec {
namespace {

using cpu::Kernels;
using cpu::KernelSet;

// Measured, as bytes read and written in all. Below kParallelBytes a second thread costs more than
// it brings; above it, threads fetch chunks of kChunkBytes.
constexpr std::int64_t kParallelBytes = 1 << 20;
constexpr std::int64_t kChunkBytes = 128 << 10;

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

cpu::Kernel kernel_of(const cpu::KernelTable& table, Op op, const plan::Plan& plan) {
  return cpu::kernel_of(table, op, plan.dtype, plan.int_division);
}

// For types whose elements are integers; null for the others.
ZeroScan find_scan(DType type, std::int64_t target) {
  const cpu::ZeroScans* scans = cpu::zero_scans(target);
  if (scans == nullptr || (kind(type) != Kind::integer && kind(type) != Kind::boolean))
    return nullptr;
  switch (bits(type)) {
    case 4:
      return scans->bits4;
    case 8:
      return scans->bits8;
    case 16:
      return scans->bits16;
    case 32:
      return scans->bits32;
    case 64:
      return scans->bits64;
    default:
      return nullptr;
  }
}

class CpuProgram final : public Program {
 public:
  CpuProgram(const plan::Plan& plan, const Target& target, const KernelSet& set,
             const Kernels& kernels)
      : plan_(plan),
        target_(target),
        set_(set),
        kernels_(kernels),
        scan_(find_scan(plan.dtype, target.number)) {
    if (plan.count == 0) return;
    const plan::Loops& loops = plan_.loops;
    const std::int64_t element_bits = bits(plan.dtype);
    const std::int64_t traffic = plan::bytes_moved(plan);
    const std::int64_t per_element = std::max<std::int64_t>(1, traffic / plan.count);
    grain_ = std::max<std::int64_t>(64, kChunkBytes / per_element);
    parallel_ = traffic >= kParallelBytes;
    units_ = plan.count;
    tiled_ = cpu::runs_in_tiles(plan_);
    if (tiled_) {
      units_ = cpu::tile_count(plan_);
      grain_ = std::max<std::int64_t>(1, grain_ / (plan.count / units_ + 1));
    }
    const std::int64_t line_bytes = loops.extents[loops.extents.size() - 1] * element_bits / 8;
    stream_ = traffic >= cpu::kStreamBytes &&
              (line_bytes >= cpu::kStreamLineBytes || cpu::runs_in_groups(plan_));
    one_line_ = loops.extents.size() == 1 && loops.kind != plan::LoopKind::strided &&
                !is_packed_type(plan.dtype);
    for (std::size_t k = 0; k < 3; ++k) {
      start_[k] = loops.start[k] * element_bits / 8;
      step_[k] = loops.strides[k][0] * element_bits / 8;
    }
  }

  void run(const Places& places, RunReport& report) const override {
    report.provider = "cpu";
    report.target = set_.target;
    if (plan_.count == 0) return;
    if (!parallel_ || !may_split(places)) {
      report.zero_divisor = run_part(places, 0, units_, report.progress);
      return;
    }
    std::atomic<bool> zero_divisor{false};
    for_chunks(units_, grain_, [&](std::int64_t begin, std::int64_t end) {
      if (run_part(places, begin, end, report.progress)) {
        zero_divisor.store(true, std::memory_order_relaxed);
      }
    });
    report.zero_divisor = zero_divisor.load();
  }

  bool has_zero_divisor(const Places& places) const override {
    const Place& divisor = op::divisor(plan_.op) == op::Divisor::a ? places.a : places.b;
    const std::size_t k = op::divisor(plan_.op) == op::Divisor::a ? plan::kA : plan::kB;
    const bool line = one_line_ && scan_ != nullptr && step_[k] != 0 &&
                      op::divisor(plan_.op) != op::Divisor::computed;
    if (!line || !parallel_) return exec::has_zero_divisor(plan_, places, scan_);
    std::atomic<bool> zero{false};
    for_chunks(plan_.count, grain_, [&](std::int64_t begin, std::int64_t end) {
      const auto* data = static_cast<const std::byte*>(divisor.data) + start_[k] + begin * step_[k];
      if (scan_(data, end - begin)) zero.store(true, std::memory_order_relaxed);
    });
    return zero.load();
  }

  std::string describe() const override {
    return fmt::format("cpu, target {}, kernel {}/{} ({}){}, {}{}", target_.name, name(plan_.op),
                       name(plan_.dtype), set_.target,
                       plan_.then ? fmt::format(", then {}", name(*plan_.then)) : "",
                       parallel_ ? "threads by oneTBB" : "one thread",
                       stream_ ? ", output past the cache" : "");
  }

 private:
  bool run_part(const Places& places, std::int64_t begin, std::int64_t end,
                std::atomic<std::int64_t>* progress) const {
    const ScopedFloatEnv env;
    std::int64_t elements = tiled_ ? 0 : end - begin;
    const bool zero_divisor = one_line_ ? run_line(places, begin, end)
                              : tiled_
                                  ? cpu::run_tiles(plan_, kernels_, places, begin, end, elements)
                                  : cpu::run_range(plan_, kernels_, places, begin, end, stream_);
    if (stream_) hwy::FlushStream();
    if (progress != nullptr) progress->fetch_add(elements, std::memory_order_relaxed);
    return zero_divisor;
  }

  // All of the plan is one line: nothing to walk.
  bool run_line(const Places& places, std::int64_t begin, std::int64_t end) const {
    const auto at = [&](const Place& place, std::size_t k) {
      return static_cast<const std::byte*>(place.data) + start_[k] + begin * step_[k];
    };
    return kernels_.run({at(places.a, plan::kA), at(places.b, plan::kB),
                         const_cast<std::byte*>(at(places.y, plan::kY)), end - begin,
                         step_[plan::kA] == 0, step_[plan::kB] == 0, stream_});
  }

  // Two threads must not write to one byte: 4-bit outputs are split only where every chunk begins
  // at a whole byte.
  bool may_split(const Places& places) const {
    if (!is_packed_type(plan_.dtype)) return true;
    const plan::Loops& loops = plan_.loops;
    return grain_ % 2 == 0 && loops.extents.size() == 1 && loops.strides[plan::kY][0] == 1 &&
           (places.y.offset + loops.start[plan::kY]) % 2 == 0;
  }

  plan::Plan plan_;
  const Target& target_;
  const KernelSet& set_;
  Kernels kernels_;
  ZeroScan scan_;
  std::int64_t units_ = 0;               // of work: elements, or tiles
  std::int64_t grain_ = 1;               // units
  std::array<std::int64_t, 3> start_{};  // bytes, where all is one line
  std::array<std::int64_t, 3> step_{};
  bool parallel_ = false;
  bool stream_ = false;
  bool one_line_ = false;
  bool tiled_ = false;
};

class CpuProvider final : public Provider {
 public:
  std::string_view name() const noexcept override { return "cpu"; }
  std::string unavailable() const override { return {}; }
  std::unique_ptr<const Program> bind(const plan::Plan& plan, const Selection& selection,
                                      std::string& why) const override {
    const Target& target = choose_target(selection.cpu_target);
    const auto find = [&](Op op) {
      const KernelSet* const set = cpu::find_set(op, plan.dtype, plan.int_division, target.number);
      if (set == nullptr) {
        why = fmt::format("no kernel for {}/{}", hadamard::name(op), hadamard::name(plan.dtype));
      }
      return set;
    };
    const KernelSet* const set = find(plan.op);
    if (set == nullptr) return nullptr;
    Kernels kernels;
    const auto columns_of = [&](const KernelSet& of) {
      return of.columns[static_cast<std::size_t>(plan.op)][static_cast<std::size_t>(plan.dtype)];
    };
    kernels.line = kernel_of(set->kernels, plan.op, plan);
    kernels.columns = columns_of(*set);
    kernels.packers = cpu::packers(target.number);
    kernels.element_bytes =
        std::max<std::size_t>(1, static_cast<std::size_t>(bits(plan.dtype)) / 8);
    if (plan.then) {
      const KernelSet* const both =
          *plan.then == Op::relu ? cpu::relu_kernels(target.number) : nullptr;
      const cpu::Kernel one_loop =
          both != nullptr ? kernel_of(both->kernels, plan.op, plan) : nullptr;
      const KernelSet* const next = find(*plan.then);
      if (next == nullptr) return nullptr;
      if (one_loop != nullptr) {
        kernels.line = one_loop;
        kernels.columns = columns_of(*both);
      } else {
        kernels.columns = {};
        kernels.then = kernel_of(next->kernels, *plan.then, plan);
      }
    } else {
      kernels.packed = kernel_of(set->packed, plan.op, plan);
    }
    return std::make_unique<CpuProgram>(plan, target, *set, kernels);
  }
  std::unique_ptr<const Executable> bind(const plan::ProgramPlan& plan, const Selection& selection,
                                         std::string& why) const override {
    const Target& target = choose_target(selection.cpu_target);
    return cpu::make_executable(plan, {target.name, target.number}, *this, why);
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
