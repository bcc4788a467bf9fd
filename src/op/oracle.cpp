#include "op/oracle.hpp"

#include <utility>

#include "base/fail.hpp"
#include "num/precise_value.hpp"

namespace hadamard::op {
namespace {

using multiple_precision::ScopedLibrary;
using multiple_precision::Value;

Value true_value(Op op, double a, double b, mpfr_prec_t precision) {
  return with_op(op, [&](auto o) -> Value {
    using Operator = typename decltype(o)::type;
    if constexpr (!has_oracle<Operator>) {
      fail(ErrorCode::internal, "operator {} has no oracle", Operator::names.id);
    } else if constexpr (arity_of<Operator> == 2) {
      return Operator::oracle(Value(a, precision), Value(b, precision));
    } else {
      return Operator::oracle(Value(a, precision));
    }
  });
}

}  // namespace

double by_multiple_precision(Op op, double a, double b, FloatFormat format) {
  const ScopedLibrary state;
  for (mpfr_prec_t precision = 64;; precision *= 2) {
    const Value value = true_value(op, a, b, precision);
    if (const auto result = value.rounded(format)) return *result;
    if (value.precision() < precision) {
      fail(ErrorCode::internal, "the oracle of {} does not keep its operand's precision", name(op));
    }
  }
}

std::optional<Approximation> approximation(Op op, double a, double b) {
  if (!is_function(op)) return std::nullopt;
  const ScopedLibrary state;
  const Value value = true_value(op, a, b, 256);
  std::optional<Real> exact = value.to_real();
  if (!exact) return std::nullopt;
  char digits[80];
  mpfr_snprintf(digits, sizeof digits, "%.40Rg", value.number());
  return Approximation{*std::move(exact), digits};
}

}  // namespace hadamard::op
