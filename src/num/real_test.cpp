#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "hadamard/error.hpp"
#include "hadamard/types.hpp"

namespace hadamard {
namespace {

template <class F>
ErrorCode code_of(F&& f) {
  try {
    std::forward<F>(f)();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    EXPECT_LT(std::string(e.what()).size(), 200U) << e.what();
    return e.code();
  }
  return ErrorCode::ok;
}

TEST(Real, IsAlwaysInLowestTerms) {
  EXPECT_EQ(Real(4, 6).to_string(), "2/3");
  EXPECT_EQ(Real(4, -6).to_string(), "-2/3");
  EXPECT_EQ(Real(-8, -4).to_string(), "2");
  EXPECT_EQ(Real(0, -5).to_string(), "0");
  EXPECT_EQ(Real(0, 5).rep(), nullptr);
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(Real(kMin, -1).to_string(), "9223372036854775808");
  EXPECT_EQ(Real(1, kMin).to_string(), "-1/9223372036854775808");
  EXPECT_EQ(Real::from_unsigned(~std::uint64_t{0}).to_string(), "18446744073709551615");
  EXPECT_EQ(code_of([] { Real(1, 0); }), ErrorCode::zero_divisor);
}

TEST(Real, ArithmeticIsExactAndZeroHasNoRepresentation) {
  const Real third(1, 3);
  EXPECT_EQ(third + third + third, Real(1));
  EXPECT_EQ((third - third).rep(), nullptr);
  EXPECT_EQ((third * Real()).rep(), nullptr);
  EXPECT_EQ(Real() - third, Real(-1, 3));
  EXPECT_EQ(third - Real(), third);
  EXPECT_EQ(Real() + third, third);
  EXPECT_EQ(Real() / third, Real());
  EXPECT_EQ(Real::parse("6.1") / Real(3), Real(61, 30));
  EXPECT_EQ(code_of([&] { third / Real(); }), ErrorCode::zero_divisor);
  EXPECT_EQ(code_of([&] { Real() / Real(); }), ErrorCode::zero_divisor);
}

TEST(Real, Orders) {
  EXPECT_LT(Real(-1), Real());
  EXPECT_LT(Real(), Real(1, 1000));
  EXPECT_GT(Real(1, 2), Real(1, 3));
  EXPECT_EQ(Real(), Real(0));
  EXPECT_EQ(Real(-3, 7).sign(), -1);
}

TEST(Real, CopiesAndMoves) {
  Real a(5, 3);
  Real b = a;
  a = Real(1);
  EXPECT_EQ(b, Real(5, 3));
  Real c = std::move(b);
  EXPECT_EQ(c, Real(5, 3));
  const Real& alias = c;
  c = alias;
  EXPECT_EQ(c, Real(5, 3));
  c = Real();
  EXPECT_TRUE(c.is_zero());
}

TEST(Real, FromAndToDouble) {
  EXPECT_EQ(Real::from_double(0.1).to_string(), "3602879701896397/36028797018963968");
  EXPECT_TRUE(Real::from_double(-0.0).is_zero());
  for (const double v :
       {1.0, -0.1, 1e308, 5e-324, -2.2250738585072014e-308, 0x1.fffffffffffffp+1023}) {
    EXPECT_EQ(Real::from_double(v).to_double(), v);
  }
  EXPECT_EQ((Real::from_double(1e308) * Real(10)).to_double(),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(Real(1, 3).to_double(), 1.0 / 3);
  for (const double v : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(code_of([&] { Real::from_double(v); }), ErrorCode::bad_argument);
  }
}

TEST(Real, Parses) {
  EXPECT_EQ(Real::parse("61/30"), Real(61, 30));
  EXPECT_EQ(Real::parse("-7"), Real(-7));
  EXPECT_EQ(Real::parse("+6.1"), Real(61, 10));
  EXPECT_EQ(Real::parse("1.5e-3"), Real(3, 2000));
  EXPECT_EQ(Real::parse(".5"), Real(1, 2));
  EXPECT_EQ(Real::parse("5."), Real(5));
  EXPECT_EQ(Real::parse("6.1/0.3"), Real(61, 3));
  EXPECT_EQ(Real::parse("0x1.8p3"), Real(12));
  EXPECT_EQ(Real::parse("-0").rep(), nullptr);
  EXPECT_EQ(Real::parse("1e9999") * Real::parse("1e-9999"), Real(1));
  EXPECT_EQ(Real::parse(std::string(99'999, '9')).to_string(), std::string(99'999, '9'));
}

TEST(Real, RefusesWhatIsNoExactNumber) {
  for (const auto* text : {"",          "+",
                           "-",         "--1",
                           "1e",        "1e+",
                           "0x",        "1/0",
                           "1/",        "/2",
                           "1/2/3",     "1/-2",
                           ".",         "e5",
                           " 1",        "1 ",
                           "inf",       "nan",
                           "-inf",      "1e10000",
                           "1e-10000",  "1e999999999999999999999",
                           "1_000",     "1/0.00",
                           "0x1p99999", "1,5"}) {
    EXPECT_EQ(code_of([&] { Real::parse(text); }), ErrorCode::bad_literal) << text;
  }
  EXPECT_EQ(code_of([] { Real::parse(std::string(100'001, '1')); }), ErrorCode::bad_literal);
  EXPECT_EQ(code_of([] { Real::parse(std::string("1\0", 2)); }), ErrorCode::bad_literal);
}

TEST(Real, ToDecimalRoundsHalfToEven) {
  EXPECT_EQ(Real(61, 30).to_decimal(4), "2.0333");
  EXPECT_EQ(Real(1, 2).to_decimal(0), "0");
  EXPECT_EQ(Real(3, 2).to_decimal(0), "2");
  EXPECT_EQ(Real(5, 2).to_decimal(0), "2");
  EXPECT_EQ(Real(-5, 2).to_decimal(0), "-2");
  EXPECT_EQ(Real(-7, 2).to_decimal(0), "-4");
  EXPECT_EQ(Real(1, 8).to_decimal(2), "0.12");
  EXPECT_EQ(Real(3, 8).to_decimal(2), "0.38");
  EXPECT_EQ(Real(-1, 1000).to_decimal(2), "0.00");
  EXPECT_EQ(Real(-2, 3).to_decimal(3), "-0.667");
  EXPECT_EQ(Real().to_decimal(3), "0.000");
  EXPECT_EQ(Real(999, 1000).to_decimal(2), "1.00");
  EXPECT_EQ(Real(12345).to_decimal(1), "12345.0");
  EXPECT_EQ(code_of([] { Real(1).to_decimal(-1); }), ErrorCode::bad_argument);
}

TEST(Real, TheWorstTextIsReadInReasonableTime) {
  const auto start = std::chrono::steady_clock::now();
  Real::parse(std::string(49'999, '7') + "/" + std::string(50'000, '3'));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace hadamard
