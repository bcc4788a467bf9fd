// MATLAB's operators as programs: what is promoted, computed and narrowed is a node each.
#pragma once

#include <optional>

#include "dialect/matlab/promotion.hpp"
#include "plan/plan.hpp"

namespace hadamard::dialect::matlab {

// One call: an operator, its operands, what promote() says of them.
struct Request {
  Op op;
  Layout a;
  std::optional<Layout> b;  // nothing for an operator with one operand
  Promotion promotion;
};

// Its program. `leaves_reals` is for real operands some of whose results are complex: the result is
// complex, and those that are real are what they would be alone. `options` are those of a step, of
// dialect native.
plan::Lowered lower(const Request& request, bool leaves_reals, const Options& options);

// The program that says, for each result, whether it is complex though its operands are real.
plan::Lowered lower_guard(const Request& request, const Options& options);

// The program that says, for each complex number, whether its imaginary part is not 0.
plan::Lowered lower_is_complex(const Layout& a, const Options& options);

// Whether some operands have such results: a domain that is bounded, or powers.
bool has_guard(const Request& request) noexcept;

// Whether the operator has a form on complex numbers.
bool has_complex_form(Op op) noexcept;

// Whether the request is the operator itself, on operands as they are.
bool is_plain(const Request& request) noexcept;

// complex .* real and complex ./ real are the parts' own: nothing is lost to 0·inf.
bool is_scaled(Op op, DType a, DType b) noexcept;

}  // namespace hadamard::dialect::matlab
