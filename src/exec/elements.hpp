// Operators that move elements rather than compute: to another type.
#pragma once

#include "hadamard/tensor.hpp"

namespace hadamard::exec {

// Each element of `from` as one of the type of `to`, by op::Cast. Same shapes, no overlap. Throws
// unsupported_type for a conversion that is not defined.
void convert(const ConstView& from, const View& to);

// The true quotients (num/quotient.hpp) of int64 or uint64 elements; `y` is fp64. Same shapes.
void true_quotients(const ConstView& a, const ConstView& b, const View& y);

// As convert, but to integers of 8 to 64 bits rounded half away from zero and saturated; NaN is 0.
// From real numbers.
void convert_saturated(const ConstView& from, const View& to);

// add, sub, mul, div, pow, mod or rem of 64-bit integers that saturate (num/saturating.hpp). `y` is
// int64 or uint64; an operand is that or fp64. Same shapes, no overlap.
void saturating_integers(Op op, const ConstView& a, const ConstView& b, const View& y);

// The dividends `a` into those elements of `y` where the divisor `b` is 0; of two zeros the
// divisor. NaN stays what it is. All fp32 or all fp64, of one shape.
void put_dividends(const ConstView& a, const ConstView& b, const View& y);

// Whether an element is below `least`; of fp32 or fp64.
bool has_below(const ConstView& a, double least);
// Whether a NaN is there; of fp32 or fp64.
bool has_nan(const ConstView& a);
// Whether an imaginary part is not 0.
bool has_imaginary_part(const ConstView& a);
// Whether a negative base has a finite exponent that is not whole. Both fp32 or fp64.
bool has_complex_power(const ConstView& base, const ConstView& exponent);

// Functions of complex numbers (num/complex_functions.hpp); `y` has the type of `a`.
bool has_complex_function(Op op) noexcept;
void complex_function(Op op, const ConstView& a, const View& y);
void complex_power(const ConstView& base, const ConstView& exponent, const View& y);
void complex_hypot(const ConstView& a, const ConstView& b, const View& y);  // imaginary parts 0
// `real`, as complex numbers, into those elements of `y` where the function of a real number is
// real: where `a` is not below `least`; where a power of the two does not leave the reals.
void put_reals_from(const ConstView& a, double least, const ConstView& real, const View& y);
void put_real_powers(const ConstView& base, const ConstView& exponent, const ConstView& real,
                     const View& y);

}  // namespace hadamard::exec
