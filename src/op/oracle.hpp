// Functions by multiple precision alone, from the oracles of their records.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "num/dtype.hpp"
#include "op/ops.hpp"

namespace hadamard::op {

// Whether the operator's record has an oracle.
inline bool is_function(Op op) {
  return with_op(op, [](auto o) { return has_oracle<typename decltype(o)::type>; });
}

// Of an operator that is a function; one with one operand does not look at `b`. The operands are
// numbers of the format. Special values are those of IEEE 754 and of C (pow(x, 0) and pow(1, x) are
// 1 and hypot(inf, x) is inf even for NaN; atan2(a, b) is the angle of the point (b, a)), or limits
// (swish(-inf) is -0, softsign(inf) 1). mod(x, 0) and rem(x, 0) are NaN; a zero has the divisor's
// sign in mod, the dividend's in rem.
double by_multiple_precision(Op op, double a, double b, FloatFormat format);

// The same for a floating type; NaN is the canonical one.
template <class T>
T by_multiple_precision(Op op, T a, T b) {
  const double result = by_multiple_precision(op, static_cast<double>(a), static_cast<double>(b),
                                              Element<T>::kFormat);
  return T(std::isnan(result) ? std::numeric_limits<double>::quiet_NaN() : result);
}
template <class Function, class T>
T by_multiple_precision(T a, T b = {}) {
  static_assert(has_oracle<Function>);
  return by_multiple_precision<T>(op_of<Function>, a, b);
}

// The true value to 256 bits, for a person who wants to see it; nothing where it is not finite, or
// where the operator is not a function.
struct Approximation {
  Real value;
  std::string digits;  // the first 40
};
std::optional<Approximation> approximation(Op op, double a, double b);

}  // namespace hadamard::op
