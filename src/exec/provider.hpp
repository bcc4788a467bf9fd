// Providers: who can run a plan. They are asked in order; each runs it or says why it does not.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/executable.hpp"
#include "exec/place.hpp"
#include "plan/plan.hpp"

namespace hadamard::exec {

struct Places {
  Place a;
  Place b;
  Place y;
  void* output() const noexcept { return const_cast<void*>(y.data); }
};

// What a run tells about itself.
struct RunReport {
  bool zero_divisor = false;  // some divisor was zero; the output is then unspecified
  std::string_view provider;  // set by the code that ran, not by the code that chose it
  std::string_view target;    // the instruction set of the kernel that ran
  std::atomic<std::int64_t>* progress = nullptr;  // elements done so far, where somebody watches
};

// Whether the plan divides, in a type that has no answer for a zero divisor.
bool may_divide_by_zero(const plan::Plan& plan);

// Whether one of n elements that lie side by side is zero.
using ZeroScan = bool (*)(const void* data, std::int64_t n);

// Whether some divisor of the plan is zero where its type has no answer for that. Writes nothing
// and allocates nothing: for outputs that an error must leave as they were. `scan`, which may be
// null, is used for lines of memory.
bool has_zero_divisor(const plan::Plan& plan, const Places& places, ZeroScan scan = nullptr);

// A plan tied to the code that runs it. Immutable; `run` may be called from any thread.
class Program {
 public:
  virtual ~Program() = default;
  virtual void run(const Places& places, RunReport& report) const = 0;
  // has_zero_divisor() of the plan, as fast as the provider can.
  virtual bool has_zero_divisor(const Places& places) const = 0;
  virtual std::string describe() const = 0;  // "cpu, target avx2, kernel div/fp32"
};

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
  virtual std::unique_ptr<const Program> bind(const plan::Plan& plan, const Selection& selection,
                                              std::string& why) const = 0;
  virtual std::unique_ptr<const Executable> bind(const plan::ProgramPlan& plan,
                                                 const Selection& selection,
                                                 std::string& why) const = 0;
};

// All providers, in the order in which they are asked; the reference is last and never declines.
std::span<const Provider* const> providers();

// The program of the first provider that takes the plan, and who declined before it and why.
struct Bound {
  std::unique_ptr<const Program> program;
  std::vector<std::string> declined;  // "cpu: declined: …"
};
Bound bind(const plan::Plan& plan, const Selection& selection);
struct BoundProgram {
  std::unique_ptr<const Executable> executable;
  std::vector<std::string> declined;
};
BoundProgram bind(const plan::ProgramPlan& plan, const Selection& selection);

// HADAMARD_PROVIDER and HADAMARD_CPU, read once.
const Selection& environment_selection();

// The index of the first zero divisor, in row-major order of the result. Precondition: there is
// one, and the output has not overwritten an operand.
Dims first_zero_divisor(const plan::Plan& plan, const Places& places);

}  // namespace hadamard::exec
