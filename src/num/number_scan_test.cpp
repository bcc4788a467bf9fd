#include "num/number_scan.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hadamard::text {
namespace {

TEST(NumberScan, TakesTheLongestValue) {
  const std::pair<const char*, std::size_t> cases[] = {
      {"12.5e3x", 6}, {"1e", 1},       {"1e+", 1},     {"0x", 1},    {"0x1.8p3z", 7}, {"0x1p", 3},
      {"0x.", 1},     {"5.", 2},       {".5", 2},      {".", 0},     {"+", 0},        {"-.e1", 0},
      {"infi", 3},    {"INFINITY", 8}, {"-nan(0)", 4}, {"1/2/3", 3}, {"1/", 1},       {"1/x", 1},
      {"0x1e+2i", 4}, {"1e+2i", 4},    {"1.2.3", 3},   {"--1", 0},   {"", 0},         {"1/0x1f", 6},
  };
  for (const auto& [text, length] : cases) EXPECT_EQ(scan(text).length, length) << text;
}

TEST(NumberScan, Parts) {
  const Scanned s = scan("-012.340e-5/0x.8p+2");
  EXPECT_TRUE(s.negative);
  EXPECT_TRUE(s.is_fraction);
  EXPECT_EQ(s.number.whole, "012");
  EXPECT_EQ(s.number.fraction, "340");
  EXPECT_EQ(s.number.exponent, -5);
  EXPECT_TRUE(s.denominator.hex);
  EXPECT_EQ(s.denominator.fraction, "8");
  EXPECT_EQ(s.denominator.exponent, 2);
}

TEST(NumberScan, MagnitudeBoundsTheNumber) {
  for (const auto* text : {"1", "9.99", "0.001", "000100", "0.0e5", "12e-7", ".05e3", "0x1",
                           "0xff.8", "0x0.01p3", "0x.8p-4"}) {
    const Scanned s = scan(text);
    if (s.number.is_zero()) continue;
    Real limit(1);
    const Real base(s.number.hex ? 2 : 10);
    const std::int64_t magnitude = s.number.magnitude();
    for (std::int64_t i = 0; i < magnitude; ++i) limit = limit * base;
    for (std::int64_t i = 0; i > magnitude; --i) limit = limit / base;
    const Real value = exact_value(s, text);
    EXPECT_LT(value, limit) << text;
    EXPECT_GE(value, limit / Real(s.number.hex ? 16 : 10)) << text;
  }
  EXPECT_GT(scan("1e99999999999999999999999999").number.magnitude(), 1'000'000'000);
  EXPECT_LT(scan("0x1p-99999999999999999999999999").number.magnitude(), -1'000'000'000);
  EXPECT_TRUE(scan("000.000e7").number.is_zero());
}

TEST(NumberScan, NearestKnowsWhatFollowsTheDigitsItKeeps) {
  const std::string zeros(2000, '0');
  EXPECT_EQ(nearest(scan("2049." + zeros).number, kFp16), 0x6800U);
  EXPECT_EQ(nearest(scan("2049." + zeros + "1").number, kFp16), 0x6801U);
  EXPECT_EQ(nearest(scan("2049" + zeros + "1e-2001").number, kFp16), 0x6801U);
  EXPECT_EQ(nearest(scan("2049" + zeros + ".1e-2000").number, kFp16), 0x6801U);
  EXPECT_EQ(nearest(scan("0." + zeros + "2049e2004").number, kFp16), 0x6800U);
}

TEST(NumberScan, QuotesOnOneShortLine) {
  EXPECT_EQ(in_quotes("abc"), "'abc'");
  EXPECT_EQ(in_quotes("a\n\x7f\xc3"), "'a\\x0a\\x7f\\xc3'");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
  EXPECT_EQ(in_quotes(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
}

}  // namespace
}  // namespace hadamard::text
