#include "num/elementary_tables.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "num/multiple_precision.hpp"

namespace hadamard::elementary {
namespace {

using multiple_precision::Number;

// |x - hi - lo|
double distance(Number& x, double hi, double lo) {
  mpfr_sub_d(x, x, hi, MPFR_RNDN);
  mpfr_sub_d(x, x, lo, MPFR_RNDN);
  return std::fabs(mpfr_get_d(x, MPFR_RNDN));
}

TEST(ElementaryTables, Powers) {
  const ExpTable& table = tables().exp;
  Number x(200);
  for (int i = 0; i < ExpTable::kSize; ++i) {
    mpfr_set_d(x, i / 128.0, MPFR_RNDN);
    mpfr_exp2(x, x, MPFR_RNDN);
    EXPECT_EQ(table.hi[i], mpfr_get_d(x, MPFR_RNDN));
    EXPECT_LE(distance(x, table.hi[i], table.lo[i]), 0x1p-106) << i;
  }
}

TEST(ElementaryTables, Sines) {
  const SinTable& table = tables().sin;
  Number x(200);
  for (int i = 0; i < SinTable::kSize; ++i) {
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_mul_ui(x, x, static_cast<unsigned long>(i), MPFR_RNDN);
    mpfr_div_ui(x, x, 512, MPFR_RNDN);
    mpfr_sin(x, x, MPFR_RNDN);
    EXPECT_EQ(table.hi[i], mpfr_get_d(x, MPFR_RNDN));
    EXPECT_LE(distance(x, table.hi[i], table.lo[i]), 0x1p-106 * table.hi[i]) << i;
  }
}

TEST(ElementaryTables, Logarithms) {
  const LogTable& table = tables().log;
  Number x(200);
  for (int i = 0; i < LogTable::kSize; ++i) {
    mpfr_set_d(x, table.c[i], MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    mpfr_neg(x, x, MPFR_RNDN);
    EXPECT_EQ(table.hi[i], std::nearbyint(table.hi[i] * 0x1p42) * 0x1p-42);
    EXPECT_LE(distance(x, table.hi[i], table.lo[i]), 0x1p-95) << i;
  }
}

// What the estimates rely on, for the ends of each interval and numbers in between.
TEST(ElementaryTables, LogarithmsLeaveAnExactRest) {
  const LogTable& table = tables().log;
  std::mt19937_64 random(1);
  for (int i = 0; i < LogTable::kSize; ++i) {
    const std::uint64_t first = (std::uint64_t{0x3FE6A} + static_cast<std::uint64_t>(i)) << 44;
    for (int k = 0; k < 200; ++k) {
      const std::uint64_t inside = k == 0   ? 0
                                   : k == 1 ? (std::uint64_t{1} << 44) - 1
                                            : random() >> 20;
      const auto m = std::bit_cast<double>(first + inside);
      const double c = table.c[i], product = m * c;
      const double upper = product - 1, lower = std::fma(m, c, -product), r = upper + lower;
      ASSERT_EQ(lower - (r - upper), 0) << m;
      ASSERT_LE(std::fabs(r), 0x1p-8) << m;
      ASSERT_TRUE(table.hi[i] == 0 || std::fabs(table.hi[i]) >= std::fabs(r)) << m;
      ASSERT_TRUE(c != 1 || std::fabs(m - 1) <= 0x1p-8);
    }
  }
}

}  // namespace
}  // namespace hadamard::elementary
