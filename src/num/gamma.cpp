#include "num/gamma.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "num/multiple_precision.hpp"

namespace hadamard {
namespace {

template <class F>
F precise_gamma(F x) {
  const multiple_precision::ScopedLibrary state;
  // So many bits, and then those of the format, which has fewer below its least normal number.
  multiple_precision::Number y(std::numeric_limits<F>::digits * 4);
  mpfr_set_d(y, static_cast<double>(x), MPFR_RNDN);
  mpfr_gamma(y, y, MPFR_RNDN);
  if constexpr (std::is_same_v<F, float>) {
    return mpfr_get_flt(y, MPFR_RNDN);
  } else {
    return mpfr_get_d(y, MPFR_RNDN);
  }
}

}  // namespace

template <class F>
F gamma(F x) {
  constexpr F kInfinity = std::numeric_limits<F>::infinity();
  if (x != x || x == -kInfinity) return std::numeric_limits<F>::quiet_NaN();
  if (x == 0) return std::copysign(kInfinity, x);
  if (x < 0 && x == std::trunc(x)) return kInfinity;
  if (x > 200) return kInfinity;
  if (x < -200) return std::fmod(std::floor(x), F{2}) == 0 ? F{0} : -F{0};  // below 2^-1100
  // The C library's estimate in long double, of which its manual states 5 units of 2^-64; where
  // 2^-58 to either side round differently, multiple precision decides.
  const long double value = std::tgamma(static_cast<long double>(x));
  const long double margin = std::fabs(value) * 0x1p-58L;
  const auto low = static_cast<F>(value - margin), high = static_cast<F>(value + margin);
  return low == high ? static_cast<F>(value) : precise_gamma(x);
}

template float gamma(float);
template double gamma(double);

}  // namespace hadamard
