// Dialect matlab behind the façade: promotion before the planned step, narrowing after it.
#pragma once

#include <atomic>
#include <string>

#include "hadamard/hadamard.hpp"

namespace hadamard {

// apply() with options.dialect matlab. `b` is null for an operator with one operand.
Tensor apply_matlab(Op op, const ConstView& a, const ConstView* b, const Options& options,
                    std::atomic<std::int64_t>* progress = nullptr);

// The result's layout as far as it does not depend on values: a result that leaves the reals is
// complex all the same, and one without imaginary parts real.
Layout matlab_result_layout(Op op, const Layout& a, const Layout* b, const Options& options);

// For a person: what is promoted, and the plan of the step.
std::string explain_matlab(Op op, const Layout& a, const Layout* b, const Options& options);

}  // namespace hadamard
