// Activations where they are hard. (All numbers of the 16-bit types, and random ones of the others:
// rounded_test.cpp.)
#include "op/oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "num/exact.hpp"
#include "op/rounded.hpp"

namespace hadamard::op {
namespace {

double fast(Op op, double a) {
  return op == Op::swish   ? rounded<Swish>(a)
         : op == Op::stanh ? rounded<Stanh>(a)
                           : rounded<TanhShrink>(a);
}

constexpr std::int64_t kOfStanh = 7834711219;  // 1149653 times it has 54 bits and is odd

// Beside a middle of two floats, nearer to it than any precision would show.
TEST(Special, ActivationsBesideMiddles) {
  for (const auto by : {+[](Op f, double a) { return by_multiple_precision(f, a, a); },
                        +[](Op f, double a) { return fast(f, a); }}) {
    // a/2 + a^2/4
    EXPECT_EQ(by(Op::swish, 0x1p-1074), 0x1p-1074);
    EXPECT_EQ(exact::bits_of(by(Op::swish, -0x1p-1074)), exact::bits_of(-0.0));
    EXPECT_EQ(by(Op::swish, 0x5p-1074), 0x3p-1074);
    EXPECT_EQ(by(Op::swish, -0x3p-1074), -0x1p-1074);
    // a - 1 + 2e^-2a
    EXPECT_EQ(by(Op::tanh_shrink, 0x1p53 + 2), 0x1p53 + 2);
    EXPECT_EQ(by(Op::tanh_shrink, -0x1p53 - 2), -0x1p53 - 2);
    EXPECT_EQ(by(Op::tanh_shrink, 0x1p53), 0x1p53 - 1);
    EXPECT_EQ(by(Op::tanh_shrink, 0x1p60), 0x1p60);
    EXPECT_EQ(by(Op::tanh_shrink, 1e308), 1e308);
    // a^3/3 - 2a^5/15: 9j^3 has 54 bits and is odd, so that it is a middle.
    const std::int64_t j = 100103, middle = 9 * j * j * j;
    ASSERT_EQ(middle % 4, 3);
    ASSERT_EQ(middle >> 53, 1);
    EXPECT_EQ(by(Op::tanh_shrink, std::ldexp(3.0 * static_cast<double>(j), -200)),
              std::ldexp(static_cast<double>(middle - 1), -600));
    EXPECT_EQ(by(Op::tanh_shrink, std::ldexp(-3.0 * static_cast<double>(j), -200)),
              std::ldexp(static_cast<double>(1 - middle), -600));
    EXPECT_EQ(exact::bits_of(by(Op::tanh_shrink, -0x1p-500)), exact::bits_of(-0.0));
    // 1.149653 a - …, where a has the factor 5^6 and the product is a middle.
    const double hard = 15625.0 * static_cast<double>(kOfStanh);
    EXPECT_EQ(by(Op::stanh, std::ldexp(hard, -600)),
              std::ldexp(static_cast<double>(1149653 * kOfStanh - 1), -606));
  }
}

TEST(Special, Limits) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rounded<Elu>(-inf), -1.0);
  EXPECT_EQ(rounded<Softsign>(inf), 1.0);
  EXPECT_EQ(rounded<Softsign>(-inf), -1.0);
  EXPECT_EQ(rounded<Stanh>(-inf), -1.7159);
  EXPECT_EQ(exact::bits_of(rounded<Swish>(-inf)), exact::bits_of(-0.0));
  EXPECT_EQ(exact::bits_of(rounded<Swish>(-1e308)), exact::bits_of(-0.0));
  EXPECT_EQ(exact::bits_of(by_multiple_precision(Op::swish, -1e308, 0.0)), exact::bits_of(-0.0));
  EXPECT_EQ(exact::bits_of(rounded<Softplus>(-inf)), 0u);
  EXPECT_EQ(rounded<Softplus>(inf), inf);
  EXPECT_EQ(exact::bits_of(rounded<Logsigmoid>(inf)), exact::bits_of(-0.0));
  EXPECT_EQ(rounded<Logsigmoid>(-1e308), -1e308);
  EXPECT_EQ(rounded<SoftRelu>(inf), 40.0);
  EXPECT_EQ(rounded<SoftRelu>(-inf), 0x1.39792499b1a24p-58);
  EXPECT_EQ(rounded<TanhShrink>(-inf), -inf);
}

}  // namespace
}  // namespace hadamard::op
