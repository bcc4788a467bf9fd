#include "matlab/arithmetic.hpp"

#include <fmt/format.h>

#include <optional>

#include "dialect/matlab/promotion.hpp"
#include "hadamard/matlab.hpp"
#include "matlab/comparison.hpp"
#include "matlab/device.hpp"
#include "matlab/engine.hpp"
#include "matlab/fault.hpp"
#include "op/ops.hpp"

namespace hadamard::matlab {
namespace {

void require_numeric(Operator op, const Value& value) {
  if (value.cls() == Class::string) {
    throw Fault{"MATLAB:UndefinedFunction",
                fmt::format("operator '{}' is not for strings; 'text' in single quotes is char, "
                            "which is a number",
                            symbol(op))};
  }
}

// Text counts as double here; the engine knows the other classes by their elements.
Value number(const Value& value) {
  return value.cls() == Class::char_ || value.cls() == Class::string
             ? convert(value, Class::double_)
             : value;
}

// --- Where a result lies

bool is_on_device(const Value& a, const Value& b) {
  return a.residency() == Residency::device || b.residency() == Residency::device;
}

// The result of the device's hook: elem_… for arrays of one size, scalar_… where one side is a
// scalar. Nothing where the device has no such hook: then both are gathered, and the result of the
// host stays there.
std::optional<Value> by_device(Op op, const Value& a, const Value& b, const Rules& rules) {
  if (!is_on_device(a, b) || a.cls() == Class::char_ || b.cls() == Class::char_) {
    return std::nullopt;
  }
  Device& provider = device();
  const Settings settings{.integers = rules.integers};
  const bool same_size = a.size() == b.size();
  if (!same_size && (a.is_scalar() || b.is_scalar())) {
    const bool commutes = op::matlab_rules(op).commutes;
    const bool reversed = a.is_scalar();
    const Hook hook{reversed && !commutes ? Hook::Form::scalar_r : Hook::Form::scalar, op};
    if (!provider.has(hook)) return std::nullopt;
    const Value array = (reversed ? b : a).with_residency(Residency::device);
    const Tensor& scalar = (reversed ? a : b).elements();
    return on_device(
        asked([&] { return provider.run(hook, *array.handle(), nullptr, &scalar, settings); }));
  }
  const Hook hook{Hook::Form::elem, op};
  if (!provider.has(hook) || (!same_size && !provider.can_expand())) return std::nullopt;
  const Value x = a.with_residency(Residency::device), y = b.with_residency(Residency::device);
  return on_device(
      asked([&] { return provider.run(hook, *x.handle(), y.handle().get(), nullptr, settings); }));
}

// Comparisons and logic are the host's; of arrays that a hook would take, the result goes back.
Residency residency_of(const Value& a, const Value& b) {
  const bool hook = a.size() == b.size() || a.is_scalar() || b.is_scalar();
  const bool numeric = a.cls() != Class::char_ && b.cls() != Class::char_;
  return is_on_device(a, b) && hook && numeric ? Residency::device : Residency::host;
}

std::string_view element_wise_form(Operator op) {
  return op == Operator::mtimes     ? ".*"
         : op == Operator::mrdivide ? "./"
         : op == Operator::mldivide ? ".\\"
                                    : ".^";
}

// * / \ ^ are element-wise where the side that would be inverted, or one of the factors, is a
// scalar.
Operator element_wise(Operator op, const Value& a, const Value& b) {
  const bool is = op == Operator::mtimes     ? a.is_scalar() || b.is_scalar()
                  : op == Operator::mrdivide ? b.is_scalar()
                  : op == Operator::mldivide ? a.is_scalar()
                                             : a.is_scalar() && b.is_scalar();
  if (!is) {
    throw Fault{
        "Hadamard:notElementwise",
        fmt::format("operator '{}' of {} and {} is an operation on matrices, which is not "
                    "element-wise; did you mean '{}'?",
                    symbol(op), size_text(a.size()), size_text(b.size()), element_wise_form(op))};
  }
  switch (op) {
    case Operator::mtimes:
      return Operator::times;
    case Operator::mrdivide:
      return Operator::rdivide;
    case Operator::mldivide:
      return Operator::ldivide;
    default:
      return Operator::power;
  }
}

// The operator of the list that an operator of the language is; A .\ B is B ./ A.
std::optional<Op> op_of(Operator op) {
  switch (op) {
    case Operator::plus:
      return Op::add;
    case Operator::minus:
      return Op::sub;
    case Operator::times:
      return Op::mul;
    case Operator::rdivide:
    case Operator::ldivide:
      return Op::div;
    case Operator::power:
      return Op::pow;
    default:
      return std::nullopt;
  }
}

}  // namespace

Value on_device(Handle handle) {
  const Class cls = class_of(handle->layout().dtype);
  return {cls, std::move(handle)};
}

Value function_of_two(Op op, const Value& a, const Value& b, const Rules& rules) {
  rules.room.require(expanded_size(a.size(), b.size()),
                     a.is_complex() || b.is_complex() ? DType::complex128 : DType::fp64);
  if (std::optional<Value> y = by_device(op, a, b, rules)) return *std::move(y);
  const Value x = number(a), z = number(b);
  Tensor y =
      asked([&] { return compute(op, x.elements(), z.elements(), {.integers = rules.integers}); });
  const Class cls = class_of(y.dtype());
  return {cls, std::move(y)};
}

Dims expanded_size(const Dims& a, const Dims& b) {
  return asked([&] { return dialect::matlab::expanded_size(a, b); });
}

Value binary(Operator op, const Value& a, const Value& b, const Rules& rules) {
  require_numeric(op, a);
  require_numeric(op, b);
  if (op == Operator::mtimes || op == Operator::mrdivide || op == Operator::mldivide ||
      op == Operator::mpower) {
    op = element_wise(op, a, b);
  }
  if (const std::optional<Op> listed = op_of(op)) {
    return op == Operator::ldivide ? function_of_two(*listed, b, a, rules)
                                   : function_of_two(*listed, a, b, rules);
  }
  rules.room.require(expanded_size(a.size(), b.size()), DType::bool_);
  const bool is_logic = op == Operator::and_ || op == Operator::or_;
  return (is_logic ? logic(op, a, b) : comparison(op, a, b)).with_residency(residency_of(a, b));
}

Value unary(Operator op, const Value& a, const Rules& rules) {
  require_numeric(op, a);
  if (op == Operator::not_) {
    return negation(a).with_residency(a.residency());
  }
  if (op == Operator::uminus || op == Operator::uplus) {
    const Value x = number(a);
    const bool keeps =
        is_float(a.cls()) || (is_integer(a.cls()) && rules.integers == Integers::as_matlab);
    if (op == Operator::uplus) return keeps ? a : convert(a, Class::double_);
    return function_of_one(Op::neg, x, rules);
  }
  return transposed(a, op == Operator::ctranspose);
}

}  // namespace hadamard::matlab
