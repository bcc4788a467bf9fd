#include "num/precise_value.hpp"

#include <cstdlib>
#include <utility>

#include "base/fail.hpp"
#include "num/real_rep.hpp"

namespace hadamard::multiple_precision {

Value::Value(const Real& x, mpfr_prec_t precision) : number_(precision) {
  if (x.is_zero()) {
    mpfr_set_zero(number_, 1);
  } else {
    ternary_ = mpfr_set_q(number_, x.rep()->q, MPFR_RNDN);
  }
}

std::optional<double> Value::rounded(FloatFormat format) const {
  if (mpfr_regular_p(number_) == 0) {  // NaN, infinity, zero
    if (is_late_) fail(ErrorCode::internal, "an oracle lost its value on the way to a limit");
    return mpfr_get_d(number_, MPFR_RNDN);
  }
  if (!is_late_) {
    // Beyond the number by less than a unit: no float and no middle of two floats is between.
    Number exact(precision() + 2);
    mpfr_set(exact, number_, MPFR_RNDN);
    if (ternary_ < 0) mpfr_nextabove(exact);
    if (ternary_ > 0) mpfr_nextbelow(exact);
    return rounded_to(format, exact);
  }
  Number error(8), low(precision()), high(precision());
  mpfr_set_ui_2exp(error, 1, mpfr_get_exp(number_) - precision() + 4, MPFR_RNDN);
  mpfr_sub(low, number_, error, MPFR_RNDD);
  mpfr_add(high, number_, error, MPFR_RNDU);
  const double below = rounded_to(format, low), above = rounded_to(format, high);
  if (below != above) return std::nullopt;
  return above;
}

std::optional<Real> Value::to_real() const {
  if (mpfr_number_p(number_) == 0) return std::nullopt;
  if (mpfr_zero_p(number_) != 0) return Real();
  if (std::abs(mpfr_get_exp(number_)) > 20000) return std::nullopt;
  detail::RepPtr rep = detail::new_rep();
  mpfr_get_q(rep->q, number_);
  return detail::to_real(std::move(rep));
}

}  // namespace hadamard::multiple_precision
