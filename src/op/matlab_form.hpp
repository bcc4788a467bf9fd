#pragma once

#include "op/expr.hpp"

namespace hadamard::op {

// Whether the record has a form of its own for MATLAB's floats (`in_matlab`).
template <class Operator>
inline constexpr bool has_matlab_form = requires {
  Operator::in_matlab(ExprWorld{}, Arg<0>{}, Arg<1>{});
};

}  // namespace hadamard::op
