#include "num/complex.hpp"

#include "num/exact.hpp"

namespace hadamard::cx {
namespace {

// An exact sum of two terms, rounded; a zero takes the sign that IEEE addition of the terms gives.
template <class F>
F round_part(const Real& exact, F left_term, F right_term) {
  if (!exact.is_zero()) return exact::round_to<F>(exact);
  return left_term == 0 && right_term == 0 ? left_term + right_term : F{0};
}

// A zero with the sign of the product x*y.
template <class F>
F zero_of(F x, F y) {
  return std::copysign(F{0}, std::copysign(F{1}, x) * std::copysign(F{1}, y));
}

// A term x*y of a sum, as far as a zero's sign needs it: an exact zero with its sign, or 1.
template <class F>
F term(F x, F y) {
  return x == 0 || y == 0 ? zero_of(x, y) : F{1};
}

template <class F>
bool finite(std::complex<F> z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}
template <class F>
bool infinite(std::complex<F> z) {
  return std::isinf(z.real()) || std::isinf(z.imag());
}

// Annex G's stand-in for an infinite number: its direction. A NaN part counts as +0.
template <class F>
std::complex<F> direction(std::complex<F> z) {
  const auto part = [](F x) {
    return std::isnan(x) ? F{0} : std::copysign(std::isinf(x) ? F{1} : F{0}, x);
  };
  return {part(z.real()), part(z.imag())};
}
template <class F>
std::complex<F> without_nan(std::complex<F> z) {
  return {std::isnan(z.real()) ? F{0} : z.real(), std::isnan(z.imag()) ? F{0} : z.imag()};
}

// factor * (the products of a and b as multiplication, or division, combines them).
template <class F>
std::complex<F> scaled_mul(F factor, std::complex<F> a, std::complex<F> b) {
  return {canonical(factor * (a.real() * b.real() - a.imag() * b.imag())),
          canonical(factor * (a.real() * b.imag() + a.imag() * b.real()))};
}
template <class F>
std::complex<F> scaled_div(F factor, std::complex<F> a, std::complex<F> b) {
  return {canonical(factor * (a.real() * b.real() + a.imag() * b.imag())),
          canonical(factor * (a.imag() * b.real() - a.real() * b.imag()))};
}

template <class F>
std::complex<F> special_mul(std::complex<F> a, std::complex<F> b) {
  const auto plain = scaled_mul(F{1}, a, b);
  if (!std::isnan(plain.real()) || !std::isnan(plain.imag())) return plain;
  constexpr F kInf = std::numeric_limits<F>::infinity();
  if (infinite(a) && infinite(b)) return scaled_mul(kInf, direction(a), direction(b));
  if (infinite(a)) return scaled_mul(kInf, direction(a), without_nan(b));
  if (infinite(b)) return scaled_mul(kInf, without_nan(a), direction(b));
  return plain;
}

template <class F>
std::complex<F> special_div(std::complex<F> a, std::complex<F> b) {
  constexpr F kNan = std::numeric_limits<F>::quiet_NaN();
  if (b.real() == 0) return {canonical(a.imag() / b.imag()), canonical(-(a.real() / b.imag()))};
  if (infinite(a) && finite(b)) {
    return scaled_div(std::numeric_limits<F>::infinity(), direction(a), b);
  }
  if (finite(a) && infinite(b)) {
    const bool large = std::fabs(a.real()) > 1 || std::fabs(a.imag()) > 1;
    return scaled_div(F{0}, large ? a * F{0.25} : a, direction(b));  // a sum must not overflow
  }
  return {kNan, kNan};
}

}  // namespace

template <class F>
std::complex<F> exact_mul(std::complex<F> a, std::complex<F> b) {
  if (!finite(a) || !finite(b)) return special_mul(a, b);
  const Real ar = exact::value_of(a.real()), ai = exact::value_of(a.imag());
  const Real br = exact::value_of(b.real()), bi = exact::value_of(b.imag());
  return {round_part<F>(ar * br - ai * bi, term(a.real(), b.real()), -term(a.imag(), b.imag())),
          round_part<F>(ar * bi + ai * br, term(a.real(), b.imag()), term(a.imag(), b.real()))};
}

template <class F>
std::complex<F> exact_div(std::complex<F> a, std::complex<F> b) {
  if (b.imag() == 0) return {canonical(a.real() / b.real()), canonical(a.imag() / b.real())};
  if (!finite(a) || !finite(b)) return special_div(a, b);
  const Real ar = exact::value_of(a.real()), ai = exact::value_of(a.imag());
  const Real br = exact::value_of(b.real()), bi = exact::value_of(b.imag());
  const Real norm = br * br + bi * bi;
  return {
      round_part<F>((ar * br + ai * bi) / norm, term(a.real(), b.real()), term(a.imag(), b.imag())),
      round_part<F>((ai * br - ar * bi) / norm, term(a.imag(), b.real()),
                    -term(a.real(), b.imag()))};
}

template std::complex<float> exact_mul(std::complex<float>, std::complex<float>);
template std::complex<double> exact_mul(std::complex<double>, std::complex<double>);
template std::complex<float> exact_div(std::complex<float>, std::complex<float>);
template std::complex<double> exact_div(std::complex<double>, std::complex<double>);

}  // namespace hadamard::cx
