// The oracle on complex numbers: functions by multiple precision, where the operands are finite;
// the others have the answers of num/complex_functions.hpp, which its tests check.
#pragma once

#include <cmath>
#include <complex>

#include "base/float_env.hpp"
#include "num/complex.hpp"
#include "num/complex_functions.hpp"

namespace hadamard::op::oracle {

template <class F>
bool is_finite(std::complex<F> z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

template <class F>
std::complex<F> complex_function(cx::Function which, std::complex<F> z) {
  const ScopedExtendedPrecision precision;
  return is_finite(z) ? cx::precise_function(which, z) : cx::function(which, z);
}

template <class F>
std::complex<F> complex_power(std::complex<F> base, std::complex<F> exponent) {
  using C = std::complex<F>;
  const ScopedExtendedPrecision precision;
  // Products and quotients are another part's matter.
  const bool is_plain =
      exponent == C(0) || exponent == C(1) || exponent == C(2) || exponent == C(-1);
  if (is_plain || base == C(0) || !is_finite(base) || !is_finite(exponent)) {
    return cx::power(base, exponent);
  }
  return cx::precise_power(base, exponent);
}

template <class F>
F complex_hypot(std::complex<F> a, std::complex<F> b) {
  const ScopedExtendedPrecision precision;
  return is_finite(a) && is_finite(b) ? cx::precise_hypot(a, b) : cx::hypot(a, b);
}

struct ComplexOracle {
  template <class F>
  F real(const std::complex<F>& a) const {
    return cx::canonical(a.real());
  }
  template <class F>
  F imag(const std::complex<F>& a) const {
    return cx::canonical(a.imag());
  }
  template <class F>
  std::complex<F> conj(const std::complex<F>& a) const {
    return {cx::canonical(a.real()), cx::canonical(-a.imag())};
  }
  template <class F>
  std::complex<F> from_parts(const F& a, const F& b) const {
    return {cx::canonical(a), cx::canonical(b)};
  }
  template <class F>
  F complex_hypot(const std::complex<F>& a, const std::complex<F>& b) const {
    return oracle::complex_hypot(a, b);
  }
};

}  // namespace hadamard::op::oracle
