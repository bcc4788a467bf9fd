#include "exec/provider.hpp"

#include <cstdlib>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "base/threads.hpp"
#include "exec/cpu/cpu_provider.hpp"
#include "exec/ref/ref_provider.hpp"

namespace hadamard::exec {
namespace {

std::string from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

std::span<const Provider* const> providers() {
  static const Provider* const all[] = {&cpu_provider(), &ref_provider()};
  return all;
}

const Selection& environment_selection() {
  static const std::string provider = from_environment("HADAMARD_PROVIDER");
  static const std::string cpu_target = from_environment("HADAMARD_CPU");
  static const Selection selection{provider, cpu_target};
  return selection;
}

// The first provider that takes the plan, or an error that says why none does.
Bound bind(std::shared_ptr<const plan::Plan> plan, const Selection& demanded) {
  const Selection& environment = environment_selection();
  const Selection selection{
      demanded.provider.empty() ? environment.provider : demanded.provider,
      demanded.cpu_target.empty() ? environment.cpu_target : demanded.cpu_target};
  require_cpu_target(selection.cpu_target);  // a wrong one is an error whoever runs in the end
  thread_limit();                            // and so is a wrong HADAMARD_THREADS
  Bound bound;
  bool known = false;
  std::string names;
  for (const Provider* provider : providers()) {
    names += names.empty() ? "" : ", ";
    names += provider->name();
    if (!selection.provider.empty() && selection.provider != provider->name()) continue;
    known = true;
    std::string why = provider->unavailable();
    if (why.empty()) bound.executable = provider->bind(plan, selection, why);
    if (bound.executable) return bound;
    bound.declined.push_back(fmt::format("{}: declined: {}", provider->name(), why));
  }
  if (!known) {
    fail(ErrorCode::unavailable,
         "no provider is called '{}', which HADAMARD_PROVIDER or the call demands; there are: {}",
         selection.provider, names);
  }
  fail(ErrorCode::unavailable, "provider {}", bound.declined.back());
}

}  // namespace hadamard::exec
