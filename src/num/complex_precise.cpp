// Complex functions in multiple precision.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "num/complex_functions.hpp"
#include "num/multiple_precision.hpp"

namespace hadamard::cx {
namespace {

using multiple_precision::Number;
using multiple_precision::ScopedLibrary;

// Bits to compute with: every part then has more than 100 that are right.
constexpr mpfr_prec_t kPrecision = 192;
// Sums of two doubles, however far apart, are exact.
constexpr mpfr_prec_t kExact = 2300;

struct Parts {
  Number re, im;
  explicit Parts(mpfr_prec_t precision = kPrecision) : re(precision), im(precision) {}
};

struct Double : Number {
  explicit Double(double x) : Number(53) { mpfr_set_d(*this, x, MPFR_RNDN); }
};

// x y, where 0 times infinity is 0.
void multiply(Number& y, const Number& a, const Number& b) {
  if (mpfr_zero_p(a) != 0 || mpfr_zero_p(b) != 0) {
    mpfr_set_zero(y, (mpfr_signbit(a) != 0) != (mpfr_signbit(b) != 0) ? -1 : 1);
  } else {
    mpfr_mul(y, a, b, MPFR_RNDN);
  }
}

void square_root(Parts& y, double a, double b) {
  Number root(kPrecision), other(kPrecision);
  mpfr_hypot(root, Double(a), Double(b), MPFR_RNDN);
  mpfr_add_d(root, root, std::fabs(a), MPFR_RNDN);
  mpfr_div_2ui(root, root, 1, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDN);
  if (mpfr_zero_p(root) != 0) {
    mpfr_set_zero(y.re, 1);
    mpfr_set_d(y.im, b, MPFR_RNDN);
    return;
  }
  mpfr_div(other, Double(std::fabs(b)), root, MPFR_RNDN);
  mpfr_div_2ui(other, other, 1, MPFR_RNDN);
  Number& re = a >= 0 ? root : other;
  Number& im = a >= 0 ? other : root;
  mpfr_set(y.re, re, MPFR_RNDN);
  mpfr_setsign(y.im, im, std::signbit(b) ? 1 : 0, MPFR_RNDN);
}

// size e^(i angle)
void turn(Parts& y, const Number& size, const Number& angle) {
  Number s(kPrecision), c(kPrecision);
  mpfr_sin_cos(s, c, angle, MPFR_RNDN);
  multiply(y.re, size, c);
  multiply(y.im, size, s);
}

void exponential(Parts& y, double a, double b) {
  Number size(kPrecision);
  mpfr_exp(size, Double(a), MPFR_RNDN);
  turn(y, size, Double(b));
}

void exponential_of_two(Parts& y, double a, double b) {
  Number size(kPrecision), angle(b == 0 ? kPrecision : kPrecision + std::max(0, std::ilogb(b)));
  mpfr_ui_pow(size, 2, Double(a), MPFR_RNDN);
  mpfr_const_log2(angle, MPFR_RNDN);
  mpfr_mul_d(angle, angle, b, MPFR_RNDN);
  turn(y, size, angle);
}

// The real part is expm1(a) cos b - 2 sin(b/2)^2, which may cancel: with as many bits as it takes.
void exponential_less_one(Parts& y, double a, double b) {
  exponential(y, a, b);
  for (mpfr_prec_t precision = kPrecision;; precision *= 2) {
    Number left(precision), right(precision), factor(precision), difference(precision);
    mpfr_expm1(left, Double(a), MPFR_RNDN);
    mpfr_cos(factor, Double(b), MPFR_RNDN);
    multiply(left, left, factor);
    mpfr_div_2ui(right, Double(b), 1, MPFR_RNDN);
    mpfr_sin(right, right, MPFR_RNDN);
    mpfr_sqr(right, right, MPFR_RNDN);
    mpfr_mul_2ui(right, right, 1, MPFR_RNDN);
    mpfr_sub(difference, left, right, MPFR_RNDN);
    const bool is_regular = mpfr_regular_p(difference) != 0 && mpfr_regular_p(left) != 0;
    const bool cancelled = is_regular && mpfr_get_exp(left) - mpfr_get_exp(difference) >
                                             static_cast<mpfr_exp_t>(precision - 120);
    const bool vanished = mpfr_zero_p(difference) != 0 && mpfr_zero_p(left) == 0;
    if ((cancelled || vanished) && precision < 8192) continue;
    mpfr_set(y.re, difference, MPFR_RNDN);
    return;
  }
}

// log |(c, b)| and the angle. |(c, b)|^2 - 1 is the product of the factors and the square of what
// is given last: near 1 without a large term.
void logarithm_of(Parts& y, const Number& c, const Number& b, const Number& left_factor,
                  const Number& right_factor, const Number& square_root_of_rest) {
  Number r(mpfr_get_prec(y.re));
  mpfr_hypot(r, c, b, MPFR_RNDN);
  if (mpfr_cmp_d(r, 0.5) >= 0 && mpfr_cmp_d(r, 2) <= 0) {
    mpfr_fmma(r, left_factor, right_factor, square_root_of_rest, square_root_of_rest, MPFR_RNDN);
    mpfr_log1p(y.re, r, MPFR_RNDN);
    mpfr_div_2ui(y.re, y.re, 1, MPFR_RNDN);
  } else {
    mpfr_log(y.re, r, MPFR_RNDN);
  }
  mpfr_atan2(y.im, b, c, MPFR_RNDN);
}

void logarithm(Parts& y, double a, double b) {
  const double large = std::max(std::fabs(a), std::fabs(b));
  const double small = std::min(std::fabs(a), std::fabs(b));
  Number below(kPrecision), above(kPrecision);  // exact where they are looked at: near 1
  mpfr_sub_ui(below, Double(large), 1, MPFR_RNDN);
  mpfr_add_ui(above, Double(large), 1, MPFR_RNDN);
  logarithm_of(y, Double(a), Double(b), below, above, Double(small));
}

// |1 + z|^2 - 1 is a (a + 2) + b^2.
void logarithm_of_one_more(Parts& y, double a, double b) {
  Number one_more(kExact), two_more(kExact);
  mpfr_add_ui(one_more, Double(a), 1, MPFR_RNDN);
  mpfr_add_ui(two_more, Double(a), 2, MPFR_RNDN);
  if (mpfr_zero_p(one_more) != 0 && b == 0) {
    mpfr_set_inf(y.re, -1);
    mpfr_set_d(y.im, b, MPFR_RNDN);
    return;
  }
  logarithm_of(y, one_more, Double(b), Double(a), two_more, Double(b));
}

void divide_both(Parts& y, const Number& divisor) {
  mpfr_div(y.re, y.re, divisor, MPFR_RNDN);
  mpfr_div(y.im, y.im, divisor, MPFR_RNDN);
}

// sin a cosh b, cos a sinh b or cos a cosh b, -sin a sinh b.
void sine(Parts& y, double a, double b, bool of_cosine) {
  Number s(kPrecision), c(kPrecision), sh(kPrecision), ch(kPrecision);
  mpfr_sin_cos(s, c, Double(a), MPFR_RNDN);
  mpfr_sinh_cosh(sh, ch, Double(b), MPFR_RNDN);
  if (of_cosine) mpfr_neg(s, s, MPFR_RNDN);
  multiply(y.re, of_cosine ? c : s, ch);
  multiply(y.im, of_cosine ? s : c, sh);
}

// (sinh a cosh a + i sin b cos b) / (sinh(a)^2 + cos(b)^2)
void hyperbolic_tangent(Parts& y, double a, double b) {
  Number s(kPrecision), c(kPrecision), sh(kPrecision), ch(kPrecision), norm(kPrecision);
  mpfr_sin_cos(s, c, Double(b), MPFR_RNDN);
  multiply(y.im, s, c);
  if (std::fabs(a) > 5000) {  // what is beyond has no room even here
    mpfr_set_si(y.re, a < 0 ? -1 : 1, MPFR_RNDN);
    mpfr_exp(norm, Double(-2 * std::min(std::fabs(a), 1e15)), MPFR_RNDN);
    mpfr_mul_2ui(norm, norm, 2, MPFR_RNDN);
    multiply(y.im, y.im, norm);
    return;
  }
  mpfr_sinh_cosh(sh, ch, Double(a), MPFR_RNDN);
  mpfr_fmma(norm, sh, sh, c, c, MPFR_RNDN);
  multiply(y.re, sh, ch);
  divide_both(y, norm);
}

void evaluate(Function which, Parts& y, double a, double b) {
  Number number(kPrecision);
  switch (which) {
    case Function::sqrt:
      return square_root(y, a, b);
    case Function::exp:
      return exponential(y, a, b);
    case Function::exp2:
      return exponential_of_two(y, a, b);
    case Function::expm1:
      return exponential_less_one(y, a, b);
    case Function::log:
      return logarithm(y, a, b);
    case Function::log1p:
      return logarithm_of_one_more(y, a, b);
    case Function::log2:
      logarithm(y, a, b);
      mpfr_const_log2(number, MPFR_RNDN);
      return divide_both(y, number);
    case Function::log10:
      logarithm(y, a, b);
      mpfr_log_ui(number, 10, MPFR_RNDN);
      return divide_both(y, number);
    case Function::tanh:
      return hyperbolic_tangent(y, a, b);
    case Function::sin:
    case Function::cos:
      return sine(y, a, b, which == Function::cos);
    case Function::sign:
      mpfr_set_d(y.re, a, MPFR_RNDN);
      mpfr_set_d(y.im, b, MPFR_RNDN);
      if (a == 0 && b == 0) return;
      mpfr_hypot(number, Double(a), Double(b), MPFR_RNDN);
      return divide_both(y, number);
  }
}

// --- Powers

void multiply(Parts& y, const Parts& a, const Parts& b) {
  Parts product;
  mpfr_fmms(product.re, a.re, b.re, a.im, b.im, MPFR_RNDN);
  mpfr_fmma(product.im, a.re, b.im, a.im, b.re, MPFR_RNDN);
  mpfr_swap(y.re, product.re);
  mpfr_swap(y.im, product.im);
}

void whole_power(Parts& y, double a, double b, int exponent) {
  Parts square;
  mpfr_set_d(square.re, a, MPFR_RNDN);
  mpfr_set_d(square.im, b, MPFR_RNDN);
  mpfr_set_ui(y.re, 1, MPFR_RNDN);
  mpfr_set_ui(y.im, 0, MPFR_RNDN);
  for (auto n = static_cast<unsigned>(std::abs(exponent)); n != 0; n >>= 1) {
    if ((n & 1) != 0) multiply(y, y, square);
    if (n > 1) multiply(square, square, square);
  }
  if (exponent > 0) return;
  Number norm(kPrecision);
  mpfr_fmma(norm, y.re, y.re, y.im, y.im, MPFR_RNDN);
  mpfr_neg(y.im, y.im, MPFR_RNDN);
  divide_both(y, norm);
}

// Of a real number: |a|^p, turned by p half turns where a is negative.
void power_of_real(Parts& y, double a, bool upper, double p) {
  Number size(kPrecision), s(kPrecision), c(kPrecision);
  mpfr_pow(size, Double(std::fabs(a)), Double(p), MPFR_RNDN);
  mpfr_sinu(s, Double(a < 0 ? p : 0), 2, MPFR_RNDN);
  mpfr_cosu(c, Double(a < 0 ? p : 0), 2, MPFR_RNDN);
  if (!upper) mpfr_neg(s, s, MPFR_RNDN);
  multiply(y.re, size, c);
  multiply(y.im, size, s);
}

void general_power(Parts& y, double a, double b, double p, double q) {
  // The angle and the logarithm of the size count with what is before their point, too.
  const int large = std::max({0, std::ilogb(std::fabs(p) + 1), std::ilogb(std::fabs(q) + 1)});
  Parts log(kPrecision + large + 16), t(kPrecision + large + 16);
  logarithm(log, a, b);
  const Double re(p), im(q);
  mpfr_fmms(t.re, re, log.re, im, log.im, MPFR_RNDN);
  mpfr_fmma(t.im, re, log.im, im, log.re, MPFR_RNDN);
  Number size(kPrecision);
  mpfr_exp(size, t.re, MPFR_RNDN);
  turn(y, size, t.im);
}

template <class F>
F to_float(const Number& x) {
  if (mpfr_nan_p(x) != 0) return std::numeric_limits<F>::quiet_NaN();
  if constexpr (std::is_same_v<F, float>) {
    return mpfr_get_flt(x, MPFR_RNDN);
  } else {
    return mpfr_get_d(x, MPFR_RNDN);
  }
}

}  // namespace

template <class F>
std::complex<F> precise_function(Function which, std::complex<F> z) {
  const ScopedLibrary state;
  Parts y;
  evaluate(which, y, z.real(), z.imag());
  return {to_float<F>(y.re), to_float<F>(y.im)};
}

template <class F>
std::complex<F> precise_power(std::complex<F> base, std::complex<F> exponent) {
  const ScopedLibrary state;
  Parts y;
  const double a = base.real(), b = base.imag(), p = exponent.real(), q = exponent.imag();
  if (q == 0 && p == std::trunc(p) && std::fabs(p) <= kLargestWholePower) {
    whole_power(y, a, b, static_cast<int>(p));
  } else if (q == 0 && b == 0) {
    power_of_real(y, a, !std::signbit(b), p);
  } else {
    general_power(y, a, b, p, q);
  }
  return {to_float<F>(y.re), to_float<F>(y.im)};
}

template <class F>
F precise_hypot(std::complex<F> x, std::complex<F> y) {
  // Sums of squares of doubles are exact, and their roots no nearer to the middle between two
  // doubles than this shows.
  constexpr mpfr_prec_t kBits = 2 * kExact;
  const ScopedLibrary state;
  Number sum(kBits), square(kBits);
  mpfr_set_zero(sum, 1);
  for (const F part : {x.real(), x.imag(), y.real(), y.imag()}) {
    mpfr_sqr(square, Double(part), MPFR_RNDN);
    mpfr_add(sum, sum, square, MPFR_RNDN);
  }
  mpfr_sqrt(sum, sum, MPFR_RNDN);
  return to_float<F>(sum);
}

template std::complex<float> precise_function(Function, std::complex<float>);
template std::complex<double> precise_function(Function, std::complex<double>);
template std::complex<float> precise_power(std::complex<float>, std::complex<float>);
template std::complex<double> precise_power(std::complex<double>, std::complex<double>);
template float precise_hypot(std::complex<float>, std::complex<float>);
template double precise_hypot(std::complex<double>, std::complex<double>);

}  // namespace hadamard::cx
