#include "matlab/comparison.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "base/int128.hpp"
#include "hadamard/hadamard.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/elements.hpp"

namespace hadamard::matlab {
namespace {

// Calls f with the comparison that the operator is.
template <class F>
void with_comparison(Operator op, F&& f) {
  switch (op) {
    case Operator::eq:
      return f(std::equal_to<>{});
    case Operator::ne:
      return f(std::not_equal_to<>{});
    case Operator::lt:
      return f(std::less<>{});
    case Operator::le:
      return f(std::less_equal<>{});
    case Operator::gt:
      return f(std::greater<>{});
    default:
      return f(std::greater_equal<>{});
  }
}

// In (-pi, pi]: the angle of -1 is pi, whichever sign its imaginary part 0 has.
double angle_of(std::complex<double> z) {
  const double angle = std::arg(z);
  return angle == -std::numbers::pi ? std::numbers::pi : angle;
}

template <class Compare>
bool compared(Compare compare, std::complex<double> x, std::complex<double> y) {
  if constexpr (std::is_same_v<Compare, std::equal_to<>> ||
                std::is_same_v<Compare, std::not_equal_to<>>) {
    return compare(x, y);
  } else {
    const std::partial_ordering order = ordered(x, y);
    if (order == std::partial_ordering::unordered) return false;
    return compare(order < 0 ? -1 : order > 0 ? 1 : 0, 0);
  }
}

// Whether doubles hold all of its values.
bool fits_double(const Value& v) { return v.cls() != Class::int64 && v.cls() != Class::uint64; }

// As double, int64 or uint64, whichever holds all of its values.
Value widened(const Value& v) {
  if (is_float(v.cls())) return convert(v, Class::double_);
  return v.cls() == Class::uint64 ? v : convert(v, Class::int64);
}

template <class F>
void with_wide_type(const Value& v, F&& f) {
  if (v.cls() == Class::double_) return f(double{});
  v.cls() == Class::int64 ? f(std::int64_t{}) : f(std::uint64_t{});
}

template <class Compare, class X, class Y>
bool compared(Compare compare, X x, Y y) {
  if constexpr (std::is_integral_v<X> && std::is_integral_v<Y>) {
    return compare(static_cast<int128>(x), static_cast<int128>(y));
  } else if constexpr (std::is_integral_v<X>) {
    // The float between whole numbers, or beyond all of them, decides by its floor; NaN by itself.
    const auto float_y = static_cast<double>(y);
    if (std::isnan(float_y)) return compare(0.0, float_y);
    if (std::abs(float_y) >= 0x1p70) return compare(0.0, float_y);
    const auto whole = static_cast<int128>(std::floor(float_y));
    const double rest = float_y - std::floor(float_y);
    const auto wide = static_cast<int128>(x);
    return wide != whole ? compare(wide, whole) : compare(0.0, rest);
  } else if constexpr (std::is_integral_v<Y>) {
    const auto float_x = static_cast<double>(x);
    if (std::isnan(float_x)) return compare(float_x, 0.0);
    if (std::abs(float_x) >= 0x1p70) return compare(float_x, 0.0);
    const auto whole = static_cast<int128>(std::floor(float_x));
    const double rest = float_x - std::floor(float_x);
    const auto wide = static_cast<int128>(y);
    return wide != whole ? compare(whole, wide) : compare(rest, 0.0);
  } else {
    return compare(static_cast<double>(x), static_cast<double>(y));
  }
}

Op op_of(Operator op) {
  switch (op) {
    case Operator::eq:
      return Op::eq;
    case Operator::ne:
      return Op::ne;
    case Operator::lt:
      return Op::lt;
    case Operator::le:
      return Op::le;
    case Operator::gt:
      return Op::gt;
    default:
      return Op::ge;
  }
}
// By the operator of the list, of one class.
Value listed(Op op, const Value& a, const Value& b) {
  const Options options{.broadcast = Broadcast::matlab, .order = Order::column_major};
  return {Class::logical, apply(op, a.elements(), b.elements(), options)};
}

// Where it is not 0.
Value truth_of(const Value& v) {
  return v.is_complex() ? comparison(Operator::ne, v, Value::scalar(0))
                        : convert(v, Class::logical);
}

}  // namespace

std::partial_ordering ordered(std::complex<double> x, std::complex<double> y) {
  if (x == y) return std::partial_ordering::equivalent;
  const double rx = std::hypot(x.real(), x.imag()), ry = std::hypot(y.real(), y.imag());
  return rx != ry ? rx <=> ry : angle_of(x) <=> angle_of(y);
}

Value comparison(Operator op, const Value& a, const Value& b) {
  const Dims size = expanded_size(a.size(), b.size());
  const bool is_complex = a.is_complex() || b.is_complex();
  const bool is_equality = op == Operator::eq || op == Operator::ne;
  if (a.elements().dtype() == b.elements().dtype() && (!is_complex || is_equality)) {
    return listed(op_of(op), a, b);
  }
  if (!is_complex && fits_double(a) && fits_double(b)) {
    return listed(op_of(op), convert(a, Class::double_), convert(b, Class::double_));
  }
  Tensor y = uninitialized(DType::bool_, size);
  bool* const out = data_of<bool>(y);
  if (is_complex) {
    const Value x = convert(to_complex(a), Class::double_);
    const Value z = convert(to_complex(b), Class::double_);
    if (is_equality) return listed(op_of(op), x, z);
    with_comparison(op, [&](auto compare) {
      for_expanded(x.size(), z.size(), size, data_of<std::complex<double>>(x),
                   data_of<std::complex<double>>(z), out,
                   [compare](auto p, auto q) { return compared(compare, p, q); });
    });
  } else {
    const Value x = widened(a), z = widened(b);
    with_wide_type(x, [&](auto tx) {
      with_wide_type(z, [&](auto tz) {
        with_comparison(op, [&](auto compare) {
          for_expanded(x.size(), z.size(), size, data_of<decltype(tx)>(x), data_of<decltype(tz)>(z),
                       out, [compare](auto p, auto q) { return compared(compare, p, q); });
        });
      });
    });
  }
  return {Class::logical, std::move(y)};
}

Value logic(Operator op, const Value& a, const Value& b) {
  const Dims size = expanded_size(a.size(), b.size());
  const Value x = truth_of(a), z = truth_of(b);
  Tensor y = uninitialized(DType::bool_, size);
  const auto put = [&](auto f) {
    for_expanded(x.size(), z.size(), size, data_of<bool>(x), data_of<bool>(z), data_of<bool>(y), f);
  };
  op == Operator::and_ ? put([](bool p, bool q) { return p && q; })
                       : put([](bool p, bool q) { return p || q; });
  return {Class::logical, std::move(y)};
}

Value negation(const Value& a) {
  const Value x = truth_of(a);
  Tensor y = uninitialized(DType::bool_, a.size());
  for_each(a.numel(), data_of<bool>(x), data_of<bool>(y), [](bool p) { return !p; });
  return {Class::logical, std::move(y)};
}

}  // namespace hadamard::matlab
