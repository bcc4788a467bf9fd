// Complex multiplication and division, each component correctly rounded.
//
// The result of two finite operands is the exact complex product or quotient, each part rounded
// once to nearest even. So it neither overflows nor underflows nor cancels where the true result
// does not, and its bits are the same whatever computes them. An exact part of zero is +0, unless
// both of its terms are zeros: then it is their IEEE sum.
//
// A real divisor divides part by part: (a+bi)/(c+0i) = a/c + (b/c)i, also where c is zero, infinite
// or NaN. So does an imaginary one, (a+bi)/(0+di) = b/d - (a/d)i, where anything is not finite.
// Other operands with infinities or NaNs follow the C standard's Annex G: infinite times nonzero is
// infinite, infinite by finite is infinite, finite by infinite is zero, all else NaN.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

namespace hadamard::cx {

// By exact rationals: slow, and right by construction.
template <class F>
std::complex<F> exact_mul(std::complex<F> a, std::complex<F> b);
template <class F>
std::complex<F> exact_div(std::complex<F> a, std::complex<F> b);

// x with any NaN made the canonical one.
template <class F>
F canonical(F x) {
  return x != x ? std::numeric_limits<F>::quiet_NaN() : x;
}

template <class F>
std::complex<F> add(std::complex<F> a, std::complex<F> b) {
  return {canonical(a.real() + b.real()), canonical(a.imag() + b.imag())};
}
template <class F>
std::complex<F> sub(std::complex<F> a, std::complex<F> b) {
  return {canonical(a.real() - b.real()), canonical(a.imag() - b.imag())};
}

// The same results as exact_*, from machine arithmetic wherever that can prove its rounding.
inline std::complex<float> mul(std::complex<float> a, std::complex<float> b);
inline std::complex<float> div(std::complex<float> a, std::complex<float> b);
inline std::complex<double> mul(std::complex<double> a, std::complex<double> b);
inline std::complex<double> div(std::complex<double> a, std::complex<double> b);

// How it is proved (Ziv's test): a value known to lie in [x-e, x+e] rounds correctly where both
// ends round to the same number.
namespace detail {

// `x`, off by less than |x| 2^-50, to float. False where its rounding is in doubt or not finite.
inline bool round_to_float(double x, float& result) {
  const double margin = std::fabs(x) * 0x1p-50;
  const auto low = static_cast<float>(x - margin);
  const auto high = static_cast<float>(x + margin);
  result = low;
  return low == high && std::isfinite(low);
}

// An unevaluated sum: hi + lo, off by at most `error`.
struct Sum {
  double hi, lo, error;
  bool is_zero() const { return hi == 0 && lo == 0; }
};

// Products in this range have exactly representable rounding errors.
inline bool safe_product(double x, double y, double product) {
  const double size = std::fabs(product);
  return (size > 0x1p-900 && size < 0x1p+1000) || x == 0 || y == 0;
}

// x*y + sign*u*v.
inline bool sum_of_products(double x, double y, double sign, double u, double v, Sum& sum) {
  const double p = x * y;
  const double q = sign * u * v;
  if (!safe_product(x, y, p) || !safe_product(u, v, q)) return false;
  const double p_low = std::fma(x, y, -p);
  const double q_low = std::fma(sign * u, v, -q);
  const double hi = p + q;
  const double part = hi - p;
  const double rest = (p - (hi - part)) + (q - part);  // hi + rest == p + q
  sum = {hi, rest + (p_low + q_low), (std::fabs(p) + std::fabs(q)) * 0x1p-100};
  return true;
}

inline bool round_sum(const Sum& sum, double& result) {
  if (sum.is_zero()) {
    result = sum.hi;  // with its sign, which adding +0 would lose
    return true;
  }
  result = sum.hi + (sum.lo - sum.error);
  return result == sum.hi + (sum.lo + sum.error);
}

// n / m * 2^scale, where m is positive and normal.
inline bool round_quotient(const Sum& n, const Sum& m, int scale, double& result) {
  if (n.is_zero()) {
    result = n.hi;
    return true;
  }
  const double top = n.hi + n.lo;  // cancellation may have left hi no larger than lo
  const double part = top - n.hi;
  const double below = (n.hi - (top - part)) + (n.lo - part);
  const double q = top / m.hi;
  const double rest = (std::fma(-q, m.hi, top) + below) - q * m.lo;
  const Sum quotient{q, rest / m.hi, std::fabs(q) * 0x1p-98 + n.error / m.hi * 2};
  if (!round_sum(quotient, result)) return false;
  int exponent = 0;
  std::frexp(result, &exponent);
  if (exponent + scale < -1000 || exponent + scale > 1000) return false;
  result = std::ldexp(result, scale);
  return true;
}

// Scales the larger part to [1,2), exactly. False where a part is not finite or would lose bits.
inline bool normalize(std::complex<double> z, double& re, double& im, int& exponent) {
  const double size = std::fmax(std::fabs(z.real()), std::fabs(z.imag()));
  if (!std::isfinite(z.real()) || !std::isfinite(z.imag()) || size == 0) return false;
  exponent = std::ilogb(size);
  re = std::ldexp(z.real(), -exponent);
  im = std::ldexp(z.imag(), -exponent);
  // A part far below the other may have been scaled to nothing: only a true zero is one.
  const auto kept = [](double part, double scaled) {
    return part == 0 || std::fabs(scaled) > 0x1p-400;
  };
  return kept(z.real(), re) && kept(z.imag(), im);
}

}  // namespace detail

inline std::complex<float> mul(std::complex<float> a, std::complex<float> b) {
  const double ar = a.real(), ai = a.imag(), br = b.real(), bi = b.imag();
  float re = 0, im = 0;  // the four products are exact in double
  if (detail::round_to_float(ar * br - ai * bi, re) &&
      detail::round_to_float(ar * bi + ai * br, im)) {
    return {re, im};
  }
  return exact_mul(a, b);
}

inline std::complex<float> div(std::complex<float> a, std::complex<float> b) {
  const double ar = a.real(), ai = a.imag(), br = b.real(), bi = b.imag();
  float re = 0, im = 0;
  bool sure = false;
  if (bi == 0) {
    sure = detail::round_to_float(ar / br, re) && detail::round_to_float(ai / br, im);
  } else {
    const double norm = br * br + bi * bi;
    sure = detail::round_to_float((ar * br + ai * bi) / norm, re) &&
           detail::round_to_float((ai * br - ar * bi) / norm, im);
  }
  return sure ? std::complex<float>{re, im} : exact_div(a, b);
}

inline std::complex<double> mul(std::complex<double> a, std::complex<double> b) {
  detail::Sum re{}, im{};
  double x = 0, y = 0;
  if (detail::sum_of_products(a.real(), b.real(), -1, a.imag(), b.imag(), re) &&
      detail::sum_of_products(a.real(), b.imag(), +1, a.imag(), b.real(), im) &&
      detail::round_sum(re, x) && detail::round_sum(im, y)) {
    return {x, y};
  }
  return exact_mul(a, b);
}

inline std::complex<double> div(std::complex<double> a, std::complex<double> b) {
  if (b.imag() == 0) return {canonical(a.real() / b.real()), canonical(a.imag() / b.real())};
  if (a == std::complex<double>{} && std::isfinite(b.real()) && std::isfinite(b.imag())) {
    return {a.real() * b.real() + a.imag() * b.imag(), a.imag() * b.real() - a.real() * b.imag()};
  }
  double ar = 0, ai = 0, br = 0, bi = 0, x = 0, y = 0;
  int ea = 0, eb = 0;
  detail::Sum re{}, im{}, norm{};
  if (detail::normalize(a, ar, ai, ea) && detail::normalize(b, br, bi, eb) &&
      detail::sum_of_products(ar, br, +1, ai, bi, re) &&
      detail::sum_of_products(ai, br, -1, ar, bi, im) &&
      detail::sum_of_products(br, br, +1, bi, bi, norm) &&
      detail::round_quotient(re, norm, ea - eb, x) &&
      detail::round_quotient(im, norm, ea - eb, y)) {
    return {x, y};
  }
  return exact_div(a, b);
}

}  // namespace hadamard::cx
