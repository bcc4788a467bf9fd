#include "num/exact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace hadamard::exact {
namespace {

TEST(Exact, Classifies) {
  EXPECT_TRUE(is_nan(0x7E00, kFp16));
  EXPECT_TRUE(is_nan(0xFC01, kFp16));
  EXPECT_FALSE(is_nan(0x7C00, kFp16));
  EXPECT_TRUE(is_inf(0xFC00, kFp16));
  EXPECT_TRUE(is_finite(0xFBFF, kFp16));
  EXPECT_TRUE(is_subnormal(0x8001, kFp16));
  EXPECT_FALSE(is_subnormal(0x8000, kFp16));
  EXPECT_FALSE(is_subnormal(0x0400, kFp16));
}

template <class F>
void round_trip_random_patterns() {
  std::mt19937_64 random(7);
  for (int i = 0; i < 50'000; ++i) {
    const auto bits = static_cast<typename Element<F>::Bits>(random());
    constexpr FloatFormat kFormat = Element<F>::kFormat;
    if (!is_finite(bits, kFormat)) continue;
    const Real value = value_of(bits, kFormat);
    if (!value.is_zero()) {
      ASSERT_EQ(round_to(value, kFormat), bits);
    }
    ASSERT_EQ(value, Real::from_double(static_cast<double>(from_bits<F>(bits))));
  }
}
TEST(Exact, RandomPatternsOfFp32RoundTrip) { round_trip_random_patterns<float>(); }
TEST(Exact, RandomPatternsOfFp64RoundTrip) { round_trip_random_patterns<double>(); }

// The machine's own operations are correctly rounded: an independent witness for round_to.
TEST(Exact, AgreesWithTheMachine) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 50'000; ++i) {
    const auto a = from_bits<double>(random());
    const auto b = from_bits<double>(random());
    if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0) continue;
    const Real x = value_of(a);
    const Real y = value_of(b);
    ASSERT_EQ(round_to<double>(x * y), a * b);
    ASSERT_EQ(round_to<double>(x / y), a / b);
    ASSERT_EQ(round_to<double>(x + y), a + b);
    ASSERT_EQ(round_to<float>(x), static_cast<float>(a));
    ASSERT_EQ(std::signbit(round_to<float>(x)), std::signbit(a));
  }
}

TEST(Exact, RoundsAtTheEdges) {
  const Real half(1, 2);
  const Real tiny = value_of(std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(round_to(tiny * half, kFp64), 0U);
  EXPECT_EQ(round_to(tiny * Real(3, 2), kFp64), 2U);
  EXPECT_EQ(round_to(tiny * Real(51, 100), kFp64), 1U);
  EXPECT_EQ(round_to(Real() - tiny * half, kFp64), kFp64.sign_bit());
  EXPECT_EQ(round_to(Real::parse("1e-9999"), kFp64), 0U);
  EXPECT_EQ(round_to(Real::parse("-1e9999"), kFp64), kFp64.sign_bit() | kFp64.infinity());
  EXPECT_EQ(round_to(Real(), kFp64), 0U);
  EXPECT_EQ(round_to(Real(65519), kFp16), 0x7BFFU);
  EXPECT_EQ(round_to(Real(65520), kFp16), 0x7C00U);
  EXPECT_EQ(round_to(Real::parse("65519.9999"), kFp16), 0x7BFFU);
}

TEST(Exact, UlpOf) {
  EXPECT_EQ(ulp_of(Real(1), kFp64), value_of(std::numeric_limits<double>::epsilon()));
  EXPECT_EQ(ulp_of(Real(-3, 2), kFp16), Real(1, 1024));
  EXPECT_EQ(ulp_of(Real(2), kFp16), Real(1, 512));
  EXPECT_EQ(ulp_of(Real(), kFp16), Real(1, 1 << 24));
  EXPECT_EQ(ulp_of(Real(1, 1 << 30), kFp16), Real(1, 1 << 24));
  EXPECT_EQ(ulp_of(Real(65504), kFp16), Real(32));
  EXPECT_EQ(ulp_of(Real(1, 3), kBf16), Real(1, 512));
}

TEST(Exact, UlpDistance) {
  EXPECT_EQ(ulp_distance(0x0000, 0x8000, kFp16), 0U);
  EXPECT_EQ(ulp_distance(0x0001, 0x8001, kFp16), 2U);
  EXPECT_EQ(ulp_distance(0x7C00, 0x7BFF, kFp16), 1U);
  EXPECT_EQ(ulp_distance(0x3C00, 0x3C05, kFp16), 5U);
  EXPECT_EQ(ulp_distance(0xBC05, 0xBC00, kFp16), 5U);
  EXPECT_EQ(ulp_distance(0x7E00, 0xFE01, kFp16), 0U);
  EXPECT_EQ(ulp_distance(0x7E00, 0x0000, kFp16), ~std::uint64_t{0});
  EXPECT_EQ(ulp_distance(kFp64.infinity(), kFp64.infinity() | kFp64.sign_bit(), kFp64),
            2 * kFp64.infinity());
}

}  // namespace
}  // namespace hadamard::exact
