// The world of single machine values: what each operation means, element type by element type.
//
// This is the oracle. It shares no arithmetic with the SIMD world: integers are computed in 128
// bits and wrapped, 16-bit floats in double and rounded once, complex numbers in exact rationals.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "base/int128.hpp"
#include "hadamard/options.hpp"
#include "num/complex.hpp"
#include "num/dtype.hpp"

namespace hadamard::exec::ref {

template <class T>
int128 widen(T value) {
  if constexpr (is_packed<T>) {
    return value.value;
  } else {
    return value;
  }
}

// The integer of type T that is congruent to `value` modulo 2^n.
template <class T>
T wrap(int128 value) {
  if constexpr (is_packed<T>) {
    return T(static_cast<std::int64_t>(value & 15));
  } else {
    return static_cast<T>(static_cast<std::uint64_t>(value));
  }
}

inline int128 divide(int128 a, int128 b, IntDivision rounding) {
  const int128 quotient = a / b;
  const bool exact = quotient * b == a;
  const bool negative = (a < 0) != (b < 0);
  return rounding == IntDivision::floor && !exact && negative ? quotient - 1 : quotient;
}

class World {
 public:
  explicit World(IntDivision rounding) : rounding_(rounding) {}

  // Whether a divisor was zero where the type has no answer for that.
  bool zero_divisor() const noexcept { return zero_divisor_; }

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

 private:
  template <class T>
  static bool is_zero(const T& value) {
    if constexpr (std::is_same_v<T, Real>) {
      return value.is_zero();
    } else {
      return widen(value) == 0;
    }
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
};

}  // namespace hadamard::exec::ref
