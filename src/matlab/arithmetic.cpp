#include "matlab/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dialect/matlab/promotion.hpp"
#include "hadamard/matlab.hpp"
#include "matlab/elements.hpp"
#include "matlab/engine.hpp"
#include "matlab/fault.hpp"

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

// --- Arithmetic

// Char counts as double here; the engine knows the other classes by their elements.
Value number(const Value& value) {
  return value.cls() == Class::char_ ? convert(value, Class::double_) : value;
}

Value arithmetic(Op op, const Value& a, const Value& b, const Rules& rules) {
  const Value x = number(a), y = number(b);
  Tensor result =
      asked([&] { return compute(op, x.elements(), y.elements(), {.integers = rules.integers}); });
  const Class cls = class_of(result.dtype());
  return {cls, std::move(result)};
}

// --- Comparisons and logic

template <class T>
bool compared(Operator op, T x, T y) {
  switch (op) {
    case Operator::eq:
      return x == y;
    case Operator::ne:
      return x != y;
    case Operator::lt:
      return x < y;
    case Operator::le:
      return x <= y;
    case Operator::gt:
      return x > y;
    default:
      return x >= y;
  }
}

// Complex numbers are ordered as Octave does: by modulus, then by argument.
bool compared(Operator op, std::complex<double> x, std::complex<double> y) {
  if (op == Operator::eq) return x == y;
  if (op == Operator::ne) return x != y;
  const double rx = std::hypot(x.real(), x.imag()), ry = std::hypot(y.real(), y.imag());
  if (rx != ry) return compared(op, rx, ry);
  return compared(op, std::arg(x), std::arg(y));
}

// Whether doubles hold all of its values.
bool fits_double(const Value& v) { return v.cls() != Class::int64 && v.cls() != Class::uint64; }

Value comparison(Operator op, const Value& a, const Value& b) {
  const Dims size = expanded_size(a.size(), b.size());
  Tensor y = uninitialized(DType::bool_, size);
  bool* out = data_of<bool>(y);
  if (a.is_complex() || b.is_complex()) {
    const Value x = convert(to_complex(a), Class::double_);
    const Value z = convert(to_complex(b), Class::double_);
    const auto *px = data_of<std::complex<double>>(x), *pz = data_of<std::complex<double>>(z);
    for_expanded(a.size(), b.size(), size,
                 [&](auto i, auto j) { *out++ = compared(op, px[i], pz[j]); });
  } else if (fits_double(a) && fits_double(b)) {
    const Value x = convert(a, Class::double_), z = convert(b, Class::double_);
    const double *px = data_of<double>(x), *pz = data_of<double>(z);
    for_expanded(a.size(), b.size(), size,
                 [&](auto i, auto j) { *out++ = compared(op, px[i], pz[j]); });
  } else {
    with_real_type(a.elements().dtype(), [&](auto ta) {
      with_real_type(b.elements().dtype(), [&](auto tb) {
        const auto* px = data_of<decltype(ta)>(a);
        const auto* pz = data_of<decltype(tb)>(b);
        for_expanded(a.size(), b.size(), size, [&](auto i, auto j) {
          // long double holds every element exactly.
          *out++ = compared(op, static_cast<long double>(px[i]), static_cast<long double>(pz[j]));
        });
      });
    });
  }
  return {Class::logical, std::move(y)};
}

Value truth_of(const Value& v) {
  return v.is_complex() ? comparison(Operator::ne, v, Value::scalar(0))
                        : convert(v, Class::logical);
}

Value logic(Operator op, const Value& a, const Value& b) {
  const Value x = truth_of(a), z = truth_of(b);
  const Dims size = expanded_size(a.size(), b.size());
  Tensor y = uninitialized(DType::bool_, size);
  bool* out = data_of<bool>(y);
  const bool *px = data_of<bool>(x), *pz = data_of<bool>(z);
  for_expanded(a.size(), b.size(), size, [&](auto i, auto j) {
    *out++ = op == Operator::and_ ? px[i] && pz[j] : px[i] || pz[j];
  });
  return {Class::logical, std::move(y)};
}

// --- Where a result lies

// The device has elem_…, for arrays of one size, and scalar_…, for a scalar on either side; what it
// has not is gathered, computed by the host, and stays there.
Residency residency_of(const Value& a, const Value& b) {
  const bool any = a.residency() == Residency::device || b.residency() == Residency::device;
  const bool hook = a.size() == b.size() || a.is_scalar() || b.is_scalar();
  const bool numeric = a.cls() != Class::char_ && b.cls() != Class::char_;
  return any && hook && numeric ? Residency::device : Residency::host;
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

Value computed(Operator op, const Value& a, const Value& b, const Rules& rules) {
  switch (op) {
    case Operator::plus:
      return arithmetic(Op::add, a, b, rules);
    case Operator::minus:
      return arithmetic(Op::sub, a, b, rules);
    case Operator::times:
      return arithmetic(Op::mul, a, b, rules);
    case Operator::rdivide:
      return arithmetic(Op::div, a, b, rules);
    case Operator::ldivide:
      return arithmetic(Op::div, b, a, rules);
    case Operator::power:
      return arithmetic(Op::pow, a, b, rules);
    case Operator::and_:
    case Operator::or_:
      return logic(op, a, b);
    default:
      return comparison(op, a, b);
  }
}

}  // namespace

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
  return computed(op, a, b, rules).with_residency(residency_of(a, b));
}

Value unary(Operator op, const Value& a, const Rules& rules) {
  require_numeric(op, a);
  if (op == Operator::not_) {
    return binary(Operator::eq, truth_of(a), Value::logical(false), rules)
        .with_residency(a.residency());
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
