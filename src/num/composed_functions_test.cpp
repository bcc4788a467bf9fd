// Activations where they are hard. (All numbers of the 16-bit types, and random ones of the others:
// elementary_test.cpp.)
#include "num/composed_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "num/exact.hpp"

namespace hadamard::elementary {
namespace {

double fast(Function function, double a) {
  switch (function) {
    case Function::swish:
      return rounded<Function::swish>(a);
    case Function::stanh:
      return rounded<Function::stanh>(a);
    default:
      return rounded<Function::tanh_shrink>(a);
  }
}

constexpr std::int64_t kOfStanh = 7834711219;  // 1149653 times it has 54 bits and is odd

// Beside a middle of two floats, nearer to it than any precision would show.
TEST(Special, ActivationsBesideMiddles) {
  for (const auto by : {+[](Function f, double a) { return by_multiple_precision(f, a, a); },
                        +[](Function f, double a) { return fast(f, a); }}) {
    // a/2 + a^2/4
    EXPECT_EQ(by(Function::swish, 0x1p-1074), 0x1p-1074);
    EXPECT_EQ(exact::bits_of(by(Function::swish, -0x1p-1074)), exact::bits_of(-0.0));
    EXPECT_EQ(by(Function::swish, 0x5p-1074), 0x3p-1074);
    EXPECT_EQ(by(Function::swish, -0x3p-1074), -0x1p-1074);
    // a - 1 + 2e^-2a
    EXPECT_EQ(by(Function::tanh_shrink, 0x1p53 + 2), 0x1p53 + 2);
    EXPECT_EQ(by(Function::tanh_shrink, -0x1p53 - 2), -0x1p53 - 2);
    EXPECT_EQ(by(Function::tanh_shrink, 0x1p53), 0x1p53 - 1);
    EXPECT_EQ(by(Function::tanh_shrink, 0x1p60), 0x1p60);
    EXPECT_EQ(by(Function::tanh_shrink, 1e308), 1e308);
    // a^3/3 - 2a^5/15: 9j^3 has 54 bits and is odd, so that it is a middle.
    const std::int64_t j = 100103, middle = 9 * j * j * j;
    ASSERT_EQ(middle % 4, 3);
    ASSERT_EQ(middle >> 53, 1);
    EXPECT_EQ(by(Function::tanh_shrink, std::ldexp(3.0 * static_cast<double>(j), -200)),
              std::ldexp(static_cast<double>(middle - 1), -600));
    EXPECT_EQ(by(Function::tanh_shrink, std::ldexp(-3.0 * static_cast<double>(j), -200)),
              std::ldexp(static_cast<double>(1 - middle), -600));
    EXPECT_EQ(exact::bits_of(by(Function::tanh_shrink, -0x1p-500)), exact::bits_of(-0.0));
    // 1.149653 a - …, where a has the factor 5^6 and the product is a middle.
    const double hard = 15625.0 * static_cast<double>(kOfStanh);
    EXPECT_EQ(by(Function::stanh, std::ldexp(hard, -600)),
              std::ldexp(static_cast<double>(1149653 * kOfStanh - 1), -606));
  }
}

TEST(Special, Limits) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rounded<Function::elu>(-inf), -1.0);
  EXPECT_EQ(rounded<Function::softsign>(inf), 1.0);
  EXPECT_EQ(rounded<Function::softsign>(-inf), -1.0);
  EXPECT_EQ(rounded<Function::stanh>(-inf), -1.7159);
  EXPECT_EQ(exact::bits_of(rounded<Function::swish>(-inf)), exact::bits_of(-0.0));
  EXPECT_EQ(exact::bits_of(rounded<Function::swish>(-1e308)), exact::bits_of(-0.0));
  EXPECT_EQ(exact::bits_of(by_multiple_precision(Function::swish, -1e308, 0.0)),
            exact::bits_of(-0.0));
  EXPECT_EQ(exact::bits_of(rounded<Function::softplus>(-inf)), 0u);
  EXPECT_EQ(rounded<Function::softplus>(inf), inf);
  EXPECT_EQ(exact::bits_of(rounded<Function::logsigmoid>(inf)), exact::bits_of(-0.0));
  EXPECT_EQ(rounded<Function::logsigmoid>(-1e308), -1e308);
  EXPECT_EQ(rounded<Function::soft_relu>(inf), 40.0);
  EXPECT_EQ(rounded<Function::soft_relu>(-inf), 0x1.39792499b1a24p-58);
  EXPECT_EQ(rounded<Function::tanh_shrink>(-inf), -inf);
}

}  // namespace
}  // namespace hadamard::elementary
