// Numbers of MPFR as values: what the oracles in op/*.hpp are computed with.
#pragma once

#include <algorithm>
#include <optional>

#include "num/multiple_precision.hpp"

namespace hadamard::multiple_precision {

// A number and what is known of its error. An operation rounds once, to the precision of its widest
// operand. Needs a ScopedLibrary.
class Value {
 public:
  Value(int x) : Value(x, 64) {}  // NOLINT: the numbers of a formula
  Value(double x, mpfr_prec_t precision) : number_(precision) {
    ternary_ = mpfr_set_d(number_, x, MPFR_RNDN);
  }
  // Rounded to nearest where it is not a binary number of so many bits.
  Value(const Real& x, mpfr_prec_t precision);
  Value(const Value& other) : Value(other, other.precision()) {}
  Value& operator=(const Value&) = delete;

  mpfr_prec_t precision() const { return mpfr_get_prec(number_); }
  mpfr_srcptr number() const { return number_; }

  // The true value, rounded to the format; nothing where more bits are needed to tell. Where an
  // operand was rounded, the formula must be within 16 units of the last place.
  std::optional<double> rounded(FloatFormat format) const;

  // Nothing where it is not finite, or would be a rational of kilobytes.
  std::optional<Real> to_real() const;

  friend bool operator<(const Value& a, const Value& b) {
    return mpfr_less_p(a.number(), b.number()) != 0;
  }
  friend bool operator>(const Value& a, const Value& b) { return b < a; }
  friend bool operator==(const Value& a, const Value& b) {
    return mpfr_equal_p(a.number(), b.number()) != 0;
  }
  friend bool isnan(const Value& a) { return mpfr_nan_p(a.number()) != 0; }
  friend bool isinf(const Value& a) { return mpfr_inf_p(a.number()) != 0; }
  // Whether the number is the true value.
  friend bool is_exact(const Value& a) { return a.ternary_ == 0 && !a.is_late_; }
  friend bool signbit(const Value& a) { return mpfr_signbit(a.number()) != 0; }

  friend Value operator-(const Value& a) { return result(&mpfr_neg, a); }
  friend Value operator+(const Value& a, const Value& b) { return result(&mpfr_add, a, b); }
  friend Value operator-(const Value& a, const Value& b) { return result(&mpfr_sub, a, b); }
  friend Value operator*(const Value& a, const Value& b) { return result(&mpfr_mul, a, b); }
  friend Value operator/(const Value& a, const Value& b) { return result(&mpfr_div, a, b); }
  friend Value abs(const Value& a) { return signbit(a) ? -a : a; }
  friend Value copysign(const Value& a, const Value& b) {
    return signbit(a) == signbit(b) ? a : -a;
  }

  // NaN stays.
  friend Value at_least(const Value& a, int limit) { return a < limit ? a.replaced(limit) : a; }
  friend Value at_most(const Value& a, int limit) { return a > limit ? a.replaced(limit) : a; }

  // For differences that lose bits: `a` with so many more, and back to the precision of `like`.
  friend Value widened(const Value& a, mpfr_prec_t bits) { return {a, a.precision() + bits}; }
  friend Value with_precision_of(const Value& like, const Value& a) {
    return {a, like.precision()};
  }
  // How many zeros `a` has behind the point.
  friend mpfr_prec_t leading_zeros(const Value& a) {
    return mpfr_regular_p(a.number()) == 0 ? 0
                                           : std::max<mpfr_prec_t>(0, -mpfr_get_exp(a.number()));
  }
  // A true value that differs from `a`, which is exact, by less than any precision in use shows.
  friend Value just_above(const Value& a) { return beside(a, -1); }
  friend Value just_below(const Value& a) { return beside(a, 1); }

// What MPFR has: X(method), of one operand and of two.
#define HADAMARD_MPFR_FUNCTIONS_1(X) \
  X(sqrt)                            \
  X(cbrt)                            \
  X(exp)                             \
  X(exp2)                            \
  X(exp10)                           \
  X(expm1)                           \
  X(log)                             \
  X(log2)                            \
  X(log10)                           \
  X(log1p)                           \
  X(sin)                             \
  X(cos)                             \
  X(tan)                             \
  X(asin)                            \
  X(acos)                            \
  X(atan)                            \
  X(sinh)                            \
  X(cosh)                            \
  X(tanh)                            \
  X(asinh)                           \
  X(acosh)                           \
  X(atanh)                           \
  X(erf)                             \
  X(erfc)                            \
  X(gamma)                           \
  X(lngamma)                         \
  X(digamma)                         \
  X(zeta)                            \
  X(eint)                            \
  X(j0)                              \
  X(j1)                              \
  X(y0)                              \
  X(y1)                              \
  X(ai)
#define HADAMARD_MPFR_FUNCTIONS_2(X) \
  X(pow)                             \
  X(hypot)                           \
  X(atan2)                           \
  X(fmod)                            \
  X(remainder)                       \
  X(agm)
#define HADAMARD_MPFR_1(name) \
  friend Value name(const Value& a) { return result(&mpfr_##name, a); }
#define HADAMARD_MPFR_2(name) \
  friend Value name(const Value& a, const Value& b) { return result(&mpfr_##name, a, b); }
  HADAMARD_MPFR_FUNCTIONS_1(HADAMARD_MPFR_1)
  HADAMARD_MPFR_FUNCTIONS_2(HADAMARD_MPFR_2)
#undef HADAMARD_MPFR_2
#undef HADAMARD_MPFR_1
#undef HADAMARD_MPFR_FUNCTIONS_2
#undef HADAMARD_MPFR_FUNCTIONS_1

 private:
  Value(const Value& other, mpfr_prec_t precision) : number_(precision), is_late_(other.is_late_) {
    ternary_ = mpfr_set(number_, other.number_, MPFR_RNDN);
    if (other.ternary_ != 0 && ternary_ != 0) is_late_ = true;
    if (ternary_ == 0) ternary_ = other.ternary_;
  }
  template <class Routine, class... X>
  static Value result(Routine* routine, const X&... x) {
    Value y(0.0, std::max({x.precision()...}));
    y.ternary_ = routine(y.number_, x.number_..., MPFR_RNDN);
    y.is_late_ = (x.is_late_ || ...) || ((x.ternary_ != 0) || ...);
    return y;
  }
  static Value beside(const Value& a, int ternary) {
    Value y(a);
    y.is_late_ = a.is_late_ || a.ternary_ != 0;
    y.ternary_ = ternary;
    return y;
  }
  Value replaced(int x) const { return {static_cast<double>(x), precision()}; }

  Number number_;
  int ternary_ = 0;       // the direction of the last rounding
  bool is_late_ = false;  // whether one before it was not exact
};

}  // namespace hadamard::multiple_precision
