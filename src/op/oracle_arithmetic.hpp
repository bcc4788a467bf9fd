// The oracle: what each operation means for single values, element type by element type.
//
// It shares no arithmetic with the SIMD world: integers are computed in 128
// bits and wrapped, 16-bit floats in double and rounded once, complex numbers in exact rationals,
// elementary functions in multiple precision (which the fast ones ask too, in their hard cases:
// those are checked by op/rounded_test.cpp).
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "base/int128.hpp"
#include "num/complex.hpp"
#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "op/cast.hpp"
#include "op/oracle.hpp"
#include "op/oracle_complex.hpp"
#include "op/oracle_numbers.hpp"
#include "op/oracle_saturating.hpp"

namespace hadamard::op {
namespace oracle {

class Oracle : public ComplexOracle, public SaturatingOracle {
 public:
  explicit Oracle(IntDivision rounding) : rounding_(rounding) {}

  // Whether a divisor was zero where the type has no answer for that.
  bool zero_divisor() const noexcept { return zero_divisor_; }
  // Whether NaN or an infinity was converted to an exact number.
  bool not_finite() const noexcept { return not_finite_; }
  bool failed() const noexcept { return zero_divisor_ || not_finite_; }

  template <class T>
  T add(const T& a, const T& b) const {
    return compute(a, b, [](auto x, auto y) { return x + y; });
  }
  template <class T>
  T sub(const T& a, const T& b) const {
    return compute(a, b, [](auto x, auto y) { return x - y; });
  }
  template <class T>
  T mul(const T& a, const T& b) const {
    if constexpr (Element<T>::kKind == Kind::complex) {
      return cx::exact_mul(a, b);
    } else {
      return compute(a, b, [](auto x, auto y) { return x * y; });
    }
  }
  template <class T>
  T div(const T& a, const T& b) const {
    constexpr Kind kKind = Element<T>::kKind;
    if constexpr (kKind == Kind::complex) {
      return cx::exact_div(a, b);
    } else if constexpr (kKind == Kind::floating) {
      return compute(a, b, [](auto x, auto y) { return x / y; });
    } else {
      if (is_zero(b)) {
        zero_divisor_ = true;
        return T{};
      }
      if constexpr (kKind == Kind::integer) {
        return wrap<T>(divide(widen(a), widen(b), rounding_));
      } else {
        return compute(a, b, [](auto x, auto y) { return x / y; });
      }
    }
  }

  template <class T>
  T zero(const T&) const {
    return number<T>(0);
  }
  template <class T>
  T one(const T&) const {
    return number<T>(1);
  }
  template <int numerator, int denominator = 1, class T>
  T ratio(const T&) const {
    if constexpr (Element<T>::kKind == Kind::floating) {
      return T(static_cast<double>(numerator) / denominator);
    } else {
      return div(number<T>(numerator), number<T>(denominator));
    }
  }
  template <int divisor, class T>
  T divided(const T& a) const {
    return compute(a, [](const auto& x) { return x / std::decay_t<decltype(x)>(divisor); });
  }
  template <class T>
  T if_at_most(const T& a, const T& b, const T& x, const T& y) const {
    return identity(is_nan(a) || is_nan(b) || less(b, a) ? y : x);
  }
  template <class T>
  T identity(const T& a) const {
    return compute(a, [](auto x) { return x; });
  }
  template <class T>
  T neg(const T& a) const {
    if constexpr (Element<T>::kKind == Kind::exact) {
      return T{} - a;
    } else {
      return compute(a, [](auto x) { return -x; });
    }
  }
  template <class T>
  T abs(const T& a) const {
    return is_negative(a) ? neg(a) : identity(a);
  }
  template <class T>
  T sign(const T& a) const {
    if constexpr (Element<T>::kKind == Kind::complex) {
      return complex_function(op::Sign::complex_form, a);
    } else {
      if (is_nan(a)) return identity(a);
      const int s = less(a, zero(a)) ? -1 : less(zero(a), a) ? 1 : 0;
      return number<T>(s);
    }
  }
  template <class T>
  T max(const T& a, const T& b) const {
    if (is_nan(a) || is_nan(b)) return identity(is_nan(a) ? a : b);
    return less(a, b) || (is_negative(a) && !less(b, a)) ? b : a;
  }
  template <class T>
  T min(const T& a, const T& b) const {
    if (is_nan(a) || is_nan(b)) return identity(is_nan(a) ? a : b);
    return less(b, a) || (is_negative(b) && !less(a, b)) ? b : a;
  }
  // a * b + c, rounded once.
  template <class T>
  T fma(const T& a, const T& b, const T& c) const {
    if constexpr (Element<T>::kKind == Kind::floating) {
      return fused(a, b, c);
    } else {
      return add(mul(a, b), c);
    }
  }
  template <class T>
  bool eq(const T& a, const T& b) const {
    if constexpr (Element<T>::kKind == Kind::complex) {
      return a == b;
    } else {
      return !is_nan(a) && !is_nan(b) && !less(a, b) && !less(b, a);
    }
  }
  bool lt(const auto& a, const auto& b) const { return less(a, b); }  // false beside NaN
  bool le(const auto& a, const auto& b) const { return less(a, b) || eq(a, b); }
  bool logical_and(bool a, bool b) const { return a && b; }
  bool logical_or(bool a, bool b) const { return a || b; }
  bool logical_xor(bool a, bool b) const { return a != b; }
  bool logical_not(bool a) const { return !a; }
  template <class T>
  bool isnan(const T& a) const {
    return some_part(a, [](double x) { return std::isnan(x); });
  }
  template <class T>
  bool isinf(const T& a) const {
    return some_part(a, [](double x) { return std::isinf(x); });
  }
  template <class T>
  bool isfinite(const T& a) const {
    return !some_part(a, [](double x) { return !std::isfinite(x); });
  }
  template <class T>
  T select(bool condition, const T& a, const T& b) const {
    return identity(condition ? a : b);
  }
  // Where Cast::kDefined.
  template <class To, class From>
  To convert(const From& a) const {
    if constexpr (Cast::kNeedsFinite<To, From>) {
      if (!std::isfinite(static_cast<double>(a))) {
        not_finite_ = true;
        return To{};
      }
    }
    return Cast::convert<To>(a);
  }
  template <class T>
  T floor(const T& a) const {
    return whole(a, [](auto x) { return std::floor(x); });
  }
  template <class T>
  T ceil(const T& a) const {
    return whole(a, [](auto x) { return std::ceil(x); });
  }
  template <class T>
  T round(const T& a) const {
    return whole(a, [](auto x) { return std::nearbyint(x); });  // in ScopedFloatEnv: to even
  }
  template <class T>
  T trunc(const T& a) const {
    return whole(a, [](auto x) { return std::trunc(x); });
  }
  // By multiple precision.
  template <class Function, class T>
  T function(const T& a) const {
    if constexpr (Element<T>::kKind == Kind::complex) {
      return complex_function(Function::complex_form, a);
    } else {
      return op::by_multiple_precision<Function>(a);
    }
  }
  template <class Function, class T>
  T function(const T& a, const T& b) const {
    return op::by_multiple_precision<Function>(a, b);
  }
  template <class T>
  T sqrt(const T& a) const {
    return function<op::Sqrt>(a);
  }
  // Of integers modulo 2^n; with a negative exponent the reciprocal, truncated: 0, unless the base
  // is 1 or -1.
  template <class T>
  T pow(const T& a, const T& b) const {
    if constexpr (Element<T>::kKind == Kind::integer) {
      return power_of_integers(a, b);
    } else if constexpr (Element<T>::kKind == Kind::complex) {
      return complex_power(a, b);
    } else {
      return function<op::Pow>(a, b);
    }
  }
  template <class T>
  T mod(const T& a, const T& b) const {
    if constexpr (Element<T>::kKind == Kind::integer) {
      return remainder_of_integers(a, b, IntDivision::floor);
    } else {
      return function<op::Mod>(a, b);
    }
  }
  template <class T>
  T rem(const T& a, const T& b) const {
    if constexpr (Element<T>::kKind == Kind::integer) {
      return remainder_of_integers(a, b, IntDivision::trunc);
    } else {
      return function<op::Rem>(a, b);
    }
  }

 private:
  template <class T>
  T power_of_integers(const T& base, const T& exponent) const {
    const int128 x = widen(base), n = widen(exponent);
    if (n < 0) {
      zero_divisor_ |= x == 0;
      return T(x == 1 ? 1 : x != -1 ? 0 : n % 2 == 0 ? 1 : -1);
    }
    uint128 result = 1, square = static_cast<uint128>(x);
    for (uint128 bits = static_cast<uint128>(n); bits != 0; bits >>= 1) {
      if ((bits & 1) != 0) result *= square;
      square *= square;
    }
    return wrap<T>(static_cast<int128>(result));
  }
  template <class T>
  T remainder_of_integers(const T& a, const T& b, IntDivision rounding) const {
    const int128 x = widen(a), y = widen(b);
    zero_divisor_ |= y == 0;
    return y == 0 ? a : wrap<T>(x - divide(x, y, rounding) * y);
  }

  // A function that rounds to whole numbers, which integers are.
  template <class T, class F>
  static T whole(const T& a, F f) {
    if constexpr (Element<T>::kKind == Kind::integer) {
      return a;
    } else {
      return compute(a, f);
    }
  }

  // A function of one value, rounded to the type.
  template <class T, class F>
  static T compute(const T& a, F f) {
    return compute(a, a, [&](auto x, auto) { return f(x); });
  }

  template <class T, class F>
  static T compute(const T& a, const T& b, F f) {
    constexpr Kind kKind = Element<T>::kKind;
    if constexpr (kKind == Kind::integer) {
      // Unsigned, because the product of two uint64 does not fit into 127 bits.
      return wrap<T>(
          static_cast<int128>(f(static_cast<uint128>(widen(a)), static_cast<uint128>(widen(b)))));
    } else if constexpr (kKind == Kind::boolean) {
      return f(int{a}, int{b}) != 0;  // as C++ computes with bool
    } else if constexpr (kKind == Kind::complex) {
      const std::complex<typename Element<T>::Part> y = f(a, b);
      return {cx::canonical(y.real()), cx::canonical(y.imag())};
    } else if constexpr (kKind == Kind::exact) {
      return f(a, b);
    } else if constexpr (std::is_class_v<T>) {
      return T(f(static_cast<double>(a), static_cast<double>(b)));  // one rounding: 53 >= 2*11+2
    } else {
      return cx::canonical(f(a, b));
    }
  }

  IntDivision rounding_;
  mutable bool zero_divisor_ = false;
  mutable bool not_finite_ = false;
};

}  // namespace oracle

using oracle::Oracle;

}  // namespace hadamard::op
