// A plan tied to the code that runs it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/place.hpp"
#include "plan/plan.hpp"
#include "program/evaluate.hpp"

namespace hadamard::exec {

// Where a program's inputs and outputs are, in its order, and memory for what goes from one group
// to another: plan.workspace_bytes, aligned to 64.
struct Bindings {
  std::span<const Place> inputs;
  std::span<const Place> outputs;
  std::byte* workspace = nullptr;
};

inline constexpr program::ValueId kNoValue = std::numeric_limits<program::ValueId>::max();

// What a run tells about itself.
struct RunReport {
  // The first node that has no result for some element; the outputs are then unspecified.
  program::ValueId failed = kNoValue;
  std::string_view provider;  // set by the code that ran, not by the code that chose it
  std::string_view target;
  std::atomic<std::int64_t>* progress = nullptr;  // elements done so far, where somebody watches
};

// Immutable; may be called from any thread.
class Executable {
 public:
  virtual ~Executable() = default;
  virtual void run(const Bindings& bindings, RunReport& report) const = 0;
  // The first node that has no result for some element, or kNoValue. Writes to no output. Plans of
  // several groups are computed by the reference, which takes long.
  virtual program::ValueId find_failure(const Bindings& bindings) const = 0;
  virtual std::string describe() const = 0;  // several lines, one for each group
};

// Whether a node may have no result for some element: a division in a type without an answer for a
// zero divisor, NaN to an exact number.
bool may_fail(const program::Program& program, const program::Node& node);
bool may_fail(const program::Program& program);

// The first node up to `node` that has no result for some element, and the first such element, by
// the reference. Precondition: there is one; else `failure` is none.
struct FailedElement {
  program::Failure failure = program::Failure::none;
  program::ValueId node = kNoValue;
  Dims index;  // with the program's rank
};
FailedElement first_failure(const plan::Plan& plan, std::span<const Place> inputs,
                            program::ValueId node);

}  // namespace hadamard::exec
