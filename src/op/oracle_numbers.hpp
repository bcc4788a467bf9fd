// What the oracle asks of single numbers of any element type.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "base/int128.hpp"
#include "hadamard/types.hpp"
#include "num/dtype.hpp"
#include "num/exact.hpp"

namespace hadamard::op::oracle {

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

template <class T>
T number(int value) {
  if constexpr (Element<T>::kKind == Kind::boolean) {
    return value != 0;
  } else if constexpr (Element<T>::kKind == Kind::floating && std::is_class_v<T>) {
    return T(static_cast<double>(value));
  } else {
    return T(value);
  }
}

template <class T>
T of_double(double value) {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  return T(value);
}
template <class T, class F>
bool some_part(const T& a, F f) {
  if constexpr (Element<T>::kKind == Kind::complex) {
    return f(a.real()) || f(a.imag());
  } else {
    return f(static_cast<double>(a));
  }
}

template <class T>
bool is_nan(const T& value) {
  if constexpr (Element<T>::kKind == Kind::floating) {
    return std::isnan(static_cast<double>(value));
  } else {
    return false;
  }
}
// Also for -0.
template <class T>
bool is_negative(const T& value) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (kKind == Kind::floating) {
    return std::signbit(static_cast<double>(value));
  } else if constexpr (kKind == Kind::exact) {
    return value.sign() < 0;
  } else {
    return widen(value) < 0;
  }
}
template <class T>
bool less(const T& a, const T& b) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (kKind == Kind::floating) {
    return static_cast<double>(a) < static_cast<double>(b);
  } else if constexpr (kKind == Kind::exact) {
    return a < b;
  } else {
    return widen(a) < widen(b);
  }
}

template <class T>
bool is_zero(const T& value) {
  if constexpr (std::is_same_v<T, Real>) {
    return value.is_zero();
  } else {
    return widen(value) == 0;
  }
}

// a * b + c of floats, rounded once.
template <class T>
T fused(const T& a, const T& b, const T& c) {
  const auto x = static_cast<double>(a), y = static_cast<double>(b), z = static_cast<double>(c);
  const double nearest = std::fma(x, y, z);
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z)) return of_double<T>(nearest);
  const Real exact = exact::value_of(a) * exact::value_of(b) + exact::value_of(c);
  // A sum that is exactly zero has the sign that IEEE 754 gives it.
  return exact.is_zero() ? of_double<T>(nearest) : exact::round_to<T>(exact);
}

}  // namespace hadamard::op::oracle
