// One call of an operator, lowered: a program of one node, or of two where another operator is
// applied to each result.
#pragma once

#include <span>

#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "plan/plan.hpp"

namespace hadamard::dialect {

// Everything but values and addresses is checked, in the dialect's words. `to` is the type that a
// cast gives. Throws bad_argument, unsupported_type, type_mismatch, shape_mismatch; unavailable
// where dialect matlab needs more than one step.
plan::Lowered lower_call(Op op, std::span<const Layout> operands, const Options& options,
                         DType to = {});

}  // namespace hadamard::dialect
