// == ~= < <= > >= & | ~: what makes logicals of numbers.
#pragma once

#include <compare>
#include <complex>

#include "matlab/language.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

// By value, exactly, whatever the classes: int64(2^53+1) is not 2^53. Throws Fault for sizes that
// do not fit.
Value comparison(Operator op, const Value& a, const Value& b);
// & or |
Value logic(Operator op, const Value& a, const Value& b);
Value negation(const Value& a);

// The order of complex numbers, as Octave has it: by modulus, then by angle in (-pi, pi]. Numbers
// that are equal, whatever the signs of their zeros, are equal here. Unordered where a NaN decides.
std::partial_ordering ordered(std::complex<double> x, std::complex<double> y);

}  // namespace hadamard::matlab
