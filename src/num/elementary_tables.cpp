#include "num/elementary_tables.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "num/multiple_precision.hpp"

namespace hadamard::elementary {
namespace {

using multiple_precision::Number;
using multiple_precision::ScopedLibrary;

constexpr mpfr_prec_t kBits = 160;  // so many that their own errors do not matter

// hi, the multiple of `unit` next to x, or the nearest double where unit is 0; lo, what is left.
void split(Number& x, double unit, double& hi, double& lo) {
  hi = mpfr_get_d(x, MPFR_RNDN);
  if (unit != 0) hi = std::nearbyint(hi / unit) * unit;
  Number rest(kBits);
  mpfr_sub_d(rest, x, hi, MPFR_RNDN);
  lo = mpfr_get_d(rest, MPFR_RNDN);
}

ExpTable make_exp_table() {
  ExpTable table;
  const ScopedLibrary state;
  Number step(kBits), x(kBits);
  mpfr_set_d(step, 1.0 / ExpTable::kSize, MPFR_RNDN);
  mpfr_exp2(step, step, MPFR_RNDN);
  mpfr_set_ui(x, 1, MPFR_RNDN);
  for (int i = 0; i < ExpTable::kSize; ++i) {
    split(x, 0, table.hi[i], table.lo[i]);
    mpfr_mul(x, x, step, MPFR_RNDN);
  }
  return table;
}

LogTable make_log_table() {
  LogTable table;
  const ScopedLibrary state;
  Number x(kBits);
  for (int i = 0; i < LogTable::kSize; ++i) {
    const auto bits = std::uint64_t{0x3FE6A} + static_cast<std::uint64_t>(i);
    const auto first = std::bit_cast<double>(bits << 44),
               end = std::bit_cast<double>((bits + 1) << 44);
    const double unit = first < 1 ? 0x1p-8 : 0x1p-9;
    double c = std::nearbyint(2 / (first + end) / unit) * unit;
    if (first >= 1 - 0x1p-8 && end <= 1 + 0x1p-8) c = 1;
    table.c[i] = c;
    mpfr_set_d(x, c, MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    mpfr_neg(x, x, MPFR_RNDN);
    if (c == 1) mpfr_set_zero(x, 1);
    split(x, 0x1p-42, table.hi[i], table.lo[i]);
  }
  return table;
}

// By the sine and cosine of a sum, one step after the other.
SinTable make_sin_table() {
  SinTable table;
  const ScopedLibrary state;
  Number sine(kBits), cosine(kBits), s(kBits), c(kBits), x(kBits), y(kBits);
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_div_ui(x, x, 2 * (SinTable::kSize - 1), MPFR_RNDN);
  mpfr_sin_cos(sine, cosine, x, MPFR_RNDN);
  mpfr_set_zero(s, 1);
  mpfr_set_ui(c, 1, MPFR_RNDN);
  for (int i = 0; i < SinTable::kSize; ++i) {
    split(s, 0, table.hi[i], table.lo[i]);
    mpfr_fmma(x, s, cosine, c, sine, MPFR_RNDN);
    mpfr_fmms(y, c, cosine, s, sine, MPFR_RNDN);
    mpfr_swap(s, x);
    mpfr_swap(c, y);
  }
  return table;
}

}  // namespace

const Tables& tables() {
  static const Tables all{make_exp_table(), make_log_table(), make_sin_table()};
  return all;
}

}  // namespace hadamard::elementary
