#include "num/complex_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "num/complex.hpp"

namespace hadamard::cx {
namespace {

using Real = long double;
using Wide = std::complex<Real>;

constexpr Real kLn2 = std::numbers::ln2_v<Real>;

// The C library's long double functions are good to a few units of 2^-64 (op/rounded.hpp); 2^-60 is
// 16 of them, and covers the few operations that are made of them here.
constexpr Real kUnit = 0x1p-60L;

// What machine arithmetic makes of a function, and how far each part may be off.
struct Estimate {
  Real re, im;
  Real re_error, im_error;
};
// Added to an error where the angle has one: of what vanished, the sign is open.
constexpr Real kLeast = std::numeric_limits<Real>::denorm_min();

// An infinity is a product whose factors have no error that matters: the true one has no room in a
// double either.
Real unit_of(Real x) { return std::isinf(x) ? 0 : std::fabs(x) * kUnit; }
Estimate good_to_a_unit(Real re, Real im) { return {re, im, unit_of(re), unit_of(im)}; }

// x y, where 0 times infinity is 0: an infinity is a finite number that has no room.
Real times(Real x, Real y) {
  return x == 0 || y == 0 ? std::copysign(Real{0}, x) * std::copysign(Real{1}, y) : x * y;
}

Estimate sqrt_of(Real a, Real b) {
  const Real root = std::sqrt((std::hypot(a, b) + std::fabs(a)) / 2);
  if (root == 0) return {0, b, 0, 0};
  const Real other = std::fabs(b) / (2 * root);
  return a >= 0 ? good_to_a_unit(root, std::copysign(other, b))
                : good_to_a_unit(other, std::copysign(root, b));
}

// Near |z| = 1, |z|^2 - 1 is computed without a large term.
Estimate log_of(Real a, Real b) {
  const Real r = std::hypot(a, b), angle = std::atan2(b, a);
  Estimate y = good_to_a_unit(0, angle);
  if (r >= 0.5L && r <= 2) {
    const Real large = std::max(std::fabs(a), std::fabs(b));
    const Real small = std::min(std::fabs(a), std::fabs(b));
    const Real product = (large - 1) * (large + 1), square = small * small;
    y.re = std::log1p(product + square) / 2;
    y.re_error = (std::fabs(product) + square + std::fabs(y.re)) * kUnit;
  } else {
    y.re = std::log(r);
    y.re_error = std::fabs(y.re) * kUnit;
  }
  return y;
}
Estimate scaled(Estimate y, Real factor) {
  return {y.re * factor, y.im * factor, y.re_error * factor * 2, y.im_error * factor * 2};
}

Estimate log1p_of(Real a, Real b) {
  const Real left = a * (2 + a), square = b * b, norm = (1 + a) * (1 + a) + square;
  Estimate y{};
  y.re = std::log1p(left + square) / 2;
  y.re_error = ((std::fabs(left) + square) / norm + std::fabs(y.re)) * kUnit;
  y.im = std::atan2(b, 1 + a);
  y.im_error = (std::fabs(y.im) + std::max(Real{1}, std::fabs(a)) * std::fabs(b) / norm) * kUnit;
  return y;
}

Estimate expm1_of(Real a, Real b) {
  const Real left = times(std::expm1(a), std::cos(b)), half = std::sin(b / 2);
  const Real right = 2 * half * half;
  const Real im = times(std::exp(a), std::sin(b));
  return {left - right, im, unit_of(std::fabs(left) + right), unit_of(im)};
}

Estimate exp2_of(Real a, Real b) {
  const Real size = std::exp2(a), angle = b * kLn2;
  const Real error = size * (std::fabs(angle) + 1) * kUnit + (b == 0 ? 0 : kLeast);
  return {times(size, std::cos(angle)), times(size, std::sin(angle)), error, b == 0 ? 0 : error};
}

Estimate tanh_of(Real a, Real b) {
  const Real s = std::sin(b), c = std::cos(b);
  if (std::fabs(a) > 5000) {  // the squares below would have no room
    return {std::copysign(Real{1}, a), times(4 * s * c, std::exp(-2 * std::fabs(a))), kUnit, 0};
  }
  const Real sh = std::sinh(a), norm = sh * sh + c * c;
  return good_to_a_unit(sh * std::cosh(a) / norm, s * c / norm);
}

Estimate estimated(Function which, Real a, Real b) {
  switch (which) {
    case Function::sqrt:
      return sqrt_of(a, b);
    case Function::exp:
      return good_to_a_unit(times(std::exp(a), std::cos(b)), times(std::exp(a), std::sin(b)));
    case Function::log:
      return log_of(a, b);
    case Function::log2:
      return scaled(log_of(a, b), 1 / kLn2);
    case Function::log10:
      return scaled(log_of(a, b), std::numbers::log10e_v<Real>);
    case Function::log1p:
      return log1p_of(a, b);
    case Function::expm1:
      return expm1_of(a, b);
    case Function::exp2:
      return exp2_of(a, b);
    case Function::tanh:
      return tanh_of(a, b);
    case Function::sin:
      return good_to_a_unit(times(std::sin(a), std::cosh(b)), times(std::cos(a), std::sinh(b)));
    case Function::cos:
      return good_to_a_unit(times(std::cos(a), std::cosh(b)), times(-std::sin(a), std::sinh(b)));
    case Function::sign: {
      const Real r = std::hypot(a, b);
      return r == 0 ? Estimate{a, b, 0, 0} : good_to_a_unit(a / r, b / r);
    }
  }
  return {};
}

// Of operands that are not finite: only the kind of the result matters.
Wide unbounded(Function which, const Wide& z) {
  switch (which) {
    case Function::sqrt:
      return std::sqrt(z);
    case Function::exp:
      return std::exp(z);
    case Function::log:
      return std::log(z);
    case Function::log2:
      return std::log(z) / kLn2;
    case Function::log10:
      return std::log10(z);
    case Function::log1p:
      return std::log(Wide(1) + z);
    case Function::expm1:
      return std::exp(z) - Wide(1);
    case Function::exp2:
      return std::exp(z * kLn2);
    case Function::tanh:
      return std::tanh(z);
    case Function::sin:
      return std::sin(z);
    case Function::cos:
      return std::cos(z);
    case Function::sign:
      return z / std::abs(z);
  }
  return z;
}

template <class F>
F canonical(Real x) {
  return x != x ? std::numeric_limits<F>::quiet_NaN() : static_cast<F>(x);
}
template <class F>
std::complex<F> canonical(const Wide& z) {
  return {canonical<F>(z.real()), canonical<F>(z.imag())};
}

template <class F>
bool is_finite(const std::complex<F>& z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

// The number that all of [value - error, value + error] round to, with its sign.
template <class F>
std::optional<F> rounded(Real value, Real error) {
  const auto low = static_cast<F>(value - error), high = static_cast<F>(value + error);
  if (error != 0 && std::signbit(low) != std::signbit(high)) return std::nullopt;
  return low == high ? std::optional<F>(static_cast<F>(value)) : std::nullopt;  // not for NaN
}
template <class F>
std::optional<std::complex<F>> rounded(const Estimate& y) {
  const std::optional<F> re = rounded<F>(y.re, y.re_error), im = rounded<F>(y.im, y.im_error);
  if (!re || !im) return std::nullopt;
  return std::complex<F>(*re, *im);
}

// --- Powers

bool is_whole(Real x) { return x == std::trunc(x) && std::fabs(x) <= kLargestWholePower; }

Estimate within(const Wide& y, Real relative_error) {
  const Real error = std::hypot(y.real(), y.imag()) * relative_error;
  return {y.real(), y.imag(), error, error};
}

Wide product(const Wide& x, const Wide& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

Estimate whole_power(const Wide& z, int exponent) {
  Wide power = 1, square = z;
  for (auto n = static_cast<unsigned>(std::abs(exponent)); n != 0; n >>= 1) {
    if ((n & 1) != 0) power = product(power, square);
    square = product(square, square);
  }
  if (exponent < 0) {
    const Real norm = power.real() * power.real() + power.imag() * power.imag();
    power = {power.real() / norm, -power.imag() / norm};
  }
  return within(power, static_cast<Real>(std::abs(exponent) + 1) * kUnit);
}

// Of operands that are not finite.
Wide unbounded_power(const Wide& z, const Wide& p) {
  if (p.imag() != 0 || !is_whole(p.real())) return std::pow(z, p);
  Wide power = 1, square = z;  // products of the language: infinite times nonzero is infinite
  for (auto n = static_cast<unsigned>(std::fabs(p.real())); n != 0; n >>= 1) {
    if ((n & 1) != 0) power *= square;
    square *= square;
  }
  return p.real() < 0 ? Wide(1) / power : power;
}

Estimate power_of(const Wide& z, const Wide& p) {
  if (p.imag() == 0 && is_whole(p.real())) return whole_power(z, static_cast<int>(p.real()));
  const Estimate l = log_of(z.real(), z.imag());
  const Wide t = product(p, Wide(l.re, l.im));
  const Real pr = std::fabs(p.real()), pi = std::fabs(p.imag());
  const Real lr = std::fabs(l.re) * kUnit + l.re_error, li = std::fabs(l.im) * kUnit + l.im_error;
  const Real stretch = pr * lr + pi * li + kUnit;  // of the size, relative
  const Real turn = pr * li + pi * lr;             // of the angle
  const Real size = std::exp(t.real());
  const Real re = size * std::cos(t.imag()), im = size * std::sin(t.imag());
  return {re, im, std::fabs(re) * stretch + std::fabs(im) * turn + kLeast,
          std::fabs(im) * stretch + std::fabs(re) * turn + kLeast};
}

}  // namespace

template <class F>
std::complex<F> function(Function which, std::complex<F> z) {
  if (!is_finite(z)) return canonical<F>(unbounded(which, Wide(z.real(), z.imag())));
  const auto sure = rounded<F>(estimated(which, z.real(), z.imag()));
  return sure ? *sure : precise_function(which, z);
}

template <class F>
std::complex<F> power(std::complex<F> base, std::complex<F> exponent) {
  const Wide z(base.real(), base.imag()), p(exponent.real(), exponent.imag());
  if (p == Wide(0)) return 1;
  if (z == Wide(0)) return p.real() > 0 ? F{0} : std::numeric_limits<F>::infinity();
  if (!is_finite(base) || !is_finite(exponent)) return canonical<F>(unbounded_power(z, p));
  if (p == Wide(1)) return base;
  if (p == Wide(2)) return mul(base, base);
  if (p == Wide(-1)) return div(std::complex<F>(1), base);
  const auto sure = rounded<F>(power_of(z, p));
  return sure ? *sure : precise_power(base, exponent);
}

template <class F>
F hypot(std::complex<F> x, std::complex<F> y) {
  const Real parts[] = {x.real(), x.imag(), y.real(), y.imag()};
  Real sum = 0;  // long double has room for the squares of all doubles
  for (const Real part : parts) {
    if (std::isinf(part)) return std::numeric_limits<F>::infinity();
    sum += part * part;
  }
  if (std::isnan(sum)) return std::numeric_limits<F>::quiet_NaN();
  const Real root = std::sqrt(sum);
  const auto sure = rounded<F>(root, root * kUnit);
  return sure ? *sure : precise_hypot(x, y);
}

template std::complex<float> function(Function, std::complex<float>);
template std::complex<double> function(Function, std::complex<double>);
template std::complex<float> power(std::complex<float>, std::complex<float>);
template std::complex<double> power(std::complex<double>, std::complex<double>);
template float hypot(std::complex<float>, std::complex<float>);
template double hypot(std::complex<double>, std::complex<double>);

}  // namespace hadamard::cx
