// The true quotient of two integers.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

#include "base/int128.hpp"

namespace hadamard {

// a / b, rounded once to nearest even. By 0 what floats give: infinities, and NaN for 0 / 0.
template <std::integral A, std::integral B>
double true_quotient(A a, B b) {
  const auto size_of = [](auto x) {
    return x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  };
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  const std::uint64_t n = size_of(a), d = size_of(b);
  if ((n <= kExact && d <= kExact) || n == 0 || d == 0) {
    return static_cast<double>(a) / static_cast<double>(b);
  }
  // At least 63 bits of the quotient; the last says that there are more behind it.
  const int shift = 64 + std::countl_zero(n);
  const uint128 dividend = uint128{n} << shift;
  const uint128 quotient = dividend / d | (dividend % d != 0 ? 1U : 0U);
  const double size = std::ldexp(static_cast<double>(quotient), -shift);
  return (a < 0) != (b < 0) ? -size : size;
}

}  // namespace hadamard
