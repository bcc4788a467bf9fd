// Real double scalars without the way through arrays, which takes a microsecond: the operators of
// the list, in the world of one double.
#pragma once

#include <optional>

#include "matlab/language.hpp"
#include "matlab/value.hpp"
#include "num/complex.hpp"
#include "op/ops.hpp"

namespace hadamard::matlab {

struct ScalarWorld {
  double add(double a, double b) const { return cx::canonical(a + b); }
  double sub(double a, double b) const { return cx::canonical(a - b); }
  double mul(double a, double b) const { return cx::canonical(a * b); }
  double div(double a, double b) const { return cx::canonical(a / b); }
};

// a ∘ b; nothing for an operator whose result is no double, or that takes longer anyway.
inline std::optional<double> of_scalars(Operator op, double a, double b) {
  constexpr ScalarWorld world;
  switch (op) {
    case Operator::plus:
      return op::Add::apply(world, a, b);
    case Operator::minus:
      return op::Sub::apply(world, a, b);
    case Operator::times:
    case Operator::mtimes:
      return op::Mul::apply(world, a, b);
    case Operator::rdivide:
    case Operator::mrdivide:
      return op::Div::apply(world, a, b);
    case Operator::ldivide:
    case Operator::mldivide:
      return op::Div::apply(world, b, a);
    default:
      return std::nullopt;
  }
}

inline std::optional<bool> comparison_of_scalars(Operator op, double a, double b) {
  switch (op) {
    case Operator::eq:
      return a == b;
    case Operator::ne:
      return a != b;
    case Operator::lt:
      return a < b;
    case Operator::le:
      return a <= b;
    case Operator::gt:
      return a > b;
    case Operator::ge:
      return a >= b;
    default:
      return std::nullopt;
  }
}

// The number that a real double scalar in the host's memory is.
inline std::optional<double> plain_scalar(const Value& value) {
  if (value.cls() != Class::double_ || value.residency() != Residency::host ||
      value.elements().dtype() != DType::fp64 || !value.is_scalar()) {
    return std::nullopt;
  }
  return *static_cast<const double*>(value.elements().data());
}

}  // namespace hadamard::matlab
