// The oracle of integers that saturate: exact rationals, rounded half away from zero. It shares
// nothing with num/saturating.hpp but what infinities and NaN are.
#pragma once

#include <cmath>
#include <type_traits>

#include "base/int128.hpp"
#include "num/exact.hpp"
#include "op/oracle.hpp"
#include "op/oracle_numbers.hpp"
#include "op/saturating_cast.hpp"

namespace hadamard::op::oracle {

template <class T>
Real exact_of(const T& a) {
  if constexpr (Element<T>::kKind == Kind::floating) {
    return exact::value_of(a);
  } else if constexpr (Element<T>::kKind == Kind::exact) {
    return a;
  } else if constexpr (is_packed<T>) {
    return Real(static_cast<std::int64_t>(a.value));
  } else if constexpr (std::is_unsigned_v<T>) {
    return Real::from_unsigned(a);
  } else {
    return Real(static_cast<std::int64_t>(a));
  }
}
template <class T>
double nearest(const T& a) {
  return is_packed<T> ? static_cast<double>(static_cast<std::int64_t>(widen(a)))
                      : static_cast<double>(widen(a));
}
inline double nearest(double a) { return a; }

// The end of the type, or 0 for NaN and for 0.
template <class T>
T end_for(double x) {
  return SaturatingCast::of_exact<T>(x > 0   ? Real::from_unsigned(Element<T>::kMax)
                                     : x < 0 ? Real(Element<T>::kMin)
                                             : Real());
}

template <class To, class From>
To saturated(const From& a) {
  if constexpr (Element<From>::kKind == Kind::floating) {
    const auto x = static_cast<double>(a);
    if (!std::isfinite(x)) return end_for<To>(x);
  }
  return SaturatingCast::of_exact<To>(exact_of(a));
}

template <class A, class B>
using IntegerOf = std::conditional_t<std::is_same_v<A, double>, B, A>;

// f of exact numbers, or of doubles where an operand is none.
template <class A, class B, class F>
IntegerOf<A, B> saturating_result(const A& a, const B& b, bool has_none, F f) {
  using T = IntegerOf<A, B>;
  const double x = nearest(a), y = nearest(b);
  if (has_none || !std::isfinite(x) || !std::isfinite(y)) return end_for<T>(f(x, y));
  return SaturatingCast::of_exact<T>(f(exact_of(a), exact_of(b)));
}

// base^exponent; all powers beyond every type are one.
inline Real whole_power(const Real& base, uint128 exponent) {
  const Real size = base.sign() < 0 ? Real() - base : base;
  if (exponent == 0) return Real(1);
  if (size <= Real(1)) return exponent % 2 == 0 ? size : base;
  const int count =
      exponent > 64 ? 64 + static_cast<int>(exponent % 2) : static_cast<int>(exponent);
  Real power(1);
  for (int i = 0; i < count; ++i) power = power * base;
  return power;
}

template <class T>
T saturating_whole_power(const T& base, bool is_inverse, uint128 exponent) {
  const Real power = whole_power(exact_of(base), exponent);
  if (!is_inverse) return SaturatingCast::of_exact<T>(power);
  return power.is_zero() ? end_for<T>(1) : SaturatingCast::of_exact<T>(Real(1) / power);
}

template <class A, class B>
IntegerOf<A, B> saturating_power(const A& a, const B& b) {
  using T = IntegerOf<A, B>;
  if constexpr (std::is_same_v<A, double>) {
    const double size = by_multiple_precision<Pow>(std::fabs(a), nearest(b));
    const bool is_odd = (widen(b) & 1) != 0;
    return saturated<T>(std::signbit(a) && is_odd ? -size : size);
  } else if constexpr (std::is_same_v<B, double>) {
    const double size = std::fabs(b);
    if (b == std::trunc(b) && size < 0x1p53) {
      return saturating_whole_power(a, b < 0, static_cast<uint128>(size));
    }
    return saturated<T>(by_multiple_precision<Pow>(nearest(a), b));
  } else {
    const int128 n = widen(b);
    return saturating_whole_power(a, n < 0, static_cast<uint128>(n < 0 ? -n : n));
  }
}

// a / b of integers, to nearest even.
template <class T>
double true_quotient_of(const T& a, const T& b) {
  if (widen(a) == 0 || widen(b) == 0) return of_double<double>(nearest(a) / nearest(b));
  return exact::round_to<double>(exact_of(a) / exact_of(b));
}

struct SaturatingOracle {
  auto saturating_add(const auto& a, const auto& b) const {
    return saturating_result(a, b, false, [](const auto& x, const auto& y) { return x + y; });
  }
  auto saturating_sub(const auto& a, const auto& b) const {
    return saturating_result(a, b, false, [](const auto& x, const auto& y) { return x - y; });
  }
  auto saturating_mul(const auto& a, const auto& b) const {
    return saturating_result(a, b, false, [](const auto& x, const auto& y) { return x * y; });
  }
  auto saturating_div(const auto& a, const auto& b) const {
    return saturating_result(a, b, nearest(b) == 0,
                             [](const auto& x, const auto& y) { return x / y; });
  }
  auto saturating_pow(const auto& a, const auto& b) const { return saturating_power(a, b); }
  template <class To>
  To saturating_convert(const auto& a) const {
    return saturated<To>(a);
  }
  double true_div(const auto& a, const auto& b) const { return true_quotient_of(a, b); }
};

}  // namespace hadamard::op::oracle
