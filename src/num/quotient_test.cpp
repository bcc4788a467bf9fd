#include "num/quotient.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "hadamard/types.hpp"

namespace hadamard {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(TrueQuotient, Values) {
  EXPECT_EQ(true_quotient(7, 2), 3.5);
  EXPECT_EQ(true_quotient(std::int64_t{-1}, std::int64_t{3}), -1.0 / 3);
  EXPECT_EQ(true_quotient(kMin, std::int64_t{-1}), 0x1p63);
  EXPECT_EQ(true_quotient(kMin, kMin), 1);
  EXPECT_EQ(true_quotient(kMost, kMin), -2);  // 2 - 2^-63 is nearest to 2
  EXPECT_EQ(true_quotient(kMost, kMost), 1);
  EXPECT_EQ(true_quotient(std::uint64_t{1}, kMost), 0x1p-64);
  EXPECT_EQ(true_quotient((std::int64_t{1} << 53) + 1, std::int64_t{1} << 53), 1);  // a tie
  // Both rounded first, it would be 1 + 2^-51.
  EXPECT_EQ(true_quotient((std::int64_t{1} << 53) + 3, (std::int64_t{1} << 53) + 1), 1 + 0x1p-52);
}

TEST(TrueQuotient, ByZeroAsFloats) {
  EXPECT_EQ(true_quotient(kMax, std::int64_t{0}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(true_quotient(kMin, std::int64_t{0}), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(true_quotient(std::int64_t{0}, std::int64_t{0})));
  EXPECT_TRUE(std::signbit(true_quotient(std::int64_t{0}, kMin)));
}

// The exact quotient lies between the middles to both neighbours, or on one beside an even number.
TEST(TrueQuotient, IsTheNearestDouble) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t a = random() >> random() % 64;
    const std::uint64_t b = (random() >> random() % 64) | 1;
    const double y = true_quotient(a, b);
    const Real exact = Real::parse(std::to_string(a) + "/" + std::to_string(b));
    const auto distance = [&](double x) {
      const Real d = Real::from_double(x) - exact;
      return d.sign() < 0 ? Real(0) - d : d;
    };
    for (const double other : {std::nextafter(y, 0), std::nextafter(y, 1e300)}) {
      EXPECT_FALSE(distance(other) < distance(y)) << a << " / " << b;
    }
  }
}

}  // namespace
}  // namespace hadamard
