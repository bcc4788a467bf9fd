// What exact rationals are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "hadamard/types.hpp"

namespace hadamard::exact {

// How many bits a significand needs to hold the number exactly; 0 for one that no binary
// significand holds (1/5). Zero needs 1.
std::size_t significand_bits(const Real& value);

// The bits of numerator and denominator together.
std::size_t size_in_bits(const Real& value);

// A decimal where the number is one of at most `digits` decimals ("0.2"), else a fraction ("1/3").
std::string decimal_or_fraction(const Real& value, int digits);

// Replaces `base` and `exponent` = p/q by the q-th root of the base and p, where that root is a
// floating-point number and q is not a power of two: base^exponent is then the power of two exact
// binary numbers. Precondition: `base` is positive and finite.
void take_exact_root(double& base, Real& exponent);

}  // namespace hadamard::exact
