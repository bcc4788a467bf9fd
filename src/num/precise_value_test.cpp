#include "num/precise_value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hadamard/error.hpp"

namespace hadamard::multiple_precision {
namespace {

constexpr double kMiddle = 0x1p-53;  // 1 + this is between two doubles

// The sum is rounded to 64 bits, to the middle; the direction of that tells on which side it was.
TEST(PreciseValue, OneRoundingIsNotRoundedAgain) {
  const ScopedLibrary state;
  const Value middle = Value(1.0, 64) + Value(kMiddle, 64);
  EXPECT_EQ(middle.rounded(kFp64), 1.0);  // exact: to even
  EXPECT_EQ((middle + Value(0x1p-70, 64)).rounded(kFp64), 1 + 0x1p-52);
  EXPECT_EQ((middle - Value(0x1p-70, 64)).rounded(kFp64), 1.0);
  const Value upper = Value(1 + 0x1p-52, 64) + Value(kMiddle, 64);
  EXPECT_EQ(upper.rounded(kFp64), 1 + 0x1p-51);
  EXPECT_EQ((upper - Value(0x1p-70, 64)).rounded(kFp64), 1 + 0x1p-52);
  EXPECT_EQ(just_above(middle).rounded(kFp64), 1 + 0x1p-52);
  EXPECT_EQ(just_below(upper).rounded(kFp64), 1 + 0x1p-52);
}

TEST(PreciseValue, SeveralRoundingsDecideOnlyFarFromAMiddle) {
  const ScopedLibrary state;
  const Value third = Value(1.0, 64) / 3;
  EXPECT_EQ((third * 2).rounded(kFp64), 2.0 / 3);
  EXPECT_EQ((third + Value(2.0, 64) / 3 + Value(kMiddle, 64)).rounded(kFp64), std::nullopt);
  EXPECT_EQ((third + Value(2.0, 64) / 3 + Value(kMiddle, 64)).rounded(kFp16), 1.0);
  EXPECT_EQ(just_above(third * 3 + Value(kMiddle, 64)).rounded(kFp64), std::nullopt);
}

TEST(PreciseValue, FormatsEnd) {
  const ScopedLibrary state;
  EXPECT_EQ(exp(Value(1e308, 64)).rounded(kFp64), std::numeric_limits<double>::infinity());
  EXPECT_EQ(exp(Value(-1e308, 64)).rounded(kFp64), 0.0);
  EXPECT_EQ(exp2(Value(-1075.0, 64)).rounded(kFp64), 0.0);
  EXPECT_EQ(exp2(Value(-1074.5, 64)).rounded(kFp64), 0x1p-1074);
  EXPECT_TRUE(std::isnan(*(Value(0.0, 64) / 0).rounded(kFp64)));
  EXPECT_TRUE(std::signbit(*(-Value(0.0, 64)).rounded(kFp64)));
  // 1 / e^huge: nothing is known of the way to the limit.
  EXPECT_THROW((void)(1 / exp(Value(1e308, 64))).rounded(kFp64), Error);
}

TEST(PreciseValue, KeepsPrecisionAndNan) {
  const ScopedLibrary state;
  const Value nan(std::numeric_limits<double>::quiet_NaN(), 200);
  EXPECT_TRUE(isnan(at_least(at_most(nan, 3), -3)));
  EXPECT_EQ(at_least(Value(-9.0, 200), -3).precision(), 200);
  EXPECT_EQ((1 + Value(0.5, 200)).precision(), 200);
  EXPECT_EQ(widened(Value(0.5, 64), 10).precision(), 74);
  EXPECT_EQ(leading_zeros(Value(0x1p-20, 64)), 19);
  EXPECT_EQ(leading_zeros(Value(0.0, 64)), 0);
}

}  // namespace
}  // namespace hadamard::multiple_precision
