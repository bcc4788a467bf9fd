// Against MPFR and on many more operands: tests/differential/mpfr_test.cpp.
#include "num/complex.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace hadamard::cx {
namespace {

using C = std::complex<double>;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMin = std::numeric_limits<double>::denorm_min();
constexpr double kMax = std::numeric_limits<double>::max();

void expect_bits(C actual, C expected, const char* what) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(actual.real()),
            std::bit_cast<std::uint64_t>(expected.real()))
      << what << ": " << actual << ", expected " << expected;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(actual.imag()),
            std::bit_cast<std::uint64_t>(expected.imag()))
      << what << ": " << actual << ", expected " << expected;
}
void expect_quotient(C a, C b, C expected) {
  expect_bits(div(a, b), expected, "div");
  expect_bits(exact_div(a, b), expected, "exact_div");
}
void expect_product(C a, C b, C expected) {
  expect_bits(mul(a, b), expected, "mul");
  expect_bits(exact_mul(a, b), expected, "exact_mul");
}

// docs/semantics/sonnx.md, "MATLAB".
TEST(Complex, QuotientsThatTheTextbookGetsWrong) {
  expect_quotient({1e300, 1e300}, {1e300, 1e300}, {1, 0});
  expect_quotient({1e308, 1e308}, {2, 0}, {5e307, 5e307});
  expect_quotient({5, 1}, {1e200, 0}, {5e-200, 1e-200});
  expect_quotient({1, 1}, {kInf, 0}, {0, 0});
  expect_quotient({1, 2}, {0, 0}, {kInf, kInf});
  expect_quotient({kMax, kMax}, {kMax, kMax}, {1, 0});
  expect_quotient({kMin, kMin}, {kMin, kMin}, {1, 0});
  expect_quotient({1, 0}, {3e-308, 4e-308}, exact_div(C{1, 0}, C{3e-308, 4e-308}));
}

// Found by the differential tests: a part 2^1000 times smaller than the other was scaled to zero.
TEST(Complex, PartsOfVeryDifferentSizes) {
  expect_quotient({0x1.a3e6ae9d3fe6p+817, kMin}, {-0x1.7762acf4dd8f4p+1, -kMin},
                  {-0x1.1e5baf7a96159p+816, 0x1.8692a736a496cp-260});
  expect_quotient({kMax, 0}, {-kMin, -0x1.57d01721a8aedp+442},
                  {-0x1.1bdc6838ff99ep-935, 0x1.7d3b0c5f2c97ep+581});
}

// Found by the differential tests: the sign of a zero was lost.
TEST(Complex, ZerosHaveTheirSigns) {
  expect_product({1.5, -0.0}, {0x1p-94, -0.0}, {0x1.8p-94, -0.0});
  expect_product({0.0, 0.0}, {-1.0, 0.0}, {-0.0, 0.0});
  expect_product({1.0, 2.0}, {0.0, 0.0}, {0.0, 0.0});
  expect_product({1, 1}, {1, 1}, {0.0, 2});  // exact cancellation: +0
  expect_product({1, 1}, {1, -1}, {2, 0.0});
}

TEST(Complex, ProductsThatCancel) {
  // (1+e)(1-e) - 1 = -e^2, which a product rounded first loses.
  const double e = 0x1p-30;
  expect_product({1 + e, 1}, {1 - e, 1}, {-e * e, 2});
  // The real part overflows nowhere though both of its terms do.
  expect_product({1e200, 1e200}, {1e200, 1e200}, {0.0, kInf});
}

TEST(Complex, InfinitiesAndNans) {
  expect_product({kInf, 0}, {1, 1}, {kInf, kInf});
  expect_product({kNan, kNan}, {1, 1}, {kNan, kNan});
  expect_product({-kNan, 1}, {1, 1}, {kNan, kNan});
  expect_quotient({1, 1}, {kInf, kInf}, {0, 0});
  expect_quotient({kNan, 1}, {2, 3}, {kNan, kNan});
  EXPECT_TRUE(std::isinf(div(C{kInf, 1}, C{2, 3}).real()));
}

TEST(Complex, SumsPartByPart) {
  expect_bits(add(C{1, -0.0}, C{2, -0.0}), {3, -0.0}, "add");
  expect_bits(sub(C{1, kInf}, C{1, kInf}), {0.0, kNan}, "sub");
}

TEST(Complex, FloatsAgreeWithTheExactOnes) {
  using F = std::complex<float>;
  const float values[] = {0.0F,   -0.0F,  1.0F,  -3.0F, 1.0000001F,
                          1e-45F, 1e-38F, 3e38F, 1e19F, 7e-20F};
  for (const float p : values) {
    for (const float q : values) {
      for (const float r : values) {
        for (const float s : values) {
          const F a{p, q}, b{r, s};
          const F product = mul(a, b), exact = exact_mul(a, b);
          ASSERT_EQ(std::bit_cast<std::uint64_t>(product), std::bit_cast<std::uint64_t>(exact))
              << a << " * " << b;
          const F quotient = div(a, b), ratio = exact_div(a, b);
          ASSERT_EQ(std::bit_cast<std::uint64_t>(quotient), std::bit_cast<std::uint64_t>(ratio))
              << a << " / " << b;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hadamard::cx
