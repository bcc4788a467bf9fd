#include "num/text.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <chrono>
#include <cmath>
#include <random>

#include "base/test_float_env.hpp"
#include "hadamard/error.hpp"
#include "num/exact.hpp"

namespace hadamard::text {
namespace {

// The message of the bad_literal that parse<T>(text) throws; "" where it throws none.
template <class T>
std::string message(std::string_view text) {
  try {
    parse<T>(text);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_literal);
    const std::string what = e.what();
    EXPECT_EQ(what.find('\n'), std::string::npos);
    EXPECT_LT(what.size(), 200U);
    return what;
  }
  return {};
}

template <class F>
class Text16 : public testing::Test {};
using Types16 = testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(Text16, Types16);

TYPED_TEST(Text16, EveryPatternReadsBack) {
  constexpr FloatFormat kFormat = Element<TypeParam>::kFormat;
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const std::string text = format(TypeParam::from_bits(static_cast<std::uint16_t>(i)));
    const auto expected = exact::is_nan(i, kFormat) ? kFormat.canonical_nan() : i;
    ASSERT_EQ(parse<TypeParam>(text).bits, expected) << text;
  }
}

// |value| scaled to the integer that its first `count` digits make, rounded down.
Real leading_digits(const Real& value, int count, Real& unit) {
  const Real ten(10);
  unit = Real(1);
  Real limit(1);
  for (int i = 0; i < count; ++i) limit = limit * ten;
  while (value / unit >= limit) unit = unit * ten;
  while (value / unit < limit / ten) unit = unit / ten;
  std::string whole = (value / unit).to_decimal(0);  // to nearest: step back if that was up
  const Real nearest = Real::parse(whole);
  return nearest * unit > value ? nearest - Real(1) : nearest;
}

// Independent of how format() works: with one digit less, neither number around the value reads
// back; and of the two with as many digits, the chosen one is not the farther of two that do.
TYPED_TEST(Text16, NothingShorterReadsBackAndNothingAsShortIsCloser) {
  constexpr FloatFormat kFormat = Element<TypeParam>::kFormat;
  for (std::uint32_t i = 1; i < kFormat.infinity(); ++i) {
    const Real value = exact::value_of(i, kFormat);
    const std::string text = format(TypeParam::from_bits(static_cast<std::uint16_t>(i)));
    std::string digits;
    for (const char c : text.substr(0, text.find('e'))) {
      if (c != '.') digits += c;
    }
    digits.erase(0, digits.find_first_not_of('0'));
    digits.erase(digits.find_last_not_of('0') + 1);
    const int count = static_cast<int>(digits.size());
    const Real chosen = Real::parse(text);
    const auto error = [&](const Real& r) { return r > value ? r - value : value - r; };
    for (int n = std::max(1, count - 1); n <= count; ++n) {
      Real unit;
      const Real low = leading_digits(value, n, unit);
      for (const Real& candidate : {low * unit, (low + Real(1)) * unit}) {
        if (exact::round_to(candidate, kFormat) != i) continue;
        ASSERT_EQ(n, count) << text << " could be " << candidate.to_string();
        ASSERT_LE(error(chosen), error(candidate)) << text << " " << candidate.to_string();
      }
    }
  }
}

TYPED_TEST(Text16, ParseRoundsOnceAtTies) {
  constexpr FloatFormat kFormat = Element<TypeParam>::kFormat;
  for (std::uint32_t i = 1; i + 1 < kFormat.infinity(); i += 5) {
    const Real tie = (exact::value_of(i, kFormat) + exact::value_of(i + 1, kFormat)) / Real(2);
    std::string text = tie.to_decimal(160);  // all of its decimals: 2^-134 has 134
    ASSERT_EQ(parse<TypeParam>(text).bits, (i & 1) != 0 ? i + 1 : i) << text;
    text += "000000000001";
    ASSERT_EQ(parse<TypeParam>(text).bits, i + 1) << text;
    ASSERT_EQ(parse<TypeParam>(tie.to_string()).bits, (i & 1) != 0 ? i + 1 : i) << tie.to_string();
  }
}

template <class F>
void round_trip_random_patterns() {
  constexpr FloatFormat kFormat = Element<F>::kFormat;
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    auto bits = static_cast<typename Element<F>::Bits>(random());
    if (i % 8 == 0) bits &= kFormat.mantissa_mask() | kFormat.sign_bit();  // subnormals
    const std::string text = format(exact::from_bits<F>(bits));
    const auto expected = exact::is_nan(bits, kFormat) ? kFormat.canonical_nan() : bits;
    ASSERT_EQ(exact::bits_of(parse<F>(text)), expected) << text;
  }
}
TEST(Text, RandomPatternsOfFp32ReadBack) { round_trip_random_patterns<float>(); }
TEST(Text, RandomPatternsOfFp64ReadBack) { round_trip_random_patterns<double>(); }

TEST(Text, FormatsAsPythonDoes) {
  EXPECT_EQ(format(0.1), "0.1");
  EXPECT_EQ(format(7.0), "7");
  EXPECT_EQ(format(1e30), "1e+30");
  EXPECT_EQ(format(1e15), "1000000000000000");
  EXPECT_EQ(format(1e16), "1e+16");
  EXPECT_EQ(format(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(format(0.0001), "0.0001");
  EXPECT_EQ(format(0.00001), "1e-05");
  EXPECT_EQ(format(-1234.5), "-1234.5");
  EXPECT_EQ(format(5e-324), "5e-324");
  EXPECT_EQ(format(0.1F), "0.1");
  EXPECT_EQ(format(-0.0), "-0");
  EXPECT_EQ(format(-HUGE_VAL), "-inf");
  EXPECT_EQ(format(std::nan("")), "nan");
  EXPECT_EQ(format(-std::nan("")), "nan");
  EXPECT_EQ(format(float16(65504.0)), "65500");
  EXPECT_EQ(format(float16(0x1p-24)), "6e-08");
  EXPECT_EQ(format(Real(61, 30)), "61/30");
  EXPECT_EQ(format(std::complex<double>(1, -2.5)), "1-2.5i");
  EXPECT_EQ(format(std::complex<float>(-0.0F, NAN)), "-0+nani");
  EXPECT_EQ(format(true), "true");
  EXPECT_EQ(format(int4(-8)), "-8");
  EXPECT_EQ(format(std::int8_t{-128}), "-128");
}

TEST(Text, FormatsBits) {
  EXPECT_EQ(format_hex(float16(1.0)), "0x3c00");
  EXPECT_EQ(format_hex(1.0), "0x3ff0000000000000");
  EXPECT_EQ(format_hex(int4(-1)), "0xf");
  EXPECT_EQ(format_hex(std::int16_t{-2}), "0xfffe");
  EXPECT_EQ(format_hex(std::uint64_t{1}), "0x0000000000000001");
  EXPECT_EQ(format_hex(true), "0x01");
  EXPECT_EQ(format_hex(std::complex<float>(1, 2)), "0x3f800000+0x40000000i");
  EXPECT_EQ(format_hex(Real(1, 3)), "1/3");
}

TEST(Text, ParsesFloats) {
  EXPECT_EQ(parse<double>("-1.5e3"), -1500.0);
  EXPECT_EQ(parse<double>(".5"), 0.5);
  EXPECT_EQ(parse<double>("+5."), 5.0);
  EXPECT_EQ(parse<double>("0x1.8p3"), 12.0);
  EXPECT_EQ(parse<double>("-0X.8P1"), -1.0);
  EXPECT_EQ(parse<double>("0x1f"), 31.0);
  EXPECT_EQ(parse<double>("61/30"), 61.0 / 30);
  EXPECT_EQ(parse<float>("1/3"), 1.0F / 3);
  EXPECT_EQ(parse<double>("-Infinity"), -HUGE_VAL);
  EXPECT_EQ(parse<double>("+INF"), HUGE_VAL);
  EXPECT_TRUE(std::signbit(parse<double>("-0e99")));
  EXPECT_TRUE(std::signbit(parse<double>("-0/3")));
  for (const auto* nan : {"nan", "-nan", "+NaN"}) {
    EXPECT_EQ(exact::bits_of(parse<double>(nan)), kFp64.canonical_nan());
    EXPECT_EQ(parse<float16>(nan).bits, 0x7E00);
  }
}

TEST(Text, DecidesBetweenUnderflowAndOverflowAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  for (const auto* tiny : {"1e-999999999", "1e-99999999999999999999999", "-2e-324",
                           "-0x1p-99999999", "0x1p-1075", "2.4703282292062327e-324"}) {
    EXPECT_EQ(exact::bits_of(parse<double>(tiny)) & ~kFp64.sign_bit(), 0U) << tiny;
    EXPECT_EQ(std::signbit(parse<double>(tiny)), tiny[0] == '-') << tiny;
  }
  EXPECT_EQ(parse<double>("2.4703282292062328e-324"), 5e-324);
  EXPECT_EQ(parse<double>("0x1.0000000000000000000000001p-1075"), 5e-324);
  EXPECT_EQ(parse<double>("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022);
  EXPECT_EQ(parse<float>("1e-46"), 0.0F);
  EXPECT_EQ(parse<double>("0e999999999"), 0.0);
  EXPECT_EQ(parse<double>("0." + std::string(5000, '0') + "1e5001"), 1.0);
  EXPECT_EQ(parse<double>("1" + std::string(5000, '0') + "e-5000"), 1.0);
  for (const auto* huge : {"1e999999999", "-1e99999999999999999999999", "0x1p1024", "1.8e308",
                           "0x1p99999999999999999999", "179769313486231580793728971405304e276"}) {
    EXPECT_NE(message<double>(huge).find("overflows fp64"), std::string::npos) << huge;
  }
  EXPECT_EQ(parse<double>("179769313486231580793728971405303e276"),
            std::numeric_limits<double>::max());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(Text, LongDigitsAreRoundedByAllOfThem) {
  const std::string tie = "9007199254740993." + std::string(200'000, '0');  // 2^53 + 1
  EXPECT_EQ(parse<double>(tie), 9007199254740992.0);
  EXPECT_EQ(parse<double>(tie + "1"), 9007199254740994.0);
  EXPECT_EQ(parse<float16>("2049." + std::string(200'000, '0')).bits, float16(2048.0).bits);
  EXPECT_EQ(parse<float16>("2049." + std::string(200'000, '0') + "1").bits, float16(2050.0).bits);
  EXPECT_EQ(parse<float16>("0x801." + std::string(200'000, '0') + "1").bits, float16(2050.0).bits);
}

TEST(Text, TheRoundingModeDoesNotMatter) {
  const int saved = std::fegetround();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const double tenth = parse<double>("0.1");
    const double large = parse<double>("123456789e22");
    const std::string text = format(bfloat16(0.1));
    std::fesetround(saved);
    EXPECT_EQ(exact::bits_of(tenth), 0x3FB999999999999AU);
    EXPECT_EQ(exact::bits_of(large), exact::bits_of(123456789e22));
    EXPECT_EQ(text, "0.1");
  }
}

TEST(Text, TheFloatEnvironmentDoesNotMatter) {
  for (const auto& [name, word] : floatenv::every()) {
    floatenv::set(word);
    const floatenv::Word before = floatenv::now();
    const float parsed = parse<float>("1e-45");
    const double small = parse<double>("1e-310");
    const double third = parse<double>("0.333333333333333333333");
    const float16 half = parse<float16>("0.1");
    const std::string text = format(exact::from_bits<double>(1)) + " " +
                             format(float16::from_bits(1)) + " " + format(bfloat16::from_bits(1));
    const floatenv::Word after = floatenv::now();
    floatenv::set(floatenv::kDefault);
    EXPECT_EQ(after, before) << name;
    EXPECT_EQ(exact::bits_of(parsed), 1U) << name;
    EXPECT_EQ(exact::bits_of(small), exact::bits_of(1e-310)) << name;
    EXPECT_EQ(exact::bits_of(third), exact::bits_of(1.0 / 3)) << name;
    EXPECT_EQ(half.bits, 0x2E66) << name;
    EXPECT_EQ(text, "5e-324 6e-08 9e-41") << name;
  }
}

// What no function guards: conversions of the 16-bit types, which kernels make millions of.
TEST(Text, FlushingSubnormalsKeepsHalves) {
  floatenv::set(floatenv::kDefault | floatenv::kFlush);
  const double wide = static_cast<double>(bfloat16::from_bits(1));
  const std::uint16_t narrow = bfloat16(wide).bits;
  floatenv::set(floatenv::kDefault);
  EXPECT_EQ(narrow, 1);
}

TEST(Text, Messages) {
  EXPECT_EQ(message<std::int8_t>("6.1"), "'6.1' is not a whole number: int8 expects -128 … 127");
  EXPECT_EQ(message<std::uint8_t>("300"), "'300' is out of range: uint8 holds 0 … 255");
  EXPECT_EQ(
      message<float16>("1e6"),
      "'1e6' overflows fp16, whose largest finite number is 65504; write inf if that is meant");
  EXPECT_EQ(message<Real>("inf"),
            "'inf' is not a rational number: real has no infinities and no NaN");
  EXPECT_EQ(message<bool>("yes"), "'yes' is not a truth value: bool expects true, false, 1 or 0");
  EXPECT_EQ(
      message<float>("a\n\xff"),
      "'a\\x0a\\xff' is not a number: fp32 expects one such as -1.5, 1e-3, 61/30, 0x1.8p3, inf or "
      "nan");
  EXPECT_NE(message<float>(std::string(1000, 'x')).find("'" + std::string(40, 'x') + "...'"),
            std::string::npos);
}

template <class T>
void check_integer_extremes() {
  const std::string low = std::to_string(Element<T>::kMin);
  const std::string high = std::to_string(Element<T>::kMax);
  EXPECT_EQ(format(parse<T>(low)), low);
  EXPECT_EQ(format(parse<T>(high)), high);
  EXPECT_EQ(format(parse<T>(high + ".000")), high);
  EXPECT_EQ(format(parse<T>(low + "0e-1")), low);
  EXPECT_EQ(format(parse<T>("+0x7")), "7");
  EXPECT_EQ(format(parse<T>("-0")), "0");
  EXPECT_EQ(format(parse<T>("6/3")), "2");
  const std::string above = (Real::parse(high) + Real(1)).to_string();
  const std::string below = (Real::parse(low) - Real(1)).to_string();
  for (const auto& text : {above, below, std::string("1e20"), std::string("1e999999999999"),
                           std::string("-0x1p64"), std::string("18446744073709551616")}) {
    EXPECT_NE(message<T>(text).find("out of range"), std::string::npos) << text;
  }
  for (const auto* text : {"0.5", "1e-1", "1e-999999999999", "nan", "inf", "1/3", "0x1p-1"}) {
    EXPECT_NE(message<T>(text).find("not a whole number"), std::string::npos) << text;
  }
}
TEST(Text, IntegerExtremes) {
  check_integer_extremes<int4>();
  check_integer_extremes<std::int8_t>();
  check_integer_extremes<std::int16_t>();
  check_integer_extremes<std::int32_t>();
  check_integer_extremes<std::int64_t>();
  check_integer_extremes<uint4>();
  check_integer_extremes<std::uint8_t>();
  check_integer_extremes<std::uint16_t>();
  check_integer_extremes<std::uint32_t>();
  check_integer_extremes<std::uint64_t>();
  EXPECT_EQ(parse<std::int16_t>("1e3"), 1000);
  EXPECT_EQ(parse<std::uint8_t>("0x1f"), 31);
}

TEST(Text, Complex) {
  using C = std::complex<double>;
  EXPECT_EQ(parse<C>("1+2i"), C(1, 2));
  EXPECT_EQ(parse<C>("-2.5i"), C(0, -2.5));
  EXPECT_EQ(parse<C>("i"), C(0, 1));
  EXPECT_EQ(parse<C>("-j"), C(0, -1));
  EXPECT_EQ(parse<C>("3-i"), C(3, -1));
  EXPECT_EQ(parse<C>("3"), C(3, 0));
  EXPECT_EQ(parse<C>("1e+2i"), C(0, 100));
  EXPECT_EQ(parse<C>("0x1e+2i"), C(30, 2));
  EXPECT_EQ(parse<C>("1/2-3/4j"), C(0.5, -0.75));
  EXPECT_EQ(parse<C>("-inf+infinityi"), C(-HUGE_VAL, HUGE_VAL));
  EXPECT_TRUE(std::signbit(parse<C>("-0-0i").imag()));
  EXPECT_TRUE(std::isnan(parse<C>("1+nani").imag()));
  for (const auto* text :
       {"1+2", "1+", "ii", "1i2", "1++2i", "1+-2i", "+", "2i+1", "1+2i3", "", "1 + 2i"}) {
    EXPECT_NE(message<C>(text).find("is not a complex number"), std::string::npos) << text;
  }
  EXPECT_NE(message<std::complex<float>>("1+1e40i").find("overflows"), std::string::npos);
}

TEST(Text, HostileTextsAreRefusedByEveryType) {
  const std::string long_word(300'000, 'e');
  for (const std::string_view text :
       {std::string_view(""),       std::string_view("+"),      std::string_view("-"),
        std::string_view("1e"),     std::string_view("0x"),     std::string_view("1/0"),
        std::string_view("--1"),    std::string_view("."),      std::string_view("1.2.3"),
        std::string_view("0x.p1"),  std::string_view("\0", 1),  std::string_view("1\0", 2),
        std::string_view("١"),      std::string_view("1e5.5"),  std::string_view(" 1"),
        std::string_view("nan(1)"), std::string_view("infin"),  std::string_view("0b1"),
        std::string_view("1'000"),  std::string_view(long_word)}) {
    for (int i = 0; i < kTypeCount; ++i) {
      with_type(static_cast<DType>(i), [&]<class T>(std::type_identity<T>) {
        EXPECT_NE(message<T>(text), "") << name(dtype_of<T>) << " " << text.substr(0, 20);
      });
    }
  }
}

TEST(Text, NumberLength) {
  EXPECT_EQ(number_length("1+2i, 3"), 4U);
  EXPECT_EQ(number_length("-61/30]"), 6U);
  EXPECT_EQ(number_length("nan;"), 3U);
  EXPECT_EQ(number_length(" 1"), 0U);
  EXPECT_EQ(number_length(""), 0U);
}

TEST(IsNumber, KnowsTheFormAndNothingElse) {
  for (const char* yes : {"1", "-6", ".5", "1e999", "0x1p3", "-inf", "NaN", "61/30", "1+2i", "-i",
                          "2j", "1-infi", "true", "false"}) {
    EXPECT_TRUE(is_number(yes)) << yes;
  }
  for (const char* no :
       {"", "-", "--type", "-o", "1.npy", "1 2", "1+", "1+2", "infinit", "e5", "a"}) {
    EXPECT_FALSE(is_number(no)) << no;
  }
}

}  // namespace
}  // namespace hadamard::text
