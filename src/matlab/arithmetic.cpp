#include "matlab/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/int128.hpp"
#include "hadamard/hadamard.hpp"
#include "matlab/comparison.hpp"
#include "matlab/complex_functions.hpp"
#include "matlab/elements.hpp"
#include "matlab/fault.hpp"

namespace hadamard::matlab {
namespace {

const Options kExpanding{.broadcast = Broadcast::matlab, .order = Order::column_major};

void require_numeric(Operator op, const Value& value) {
  if (value.cls() == Class::string) {
    throw Fault{"MATLAB:UndefinedFunction",
                fmt::format("operator '{}' is not for strings; 'text' in single quotes is char, "
                            "which is a number",
                            symbol(op))};
  }
}

Op op_of(Operator op) {
  switch (op) {
    case Operator::plus:
      return Op::add;
    case Operator::minus:
      return Op::sub;
    case Operator::times:
      return Op::mul;
    case Operator::rdivide:
      return Op::div;
    case Operator::power:
      return Op::pow;
    default:
      fail(ErrorCode::internal, "no operator of the list");
  }
}

// --- Integers by MATLAB's rule

// Of 64 bits double is too narrow: exactly, in 128.
template <class T>
T exact_integer(Operator op, T x, T y) {
  const auto clamp = [](int128 v) {
    return static_cast<T>(
        std::clamp<int128>(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  };
  const int128 a = x, b = y;
  switch (op) {
    case Operator::plus:
      return clamp(a + b);
    case Operator::minus:
      return clamp(a - b);
    case Operator::times: {
      // |a|, |b| ≤ 2^64: the product of two uint64 may not fit into a signed 128-bit number.
      const bool negative = (a < 0) != (b < 0);
      const uint128 m = static_cast<uint128>(a < 0 ? -a : a) * static_cast<uint128>(b < 0 ? -b : b);
      const uint128 most = std::numeric_limits<T>::max();
      if (!negative) return static_cast<T>(std::min(m, most));
      return m > most + 1 ? std::numeric_limits<T>::min() : clamp(-static_cast<int128>(m));
    }
    default: {  // ./, to nearest, half away from zero
      if (b == 0) return a == 0 ? T{0} : clamp(a > 0 ? int128{1} << 100 : -(int128{1} << 100));
      const bool negative = (a < 0) != (b < 0);
      const int128 m = a < 0 ? -a : a, d = b < 0 ? -b : b;
      const int128 q = (2 * m + d) / (2 * d);
      return clamp(negative ? -q : q);
    }
  }
}

// One operand is an integer array, the other of its class or a float; of 64 bits.
template <class T>
Value wide_integers(Operator op, const Value& a, const Value& b, Class cls, const Dims& size) {
  Tensor y = uninitialized(a.cls() == cls ? a.elements().dtype() : b.elements().dtype(), size);
  T* out = data_of<T>(y);
  if (a.cls() == b.cls() && op != Operator::power) {
    const T *x = data_of<T>(a), *z = data_of<T>(b);
    for_places(a.size(), b.size(), size,
               [&](auto i, auto j) { *out++ = exact_integer<T>(op, x[i], z[j]); });
    return {cls, std::move(y)};
  }
  // With a float: in the widest type there is.
  const auto wide = [](const Value& v, std::int64_t i) -> long double {
    return with_real_type(v.elements().dtype(), [&](auto t) -> long double {
      return static_cast<long double>(data_of<decltype(t)>(v)[i]);
    });
  };
  for_places(a.size(), b.size(), size, [&](auto i, auto j) {
    const long double x = wide(a, i), z = wide(b, j);
    const long double r = op == Operator::plus      ? x + z
                          : op == Operator::minus   ? x - z
                          : op == Operator::times   ? x * z
                          : op == Operator::rdivide ? x / z
                                                    : std::pow(x, z);
    const long double rounded = std::round(r);
    if (std::isnan(r)) {
      *out++ = 0;
    } else if (rounded <= static_cast<long double>(std::numeric_limits<T>::min())) {
      *out++ = std::numeric_limits<T>::min();
    } else if (rounded >= std::ldexp(1.0L, std::numeric_limits<T>::digits)) {
      *out++ = std::numeric_limits<T>::max();
    } else {
      *out++ = static_cast<T>(rounded);
    }
  });
  return {cls, std::move(y)};
}

// --- Floats

// a ∘ b of one float class, real both.
Value real_floats(Operator op, const Value& a, const Value& b) {
  return {a.cls(), apply(op_of(op), a.elements(), b.elements(), kExpanding)};
}

// The two parts of a complex value as one more dimension in front.
ConstView parts_of(const Value& complex) {
  Dims size{2};
  for (const std::int64_t extent : complex.size()) size.push_back(extent);
  const DType type = complex.elements().dtype() == DType::complex128 ? DType::fp64 : DType::fp32;
  return {complex.elements().data(), Layout(type, size, Order::column_major)};
}

// complex .* real and complex ./ real are the parts' own: nothing is lost to 0·inf.
Value part_by_part(Operator op, const Value& complex, const Value& real) {
  Dims size{1};
  for (const std::int64_t extent : real.size()) size.push_back(extent);
  const ConstView other(real.elements().data(),
                        Layout(real.elements().dtype(), size, Order::column_major));
  const Tensor parts = apply(op_of(op), parts_of(complex), other, kExpanding);
  Dims result;
  for (std::size_t d = 1; d < parts.rank(); ++d) result.push_back(parts.shape()[d]);
  Tensor y = uninitialized(complex.elements().dtype(), result);
  std::memcpy(y.data(), parts.data(), parts.size_bytes());
  return {complex.cls(), std::move(y)};
}

bool leaves_the_reals(const Value& base, const Value& exponent) {
  const Dims size = expanded_size(base.size(), exponent.size());
  return with_real_type(base.elements().dtype(), [&](auto t) {
    using T = decltype(t);
    const T *x = data_of<T>(base), *p = data_of<T>(exponent);
    bool found = false;
    for_places(base.size(), exponent.size(), size, [&](auto i, auto j) {
      if constexpr (std::is_floating_point_v<T>) {
        found = found || (x[i] < 0 && std::isfinite(p[j]) && p[j] != std::trunc(p[j]));
      }
    });
    return found;
  });
}

Value floats(Operator op, const Value& a, const Value& b) {
  if (op == Operator::power) {
    if (a.is_complex() || b.is_complex() || leaves_the_reals(a, b)) {
      return narrowed(complex_power(to_complex(a), to_complex(b)));
    }
    return real_floats(op, a, b);
  }
  if (!a.is_complex() && !b.is_complex()) return real_floats(op, a, b);
  if (op == Operator::times && !a.is_complex()) return narrowed(part_by_part(op, b, a));
  if (!b.is_complex() && (op == Operator::times || op == Operator::rdivide)) {
    return narrowed(part_by_part(op, a, b));
  }
  return narrowed(real_floats(op, to_complex(a), to_complex(b)));
}

Value arithmetic(Operator op, const Value& a, const Value& b, const Rules& rules) {
  const Class cls = common_class(symbol(op), a, b, rules);
  const Dims size = expanded_size(a.size(), b.size());
  if (is_integer(cls)) {
    if (a.is_complex() || b.is_complex()) {
      throw Fault{
          "MATLAB:integerComplex",
          fmt::format("operator '{}': {} and complex have no common class", symbol(op), name(cls))};
    }
    if (cls == Class::int64) return wide_integers<std::int64_t>(op, a, b, cls, size);
    if (cls == Class::uint64) return wide_integers<std::uint64_t>(op, a, b, cls, size);
    const Value x = convert(a, Class::double_), y = convert(b, Class::double_);
    return convert(real_floats(op, x, y), cls);
  }
  return floats(op, convert(a, cls), convert(b, cls));
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
    case Operator::minus:
    case Operator::times:
    case Operator::rdivide:
    case Operator::power:
      return arithmetic(op, a, b, rules);
    case Operator::ldivide:
      return arithmetic(Operator::rdivide, b, a, rules);
    case Operator::and_:
    case Operator::or_:
      return logic(op, a, b);
    default:
      return comparison(op, a, b);
  }
}

}  // namespace

Class common_class(std::string_view what, const Value& a, const Value& b, const Rules& rules) {
  if (rules.integers == Integers::as_matlab && (is_integer(a.cls()) || is_integer(b.cls()))) {
    if (is_integer(a.cls()) && is_integer(b.cls()) && a.cls() != b.cls()) {
      throw Fault{"MATLAB:mixedClasses",
                  fmt::format("{}: integers can only be combined with integers of the "
                              "same class or with doubles, but A is {} and B is {}",
                              what, name(a.cls()), name(b.cls()))};
    }
    return is_integer(a.cls()) ? a.cls() : b.cls();
  }
  const bool narrow = a.cls() == Class::single_ || b.cls() == Class::single_;
  return narrow ? Class::single_ : Class::double_;
}

Dims expanded_size(const Dims& a, const Dims& b) {
  Dims size;
  for (std::size_t d = 0; d < std::max(a.size(), b.size()); ++d) {
    const std::int64_t x = d < a.size() ? a[d] : 1, y = d < b.size() ? b[d] : 1;
    if (x != y && x != 1 && y != 1) {
      throw Fault{"MATLAB:sizeDimensionsMustMatch",
                  fmt::format("nonconformant arguments: A is {}, B is {}; dimension {} is {} in A "
                              "and {} in B",
                              size_text(a), size_text(b), d + 1, x, y)};
    }
    size.push_back(x == 1 ? y : x);
  }
  return size;
}

Value binary(Operator op, const Value& a, const Value& b, const Rules& rules) {
  require_numeric(op, a);
  require_numeric(op, b);
  if (op == Operator::mtimes || op == Operator::mrdivide || op == Operator::mldivide ||
      op == Operator::mpower) {
    op = element_wise(op, a, b);
  }
  rules.room.require(expanded_size(a.size(), b.size()),
                     a.is_complex() || b.is_complex() ? DType::complex128 : DType::fp64);
  return computed(op, a, b, rules).with_residency(residency_of(a, b));
}

Value unary(Operator op, const Value& a, const Rules& rules) {
  require_numeric(op, a);
  if (op == Operator::not_) {
    return negation(a).with_residency(a.residency());
  }
  if (op == Operator::uminus || op == Operator::uplus) {
    Value x = is_float(a.cls()) ? a : convert(a, Class::double_);
    if (is_integer(a.cls()) && rules.integers == Integers::as_matlab) {
      return op == Operator::uplus
                 ? a
                 : binary(Operator::minus, convert(Value::scalar(0), a.cls()), a, rules);
    }
    if (op == Operator::uplus) return x;
    if (!x.is_complex()) return {x.cls(), neg(x.elements(), kExpanding), a.residency()};
    const Tensor parts = neg(parts_of(x), kExpanding);
    Tensor y = uninitialized(x.elements().dtype(), x.size());
    std::memcpy(y.data(), parts.data(), parts.size_bytes());
    return {x.cls(), std::move(y), a.residency()};
  }
  return transposed(a, op == Operator::ctranspose);
}

}  // namespace hadamard::matlab
