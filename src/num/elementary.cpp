#include "num/elementary.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <utility>

#include "num/composed_functions.hpp"
#include "num/multiple_precision.hpp"
#include "num/real_rep.hpp"

namespace hadamard::elementary {
namespace {

using multiple_precision::Number;
using multiple_precision::ScopedLibrary;
using multiple_precision::settled;

// --- The estimate -----------------------------------------------------------------------------

// Formats of up to 24 bits are estimated in double, double in long double. The C library's
// functions are good to a few units in the last place of theirs (glibc's manual states at most 4);
// the margin is 16 of them, and for the small formats also covers that half formats are rounded by
// way of double.
template <class T>
struct Estimate {
  using Wide = double;
  static constexpr Wide kMargin = 0x1p-49;
};
template <>
struct Estimate<double> {
  using Wide = long double;
  static constexpr Wide kMargin = 0x1p-60L;
};
static_assert(std::numeric_limits<long double>::digits >= 64,
              "fp64 needs estimates with more bits than double has");

template <class T>
auto widened(T x) {
  if constexpr (std::is_class_v<T>) {
    return static_cast<double>(x);
  } else {
    return static_cast<typename Estimate<T>::Wide>(x);
  }
}
template <class T, class Wide>
T narrowed(Wide x) {
  if constexpr (std::is_class_v<T>) {
    return T(static_cast<double>(x));
  } else {
    return static_cast<T>(x);
  }
}

template <class Wide>
Wide softplus(Wide a) {
  return std::fmax(a, Wide{0}) + std::log1p(std::exp(-std::fabs(a)));
}
// Below 2 as (a cosh a - sinh a) / cosh a, by series of positive terms: a sum of 2k a^(2k+1) /
// (2k+1)! and one of a^2k / (2k)!.
template <class Wide>
Wide tanh_shrink(Wide a) {
  if (!(std::fabs(a) < 2)) return a - std::tanh(a);
  const Wide z = a * a;
  Wide difference = 0, cosine = 0;
  for (int k = 16; k >= 1; --k) {  // what is left out is below 2^-80
    const Wide next = Wide(2 * k + 1) * Wide(2 * k);
    difference = (Wide(2 * k) + z * difference) / next;
    cosine = (z * (1 + cosine)) / (Wide(2 * k) * Wide(2 * k - 1));
  }
  return a * (z * difference) / (1 + cosine);
}

template <Function function, class Wide>
Wide estimate(Wide a, [[maybe_unused]] Wide b) {
  if constexpr (function == Function::sqrt) {
    return std::sqrt(a);
  } else if constexpr (function == Function::exp) {
    return std::exp(a);
  } else if constexpr (function == Function::log) {
    return std::log(a);
  } else if constexpr (function == Function::tanh) {
    return std::tanh(a);
  } else if constexpr (function == Function::sigmoid) {
    return Wide{1} / (Wide{1} + std::exp(-a));
  } else if constexpr (function == Function::expm1) {
    return std::expm1(a);
  } else if constexpr (function == Function::log1p) {
    return std::log1p(a);
  } else if constexpr (function == Function::log2) {
    return std::log2(a);
  } else if constexpr (function == Function::log10) {
    return std::log10(a);
  } else if constexpr (function == Function::exp2) {
    return std::exp2(a);
  } else if constexpr (function == Function::sin) {
    return std::sin(a);
  } else if constexpr (function == Function::cos) {
    return std::cos(a);
  } else if constexpr (function == Function::hypot) {
    // Also beside a signalling NaN, where C libraries differ.
    return std::isinf(a) || std::isinf(b) ? std::numeric_limits<Wide>::infinity()
                                          : std::hypot(a, b);
  } else if constexpr (function == Function::atan2) {
    return std::atan2(a, b);
  } else if constexpr (function == Function::elu) {
    return a > 0 ? a : std::expm1(a);
  } else if constexpr (function == Function::stanh) {
    return static_cast<Wide>(1.7159L) * std::tanh(static_cast<Wide>(0.67L) * a);
  } else if constexpr (function == Function::swish) {
    return a == -std::numeric_limits<Wide>::infinity() ? -Wide{0} : a / (1 + std::exp(-a));
  } else if constexpr (function == Function::soft_relu) {
    return softplus(std::clamp(a, Wide{-40}, Wide{40}));
  } else if constexpr (function == Function::logsigmoid) {
    return -softplus(-a);
  } else if constexpr (function == Function::softsign) {
    return std::isinf(a) ? std::copysign(Wide{1}, a) : a / (1 + std::fabs(a));
  } else if constexpr (function == Function::softplus) {
    return softplus(a);
  } else if constexpr (function == Function::tanh_shrink) {
    return tanh_shrink(a);
  } else {
    static_assert(function == Function::pow);
    return std::pow(a, b);
  }
}

template <class T>
bool same(T x, T y) {
  if constexpr (std::is_class_v<T>) {
    return x.bits == y.bits;
  } else {
    return x == y;
  }
}

template <class T>
T canonical_nan() {
  return narrowed<T>(std::numeric_limits<double>::quiet_NaN());
}

// --- Remainders -------------------------------------------------------------------------------

// C's fmod is exact. The sum in mod is the one rounding; for halves it is made in double and
// rounded again, which does no harm to a sum (53 >= 2*11+2).
template <class F>
F modulus(F a, F b) {
  const F r = std::fmod(a, b);  // a where b is infinite, NaN where it is 0
  if (r == 0) return std::copysign(r, b);
  return std::signbit(r) == std::signbit(b) || std::isnan(r) ? r : r + b;
}
constexpr bool is_remainder(Function function) {
  return function == Function::mod || function == Function::rem;
}

// --- Powers that are one operation ---------------------------------------------------------------

// Halves are squared and divided in double and rounded again, which does no harm (53 >= 2*11+2).
template <class F>
bool is_one_operation(F exponent) {
  return exponent == 2 || exponent == 1 || exponent == -1;
}
template <class F>
F easy_power(F x, F exponent) {
  return exponent == 2 ? x * x : exponent == 1 ? x : 1 / x;
}

// --- Multiple precision -----------------------------------------------------------------------

// a - floor(a/b) b. The remainder of two doubles is one, so that the sum is the only rounding.
int modulus(Number& result, const Number& a, const Number& b) {
  Number r(kFp64.precision);
  mpfr_fmod(r, a, b, MPFR_RNDN);
  if (mpfr_zero_p(r) != 0) {
    mpfr_set_zero(result, mpfr_signbit(b) != 0 ? -1 : 1);
    return 0;
  }
  const bool same_sign = mpfr_signbit(r) == mpfr_signbit(b);
  return same_sign || mpfr_nan_p(r) != 0 ? mpfr_set(result, r, MPFR_RNDN)
                                         : mpfr_add(result, r, b, MPFR_RNDN);
}

// 1 + |a| is exact in so many bits.
int softsign(Number& result, const Number& a) {
  const int sign = mpfr_signbit(a) != 0 ? -1 : 1;
  if (mpfr_inf_p(a) != 0) return mpfr_set_si(result, sign, MPFR_RNDN);
  Number divisor(1200);
  mpfr_abs(divisor, a, MPFR_RNDN);
  mpfr_add_ui(divisor, divisor, 1, MPFR_RNDN);
  return mpfr_div(result, a, divisor, MPFR_RNDN);
}

// Any function that is not composed, rounded to the precision of `result`. Returns in which
// direction.
int evaluate(Function function, Number& result, double a, double b) {
  Number x(kFp64.precision), y(kFp64.precision);
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_set_d(y, b, MPFR_RNDN);
  switch (function) {
    case Function::sqrt:
      return mpfr_sqrt(result, x, MPFR_RNDN);
    case Function::exp:
      return mpfr_exp(result, x, MPFR_RNDN);
    case Function::log:
      return mpfr_log(result, x, MPFR_RNDN);
    case Function::tanh:
      return mpfr_tanh(result, x, MPFR_RNDN);
    case Function::pow:
      return mpfr_pow(result, x, y, MPFR_RNDN);
    case Function::expm1:
      return mpfr_expm1(result, x, MPFR_RNDN);
    case Function::log1p:
      return mpfr_log1p(result, x, MPFR_RNDN);
    case Function::log2:
      return mpfr_log2(result, x, MPFR_RNDN);
    case Function::log10:
      return mpfr_log10(result, x, MPFR_RNDN);
    case Function::exp2:
      return mpfr_exp2(result, x, MPFR_RNDN);
    case Function::sin:
      return mpfr_sin(result, x, MPFR_RNDN);
    case Function::cos:
      return mpfr_cos(result, x, MPFR_RNDN);
    case Function::hypot:
      return mpfr_hypot(result, x, y, MPFR_RNDN);
    case Function::atan2:
      return mpfr_atan2(result, x, y, MPFR_RNDN);
    case Function::mod:
      return modulus(result, x, y);
    case Function::rem:
      return mpfr_fmod(result, x, y, MPFR_RNDN);
    case Function::elu:
      return a > 0 ? mpfr_set(result, x, MPFR_RNDN) : mpfr_expm1(result, x, MPFR_RNDN);
    case Function::softsign:
      return softsign(result, x);
    default:
      return 0;
  }
}

double by_multiple_precision(Function function, double a, double b, FloatFormat format) {
  if (is_composed(function)) return by_growing_precision(function, a, format);
  Number result(format.precision);
  const int ternary = evaluate(function, result, a, b);
  return settled(result, ternary, format);
}

}  // namespace

std::optional<Approximation> approximation(Function function, double a, double b) {
  const ScopedLibrary state;
  Number value(256);
  if (is_composed(function)) {
    approximate(function, value, a);
  } else {
    evaluate(function, value, a, b);
  }
  if (mpfr_number_p(value) == 0) return std::nullopt;
  char digits[80];
  mpfr_snprintf(digits, sizeof digits, "%.40Rg", static_cast<mpfr_srcptr>(value));
  if (mpfr_zero_p(value) != 0) return Approximation{Real(), digits};
  // A number beyond these would be a rational of megabytes.
  if (std::abs(mpfr_get_exp(value)) > 20000) return std::nullopt;
  detail::RepPtr rep = detail::new_rep();
  mpfr_get_q(rep->q, value);
  return Approximation{detail::to_real(std::move(rep)), digits};
}

template <class T>
T by_multiple_precision(Function function, T a, T b) {
  const ScopedLibrary state;
  const double result = by_multiple_precision(function, static_cast<double>(a),
                                              static_cast<double>(b), Element<T>::kFormat);
  return std::isnan(result) ? canonical_nan<T>() : narrowed<T>(result);
}

template <Function function, class T>
T rounded(T a, T b) {
  using F = std::conditional_t<std::is_class_v<T>, double, T>;
  if constexpr (function == Function::pow) {
    if (const F exponent(b); is_one_operation(exponent)) {
      const F r = easy_power(F(a), exponent);
      return std::isnan(r) ? canonical_nan<T>() : narrowed<T>(r);
    }
  }
  if constexpr (is_remainder(function)) {
    const auto x = static_cast<F>(a), y = static_cast<F>(b);
    const F r = function == Function::mod ? modulus(x, y) : std::fmod(x, y);
    return std::isnan(r) ? canonical_nan<T>() : narrowed<T>(r);
  } else {
    using E = Estimate<T>;
    const auto value = estimate<function, typename E::Wide>(widened(a), widened(b));
    if (std::isnan(value)) return canonical_nan<T>();
    if (std::isinf(value)) return narrowed<T>(value);
    const T low = narrowed<T>(value - value * E::kMargin);
    const T high = narrowed<T>(value + value * E::kMargin);
    if (same(low, high)) return narrowed<T>(value);
    return by_multiple_precision<T>(function, a, b);
  }
}

#define HADAMARD_FUNCTION_OF(T, id) template T rounded<Function::id, T>(T, T);
#define HADAMARD_FUNCTION_OF_ALL(id, arity) \
  HADAMARD_FUNCTION_OF(float16, id)         \
  HADAMARD_FUNCTION_OF(bfloat16, id)        \
  HADAMARD_FUNCTION_OF(float, id)           \
  HADAMARD_FUNCTION_OF(double, id)
HADAMARD_FUNCTIONS(HADAMARD_FUNCTION_OF_ALL)
#undef HADAMARD_FUNCTION_OF_ALL
#undef HADAMARD_FUNCTION_OF
template float16 by_multiple_precision<float16>(Function, float16, float16);
template bfloat16 by_multiple_precision<bfloat16>(Function, bfloat16, bfloat16);
template float by_multiple_precision<float>(Function, float, float);
template double by_multiple_precision<double>(Function, double, double);

}  // namespace hadamard::elementary
