#include "num/composed_functions.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>

namespace hadamard::elementary {

using multiple_precision::Number;
using multiple_precision::rounded_to;

namespace {

void approximate_softplus(Number& x, double a) {
  mpfr_set_d(x, -std::fabs(a), MPFR_RNDN);
  mpfr_exp(x, x, MPFR_RNDN);
  mpfr_log1p(x, x, MPFR_RNDN);
  if (a > 0) mpfr_add_d(x, x, a, MPFR_RNDN);
}

// Near to 0 it is a^3/3: of the difference twice as many bits are lost as a has zeros in front.
void approximate_tanh_shrink(Number& x, double a) {
  const int zeros = std::isfinite(a) && a != 0 ? std::max(0, -std::ilogb(a)) : 0;
  Number t(mpfr_get_prec(x) + 2 * zeros + 64);
  mpfr_set_d(t, a, MPFR_RNDN);
  mpfr_tanh(t, t, MPFR_RNDN);
  mpfr_d_sub(x, a, t, MPFR_RNDN);
}

double clamped(double a) { return std::clamp(a, -40.0, 40.0); }

// Where the value is so near to a number of few bits that growing precision would take long, or
// never end: sets x, of 192 bits, to a number that no float and no middle of two floats separates
// from the value. (Those have at most 54 bits.)
bool beside(Function function, Number& x, double a) {
  const double size = std::fabs(a);
  if (function == Function::swish && size < 0x1p-70) {  // a/2 + a^2/4 - …
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
    mpfr_nextabove(x);
    return true;
  }
  if (function != Function::tanh_shrink) return false;
  if (size < 0x1p-100) {  // |a|^3/3 - 2|a|^5/15 + …; the cube has 159 bits, its third as many or
    mpfr_set_d(x, size, MPFR_RNDN);  // no end, and then it is far from numbers of 54
    mpfr_pow_ui(x, x, 3, MPFR_RNDN);
    mpfr_div_ui(x, x, 3, MPFR_RNDN);
    mpfr_nextbelow(x);
  } else if (size >= 64) {  // |a| - 1 + 2e^-2|a| - …; exact as far as that counts
    mpfr_set_d(x, size, MPFR_RNDN);
    mpfr_sub_ui(x, x, 1, MPFR_RNDN);
    mpfr_nextabove(x);
  } else {
    return false;
  }
  mpfr_setsign(x, x, std::signbit(a) ? 1 : 0, MPFR_RNDN);
  return true;
}

}  // namespace

// Each rounding is at most one unit of the result; none of the functions makes more of an error
// that its operand has.
void approximate(Function function, Number& x, double a) {
  switch (function) {
    case Function::stanh:  // 1.7159 tanh(0.67 a)
      mpfr_set_d(x, a, MPFR_RNDN);
      mpfr_mul_ui(x, x, 67, MPFR_RNDN);
      mpfr_div_ui(x, x, 100, MPFR_RNDN);
      mpfr_tanh(x, x, MPFR_RNDN);
      mpfr_mul_ui(x, x, 17159, MPFR_RNDN);
      mpfr_div_ui(x, x, 10000, MPFR_RNDN);
      return;
    case Function::sigmoid:  // 1 / (1 + e^-a)
    case Function::swish:    // a / (1 + e^-a)
      mpfr_set_d(x, -a, MPFR_RNDN);
      mpfr_exp(x, x, MPFR_RNDN);
      mpfr_add_ui(x, x, 1, MPFR_RNDN);
      mpfr_d_div(x, function == Function::swish ? a : 1, x, MPFR_RNDN);
      return;
    case Function::softplus:
      return approximate_softplus(x, a);
    case Function::logsigmoid:
      approximate_softplus(x, -a);
      mpfr_neg(x, x, MPFR_RNDN);
      return;
    case Function::soft_relu:
      return approximate_softplus(x, clamped(a));
    default:
      return approximate_tanh_shrink(x, a);
  }
}

// That it ends: but for a = 0 the values are transcendental (Lindemann), so no float and no middle
// of two; and those that come nearest to one are either those of `beside` or, of stanh, nearer to
// 1.149653 a than 2^-2200, which six rounds more decide.
double by_growing_precision(Function function, double a, FloatFormat format) {
  if (std::isnan(a)) return a;
  switch (function) {
    case Function::logsigmoid:
      return -by_growing_precision(Function::softplus, -a, format);
    case Function::soft_relu:
      return by_growing_precision(Function::softplus, clamped(a), format);
    case Function::sigmoid:
      if (a == 0) return 0.5;
      if (a == HUGE_VAL) return 1;
      break;
    case Function::softplus:
      if (a == HUGE_VAL) return a;
      break;
    default:
      if (a == 0 || (function == Function::swish && a == HUGE_VAL)) return a;
  }
  // From there down they are zeros of every format, with the sign of the value.
  const bool vanishes = function == Function::sigmoid || function == Function::swish ||
                        function == Function::softplus;
  if (vanishes) a = std::max(a, -2000.0);
  if (Number x(192); beside(function, x, a)) return rounded_to(format, x);
  for (mpfr_prec_t precision = 128;; precision *= 2) {
    Number x(precision), error(8), low(precision), high(precision);
    approximate(function, x, a);
    mpfr_set_ui_2exp(error, 1, mpfr_get_exp(x) - precision + 4, MPFR_RNDN);
    mpfr_sub(low, x, error, MPFR_RNDD);
    mpfr_add(high, x, error, MPFR_RNDU);
    const double below = rounded_to(format, low), above = rounded_to(format, high);
    if (below == above) return above;
  }
}

}  // namespace hadamard::elementary
