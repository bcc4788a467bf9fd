// Providers: who can run a plan. They are asked in order; each runs it or says why it does not.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/executable.hpp"
#include "plan/plan.hpp"

namespace hadamard::exec {

// What the caller or the environment demands; empty means no demand.
struct Selection {
  std::string_view provider;
  std::string_view cpu_target;
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string_view name() const noexcept = 0;
  // Why this machine cannot use the provider at all; empty where it can.
  virtual std::string unavailable() const = 0;
  // Null with the reason in `why` where the provider does not run this plan. Throws unavailable for
  // a `selection.cpu_target` that does not exist here.
  virtual std::unique_ptr<const Executable> bind(std::shared_ptr<const plan::Plan> plan,
                                                 const Selection& selection,
                                                 std::string& why) const = 0;
};

// All providers, in the order in which they are asked; the reference is last and never declines.
std::span<const Provider* const> providers();

// The code of the first provider that takes the plan, and who declined before it and why.
struct Bound {
  std::unique_ptr<const Executable> executable;
  std::vector<std::string> declined;  // "cpu: declined: …"
};
Bound bind(std::shared_ptr<const plan::Plan> plan, const Selection& selection);

// HADAMARD_PROVIDER and HADAMARD_CPU, read once.
const Selection& environment_selection();

}  // namespace hadamard::exec
