#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

#include "num/dtype.hpp"
#include "num/exact.hpp"

namespace hadamard {
namespace {

template <class F>
class Float16 : public testing::Test {};
using Types = testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(Float16, Types);

// What F(value) must be, by exact arithmetic.
template <class F>
std::uint64_t expected(double value) {
  constexpr FloatFormat kFormat = Element<F>::kFormat;
  if (std::isnan(value)) return kFormat.canonical_nan();
  const std::uint64_t sign = std::signbit(value) ? kFormat.sign_bit() : 0;
  if (std::isinf(value)) return sign | kFormat.infinity();
  return sign | exact::round_to(Real::from_double(value), kFormat);
}

TYPED_TEST(Float16, EveryPatternGoesThroughDoubleAndThroughExact) {
  constexpr FloatFormat kFormat = Element<TypeParam>::kFormat;
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const auto value = TypeParam::from_bits(static_cast<std::uint16_t>(i));
    const auto wide = static_cast<double>(value);
    if (exact::is_nan(i, kFormat)) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(wide), 0x7FF8000000000000U);
      ASSERT_EQ(TypeParam(wide).bits, kFormat.canonical_nan());
      continue;
    }
    ASSERT_EQ(TypeParam(wide).bits, i);
    if (!exact::is_finite(i, kFormat)) continue;
    ASSERT_EQ(Real::from_double(wide), exact::value_of(value)) << i;
    if (exact::value_of(value).is_zero()) continue;
    ASSERT_EQ(exact::round_to<TypeParam>(exact::value_of(value)).bits, i);
  }
}

TYPED_TEST(Float16, TiesAndTheirNeighboursRoundAsExactArithmeticSays) {
  constexpr FloatFormat kFormat = Element<TypeParam>::kFormat;
  for (std::uint32_t i = 0; i < kFormat.infinity(); ++i) {
    const auto low = static_cast<double>(TypeParam::from_bits(static_cast<std::uint16_t>(i)));
    const auto next = TypeParam::from_bits(static_cast<std::uint16_t>(i + 1));
    const double high = i + 1 == kFormat.infinity() ? std::ldexp(1.0, kFormat.max_exponent() + 1)
                                                    : static_cast<double>(next);
    const double middle = low / 2 + high / 2;
    for (const double v : {middle, std::nextafter(middle, 0), std::nextafter(middle, high)}) {
      ASSERT_EQ(TypeParam(v).bits, expected<TypeParam>(v)) << v;
      ASSERT_EQ(TypeParam(-v).bits, expected<TypeParam>(-v)) << v;
    }
    ASSERT_EQ(TypeParam(middle).bits, (i & 1) != 0 ? i + 1 : i);
  }
}

TYPED_TEST(Float16, RandomDoublesRoundAsExactArithmeticSays) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t any = random();
    // Half of them anywhere, half of them where the format has numbers.
    const std::uint64_t exponent = 1023 - 160 + any % 320;
    const std::uint64_t near = (random() & 0x800FFFFFFFFFFFFFU) | (exponent << 52);
    const auto v = std::bit_cast<double>((i & 1) != 0 ? any : near);
    ASSERT_EQ(TypeParam(v).bits, expected<TypeParam>(v)) << v;
  }
}

TYPED_TEST(Float16, Specials) {
  constexpr FloatFormat kFormat = Element<TypeParam>::kFormat;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(TypeParam(kInf).bits, kFormat.infinity());
  EXPECT_EQ(TypeParam(-kInf).bits, kFormat.infinity() | 0x8000);
  EXPECT_EQ(TypeParam(-0.0).bits, 0x8000);
  EXPECT_EQ(TypeParam(std::numeric_limits<double>::max()).bits, kFormat.infinity());
  EXPECT_EQ(TypeParam(-std::numeric_limits<double>::denorm_min()).bits, 0x8000);
  EXPECT_EQ(TypeParam(std::bit_cast<double>(0xFFF0000000000001U)).bits, kFormat.canonical_nan());
}

TEST(Float16Values, KnownOnes) {
  EXPECT_EQ(float16(65504.0).bits, 0x7BFF);
  EXPECT_EQ(float16(65519.999).bits, 0x7BFF);
  EXPECT_EQ(float16(65520.0).bits, 0x7C00);
  EXPECT_EQ(float16(0x1p-24).bits, 1);
  EXPECT_EQ(float16(0x1p-25).bits, 0);
  EXPECT_EQ(float16(0x1.0000000000001p-25).bits, 1);
  EXPECT_EQ(float16(std::nan("")).bits, 0x7E00);
  EXPECT_EQ(bfloat16(std::nan("")).bits, 0x7FC0);
  EXPECT_EQ(bfloat16(1.00390625).bits, 0x3F80);  // 1 + 2^-8: a tie, to even
  EXPECT_EQ(bfloat16(1.01171875).bits,
            0x3F82);  // 1 + 3*2^-8: a tie, to even; truncation gives 3F81
}

TEST(Float16Values, TheRoundingModeDoesNotMatter) {
  const int saved = std::fegetround();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::uint16_t up = float16(1.0 + 0x1.8p-11).bits;
    const std::uint16_t down = float16(1.0 + 0x1p-12).bits;
    std::fesetround(saved);
    EXPECT_EQ(up, 0x3C01);
    EXPECT_EQ(down, 0x3C00);
  }
}

}  // namespace
}  // namespace hadamard
