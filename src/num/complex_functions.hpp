// Functions of complex numbers.
//
// Error bounds, for finite operands, F being float or double:
//   function()  each part is the true value, computed to 100 bits and more, rounded once: off by at
//               most 0.5 ulp + 2^-40 ulp of that part, wherever it lies: near branch cuts, where
//               terms cancel (log near |z| = 1, expm1 and log1p near 0), without an overflow or
//               underflow that the result has not.
//   power()     each part is off by at most 0.5 ulp of that part + 2^-100 |result|. Whole exponents
//               up to kLargestWholePower are computed by multiplication: a power that is
//               representable is exact. So is one of a negative number with a half-whole exponent
//               in its part that is 0.
//   hypot()     is the true value rounded once: off by at most 0.5 ulp.
// The bits are the same on every machine. Infinities and NaN are those of the C standard's Annex G.
//
// Machine arithmetic decides nearly always, multiple precision where its bound does not.
#pragma once

#include <complex>
#include <cstdint>

namespace hadamard::cx {

enum class Function : std::uint8_t {
  sqrt,
  exp,
  log,
  tanh,
  log2,
  log10,
  log1p,
  expm1,
  exp2,
  sin,
  cos,
  sign,  // z / |z|, 0 for 0
};

// Both need the default floating-point environment (ScopedFloatEnv) and
// ScopedExtendedPrecision.
template <class F>
std::complex<F> function(Function which, std::complex<F> z);

// z to the power 0 is 1; 0 to another one is 0, or infinite where the exponent's real part is not
// above 0.
template <class F>
std::complex<F> power(std::complex<F> base, std::complex<F> exponent);

// sqrt(|x|^2 + |y|^2), without an overflow or underflow that the result has not. Infinite where a
// part is, also beside NaN.
template <class F>
F hypot(std::complex<F> x, std::complex<F> y);

// Exponents that are multiplications.
inline constexpr int kLargestWholePower = 1 << 30;

// By multiple precision alone: slow, for tests.
template <class F>
std::complex<F> precise_function(Function which, std::complex<F> z);
template <class F>
std::complex<F> precise_power(std::complex<F> base, std::complex<F> exponent);
template <class F>
F precise_hypot(std::complex<F> x, std::complex<F> y);

}  // namespace hadamard::cx
