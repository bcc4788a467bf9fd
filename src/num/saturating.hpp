// Integers that saturate: the exact result of an operation, rounded half away from zero, and the
// nearest end of the type where it is outside. NaN is 0. All of it is integer arithmetic, so the
// bits are the same on every machine.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/int128.hpp"

namespace hadamard::saturating {

// A number as one of the integer type T.
template <class T, class From>
T from(From x) {
  if constexpr (std::is_same_v<From, bool>) {
    return static_cast<T>(x ? 1 : 0);
  } else if constexpr (std::is_integral_v<From>) {
    if (std::in_range<T>(x)) return static_cast<T>(x);
    return x < From{0} ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  } else if constexpr (sizeof(T) < 8) {
    // Without a branch. What is added is the number below one half, so that only halves and what is
    // above them reach the next integer when truncated.
    using Whole = std::conditional_t<std::is_same_v<T, std::uint32_t>, std::int64_t, std::int32_t>;
    constexpr auto kLow = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto kHigh = static_cast<double>(std::numeric_limits<T>::max());
    auto z = static_cast<double>(x);
    z = z == z ? z : 0;
    z = z < kLow ? kLow : z;
    z = z > kHigh ? kHigh : z;
    return static_cast<T>(static_cast<Whole>(z + std::copysign(0x1.fffffffffffffp-2, z)));
  } else {
    // As floats: the upper bound is the first number above the range, a power of two.
    constexpr auto kLow = static_cast<From>(std::numeric_limits<T>::min());
    constexpr From kAbove = static_cast<From>(std::numeric_limits<T>::max() / 2 + 1) * 2;
    if (!(x > kLow - From{0.5})) return x != x ? T{0} : std::numeric_limits<T>::min();
    if (x >= kAbove) return std::numeric_limits<T>::max();
    // Truncated and put right by the fraction, which is exact; std::round would be a call.
    using Whole = std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>;
    if (std::is_unsigned_v<Whole> && x < From{1}) return x >= From{0.5} ? T{1} : T{0};
    const auto whole = static_cast<Whole>(x);
    const From fraction = x - static_cast<From>(whole);
    if (fraction <= From{-0.5}) return static_cast<T>(whole - 1);
    const bool up = fraction >= From{0.5} && whole != Whole{std::numeric_limits<T>::max()};
    return static_cast<T>(up ? whole + 1 : whole);
  }
}

namespace detail {

inline int length(uint128 x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 128 - std::countl_zero(high)
                   : 64 - std::countl_zero(static_cast<std::uint64_t>(x));
}
inline uint128 size_of(int128 x) {
  return x < 0 ? -static_cast<uint128>(x) : static_cast<uint128>(x);
}

template <class T>
T end(bool negative) {
  return negative ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
template <class T>
T clamped(bool negative, uint128 size) {
  if (size >= size_of(end<T>(negative))) return end<T>(negative);
  return static_cast<T>(negative ? -static_cast<int128>(size) : static_cast<int128>(size));
}
template <class T>
T clamped(int128 x) {
  return clamped<T>(x < 0, size_of(x));
}

inline uint128 rounded_quotient(uint128 n, uint128 d) {
  const uint128 q = n / d, r = n % d;
  return r >= d - r ? q + 1 : q;
}

// n + x
template <class T>
T sum(int128 n, double x) {
  if (!(std::fabs(x) < 0x1p66)) return x != x ? T{0} : end<T>(x < 0);
  const auto whole = static_cast<int128>(x);
  const double fraction = x - static_cast<double>(whole);
  // It is floor + u, with 0 <= u < 1; u is compared with 1/2 without being computed.
  const int128 floor = n + whole - (fraction < 0 ? 1 : 0);
  const double half = fraction < 0 ? -0.5 : 0.5;
  const bool up = fraction > half || (fraction == half && floor >= 0);
  return clamped<T>(fraction != 0 && up ? floor + 1 : floor);
}

// A finite number ±m 2^e, or one that is none.
struct Binary {
  bool negative;
  std::uint64_t m;
  int e;
  enum : std::uint8_t { finite, infinite, nan } kind = finite;
  bool is_zero() const { return kind == finite && m == 0; }
};
inline Binary binary(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<int>(bits >> 52 & 0x7FF);
  std::uint64_t m = bits & 0xF'FFFF'FFFF'FFFF;
  if (exponent == 0x7FF) return {std::signbit(x), 0, 0, m == 0 ? Binary::infinite : Binary::nan};
  if (exponent != 0) m |= std::uint64_t{1} << 52;
  return {std::signbit(x), m, (exponent == 0 ? 1 : exponent) - 1075};
}
template <class T>
requires std::is_integral_v<T> Binary binary(T x) {
  return {x < 0, static_cast<std::uint64_t>(size_of(x)), 0};
}

template <class T>
T product(const Binary& a, const Binary& b) {
  const bool negative = a.negative != b.negative;
  const bool is_infinite = a.kind == Binary::infinite || b.kind == Binary::infinite;
  if (a.kind == Binary::nan || b.kind == Binary::nan) return T{0};
  if (a.is_zero() || b.is_zero()) return T{0};  // 0 times infinity is NaN, which is 0 too
  if (is_infinite) return end<T>(negative);
  const uint128 m = uint128{a.m} * b.m;  // below 2^117: one of them is a float's
  const int e = a.e + b.e;
  if (e >= 0) return length(m) + e > 66 ? end<T>(negative) : clamped<T>(negative, m << e);
  return e < -120 ? T{0} : clamped<T>(negative, rounded_quotient(m, uint128{1} << -e));
}

template <class T>
T quotient(const Binary& a, const Binary& b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Binary::nan || b.kind == Binary::nan) return T{0};
  if (b.kind == Binary::infinite || a.is_zero()) return T{0};  // inf/inf and 0/0 are NaN
  if (a.kind == Binary::infinite || b.is_zero()) return end<T>(negative);
  const int e = a.e - b.e;
  // The quotient of the m is between 2^(size-1) and 2^(size+1).
  const int size = length(a.m) - length(b.m) + e;
  if (size > 64) return end<T>(negative);
  if (size < -1) return T{0};
  // So that what is shifted has at most 64 + 64 bits.
  return clamped<T>(negative, e >= 0 ? rounded_quotient(uint128{a.m} << e, b.m)
                                     : rounded_quotient(a.m, uint128{b.m} << -e));
}

// Whether the quotient of the doubles rounds to the integer that the true one does: doubles hold
// the operands, and it is neither large nor, rounded itself, in the middle of two integers.
template <class A, class B>
bool has_plain_quotient(A a, B b) {
  const auto x = static_cast<double>(a), y = static_cast<double>(b);
  const double twice = 2 * (x / y);
  if (!(std::fabs(x) < 0x1p53 && std::fabs(y) < 0x1p53 && std::fabs(twice) < 0x1p51)) return false;
  const auto whole = static_cast<std::int64_t>(twice);
  return static_cast<double>(whole) != twice || (whole & 1) == 0;
}

template <class T>
T whole_power(T base, std::uint64_t exponent) {
  constexpr uint128 kLarge = uint128{1} << 64;  // and all that is larger
  const auto times = [](uint128 x, uint128 y) {
    if (x == 0 || y == 0) return uint128{0};
    return x == kLarge || y == kLarge || x * y > kLarge ? kLarge : x * y;
  };
  const bool negative = base < 0 && (exponent & 1) != 0;
  uint128 power = 1, square = size_of(base);
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) power = times(power, square);
    square = times(square, square);
  }
  return clamped<T>(negative, power);
}

}  // namespace detail

// Of one integer type.

template <class T>
T add(T a, T b) {
  if constexpr (sizeof(T) < 8) {
    return from<T>(std::int64_t{a} + b);
  } else {
    return detail::clamped<T>(int128{a} + b);
  }
}
template <class T>
T sub(T a, T b) {
  if constexpr (sizeof(T) < 8) {
    return from<T>(std::int64_t{a} - b);
  } else {
    return detail::clamped<T>(int128{a} - b);
  }
}
template <class T>
T mul(T a, T b) {
  return detail::clamped<T>((a < 0) != (b < 0), detail::size_of(a) * detail::size_of(b));
}
// By zero: the end of the type that has the dividend's sign, 0 for 0.
template <class T>
T div(T a, T b) {
  if (b == 0) return a == 0 ? T{0} : detail::end<T>(a < 0);
  const auto n = static_cast<std::uint64_t>(detail::size_of(a));
  const auto d = static_cast<std::uint64_t>(detail::size_of(b));
  const std::uint64_t q = n / d, r = n % d;
  return detail::clamped<T>((a < 0) != (b < 0), uint128{q} + (r >= d - r ? 1 : 0));
}
// Negative exponents: 1 / a^-b, rounded (2^-1 is 1, 3^-1 is 0); 0^-1 is the greatest number.
template <class T>
T pow(T a, T b) {
  const T power = detail::whole_power(a, static_cast<std::uint64_t>(detail::size_of(b)));
  if (b >= 0) return power;
  return a == 0 ? std::numeric_limits<T>::max() : div(T{1}, power);
}
// a where b is 0, else with b's sign.
template <class T>
T mod(T a, T b) {
  if (b == 0) return a;
  const int128 r = int128{a} % b;
  return static_cast<T>(r != 0 && (r < 0) != (b < 0) ? r + b : r);
}
// 0 where b is 0, else with a's sign.
template <class T>
T rem(T a, T b) {
  return b == 0 ? T{0} : static_cast<T>(int128{a} % b);
}

// Of an integer type and a float: the operation of the exact values.

template <class T>
T add(T a, double b) {
  return detail::sum<T>(a, b);
}
template <class T>
T add(double a, T b) {
  return detail::sum<T>(b, a);
}
template <class T>
T sub(T a, double b) {
  return detail::sum<T>(a, -b);
}
template <class T>
T sub(double a, T b) {
  return detail::sum<T>(-int128{b}, a);
}
template <class T>
T mul(T a, double b) {
  return detail::product<T>(detail::binary(a), detail::binary(b));
}
template <class T>
T mul(double a, T b) {
  return mul(b, a);
}
template <class T>
T div(T a, double b) {
  return detail::has_plain_quotient(a, b)
             ? from<T>(static_cast<double>(a) / b)
             : detail::quotient<T>(detail::binary(a), detail::binary(b));
}
template <class T>
T div(double a, T b) {
  return detail::has_plain_quotient(a, b)
             ? from<T>(a / static_cast<double>(b))
             : detail::quotient<T>(detail::binary(a), detail::binary(b));
}
// Powers of an integer with a whole exponent are exact; others are powers of doubles, correctly
// rounded, then rounded to an integer. `power` gives the former.
template <class T, class Power>
T pow(T a, double b, Power power) {
  if (b == std::trunc(b) && std::fabs(b) < 0x1p53) {
    const auto n = static_cast<std::int64_t>(b);
    const T whole = detail::whole_power(a, static_cast<std::uint64_t>(n < 0 ? -n : n));
    return n >= 0 ? whole : a == 0 ? std::numeric_limits<T>::max() : div(T{1}, whole);
  }
  return from<T>(power(static_cast<double>(a), b));
}
// The sign is that of b itself: the double next to an odd number beyond 2^53 may be even.
template <class T, class Power>
T pow(double a, T b, Power power) {
  const double size = power(std::fabs(a), static_cast<double>(b));
  return from<T>(std::signbit(a) && (b & 1) != 0 ? -size : size);
}

}  // namespace hadamard::saturating
