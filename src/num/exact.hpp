// Between binary floating point and exact rationals: the arithmetic that nothing can be wrong
// about.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hadamard/types.hpp"
#include "num/dtype.hpp"

namespace hadamard::exact {

bool is_nan(std::uint64_t bits, FloatFormat format) noexcept;
bool is_inf(std::uint64_t bits, FloatFormat format) noexcept;
bool is_finite(std::uint64_t bits, FloatFormat format) noexcept;
bool is_subnormal(std::uint64_t bits, FloatFormat format) noexcept;

// The value of a finite bit pattern (either zero is 0). Precondition: is_finite.
Real value_of(std::uint64_t bits, FloatFormat format);

// The bit pattern nearest to `value`, ties to even; overflow gives infinity, as IEEE 754 rounds.
// A zero `value` gives +0; a nonzero one that rounds to zero keeps its sign.
std::uint64_t round_to(const Real& value, FloatFormat format);

// The weight of the last place of `value` in `format` (that of the smallest subnormal, below it;
// above the largest finite number, as if the exponent had no upper limit).
Real ulp_of(const Real& value, FloatFormat format);

// How many representable numbers lie between two bit patterns (+0 and -0 are the same number, and
// infinity follows the largest finite one). Both NaN: 0; one NaN: 2^64-1.
std::uint64_t ulp_distance(std::uint64_t a, std::uint64_t b, FloatFormat format) noexcept;

// The integer that is next to `value` towards zero, modulo 2^64.
std::uint64_t truncated_bits(const Real& value);

// An integer from its digits of base 16, after a '-' where it is negative; and the two of a
// fraction as such. In nearly linear time, which decimal digits are not to be had in.
Real integer_of_hex(std::string_view digits);
struct HexFraction {
  std::string numerator, denominator;
};
HexFraction hex_of(const Real& value);

// The bits of a float of ours, and back.
template <class F>
std::uint64_t bits_of(F value) noexcept;
template <class F>
F from_bits(std::uint64_t bits) noexcept;

template <class F>
Real value_of(F value) {
  return value_of(bits_of(value), Element<F>::kFormat);
}
template <class F>
F round_to(const Real& value) {
  return from_bits<F>(round_to(value, Element<F>::kFormat));
}

template <class F>
std::uint64_t bits_of(F value) noexcept {
  if constexpr (std::is_class_v<F>) {
    return value.bits;
  } else {
    return __builtin_bit_cast(typename Element<F>::Bits, value);
  }
}
template <class F>
F from_bits(std::uint64_t bits) noexcept {
  using Bits = typename Element<F>::Bits;
  return __builtin_bit_cast(F, static_cast<Bits>(bits));
}

}  // namespace hadamard::exact
