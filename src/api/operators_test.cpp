// Operators of complex numbers, of integers that saturate, and others whose results have a type of
// their own, through the façade.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "hadamard/hadamard.hpp"
#include "hadamard/program.hpp"

namespace hadamard {
namespace {

using C = std::complex<double>;
using Numbers = std::vector<double>;

Tensor complex_numbers(const std::vector<C>& z) {
  return Tensor::from(z, {static_cast<std::int64_t>(z.size())});
}

TEST(ComplexFunctions, AreThereInDialectNative) {
  const Tensor z = complex_numbers({{-4, 0}, {-4, -0.0}, {3, -4}});
  EXPECT_EQ(sqrt(z).to_vector<C>(), (std::vector<C>{{0, 2}, {0, -2}, {2, -1}}));
  const Tensor y = exp(complex_numbers({{0, 0}, {1, 0}}));
  EXPECT_EQ(y.to_vector<C>(), (std::vector<C>{{1, 0}, {std::exp(1.0), 0}}));
  EXPECT_EQ(log(complex_numbers({{-1, 0}})).to_vector<C>(), (std::vector<C>{{0, M_PI}}));
  EXPECT_EQ(sign(z).to_vector<C>()[2], C(0.6, -0.8));
  const Tensor power = pow(complex_numbers({{1, 2}, {0, 1}}), complex_numbers({{2, 0}, {3, 0}}));
  EXPECT_EQ(power.to_vector<C>(), (std::vector<C>{{-3, 4}, {0, -1}}));
  EXPECT_EQ(eval(exp(lazy(z)) - exp(lazy(z))).to_vector<C>(), std::vector<C>(3));
  EXPECT_EQ(sqrt(cast(z, DType::complex64)).dtype(), DType::complex64);
}

TEST(ComplexFunctions, GiveRealNumbers) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Tensor z = complex_numbers({{3, -4}, {-5, 12}, {inf, nan}, {1e308, 1e308}});
  const Tensor size = abs(z);
  EXPECT_EQ(size.dtype(), DType::fp64);
  EXPECT_EQ(size.to_vector<double>(), (Numbers{5, 13, inf, std::hypot(1e308, 1e308)}));
  EXPECT_EQ(result_layout(Op::abs, z.layout()).dtype, DType::fp64);
  Tensor y(DType::fp64, {4});
  abs_into(y.view(), z);
  EXPECT_EQ(y.to_vector<double>(), size.to_vector<double>());
  EXPECT_EQ(hypot(z, z).to_vector<double>()[0], std::sqrt(50.0));
  EXPECT_EQ(abs(cast(z, DType::complex64)).dtype(), DType::fp32);
  EXPECT_EQ(real(z).to_vector<double>()[1], -5);
  EXPECT_EQ(imag(z).to_vector<double>()[1], 12);
  EXPECT_EQ(conj(z).to_vector<C>()[1], C(-5, -12));
  EXPECT_EQ(angle(z).to_vector<double>()[0], std::atan2(-4.0, 3.0));
  EXPECT_EQ(from_parts(real(z), imag(z)).to_vector<C>()[0], C(3, -4));
  try {
    abs(z, {.then = Op::neg});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_argument) << error.what();
  }
}

TEST(Saturating, RoundsHalfAwayFromZeroAndStaysInside) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const Tensor a = Tensor::from(std::vector<std::int64_t>{kMax, -kMax - 1, 7, -7, 0}, {5});
  const Tensor two = Tensor::scalar(std::int64_t{2}), zero = Tensor::scalar(std::int64_t{0});
  using I = std::vector<std::int64_t>;
  EXPECT_EQ(saturating_add(a, two).to_vector<std::int64_t>(), (I{kMax, -kMax + 1, 9, -5, 2}));
  EXPECT_EQ(saturating_div(a, two).to_vector<std::int64_t>(),
            (I{kMax / 2 + 1, -kMax / 2 - 1, 4, -4, 0}));
  EXPECT_EQ(saturating_div(a, zero).to_vector<std::int64_t>(),
            (I{kMax, -kMax - 1, kMax, -kMax - 1, 0}));
  // A double stands beside integers as it is.
  const Tensor half = Tensor::scalar(0.5);
  EXPECT_EQ(saturating_add(a, half).to_vector<std::int64_t>(), (I{kMax, -kMax - 1, 8, -7, 1}));
  EXPECT_EQ(saturating_sub(half, a).to_vector<std::int64_t>(), (I{-kMax, kMax, -7, 8, 1}));
  EXPECT_EQ(saturating_mul(a, Tensor::scalar(std::nan(""))).to_vector<std::int64_t>(), I(5));
  const Tensor small = Tensor::from(std::vector<std::int8_t>{-128, 127, 2}, {3});
  EXPECT_EQ(saturating_pow(small, small).to_vector<std::int8_t>(),
            (std::vector<std::int8_t>{0, 127, 4}));
}

TEST(Saturating, Conversions) {
  const Tensor x = Tensor::from(Numbers{2.5, -2.5, 1e9, std::nan("")}, {4});
  Tensor y(DType::int8, {4});
  saturating_cast_into(y.view(), x);
  EXPECT_EQ(y.to_vector<std::int8_t>(), (std::vector<std::int8_t>{3, -3, 127, 0}));
  Tensor nibbles(DType::uint4, {4});
  saturating_cast_into(nibbles.view(), x);
  EXPECT_EQ(cast(nibbles, DType::int8).to_vector<std::int8_t>(),
            (std::vector<std::int8_t>{3, 0, 15, 0}));
}

TEST(TrueDivision, IsCorrectlyRounded) {
  constexpr std::int64_t kOdd = (std::int64_t{1} << 53) + 1;
  const Tensor a = Tensor::from(std::vector<std::int64_t>{7, kOdd, -1, 0}, {4});
  const Tensor b = Tensor::from(std::vector<std::int64_t>{2, 1, 0, -3}, {4});
  const Numbers y = true_div(a, b).to_vector<double>();
  EXPECT_EQ(y, (Numbers{3.5, 0x1p53, -std::numeric_limits<double>::infinity(), 0}));
  EXPECT_TRUE(std::signbit(y[3]));
}

TEST(GammaFunction, OfEveryFloat) {
  EXPECT_EQ(gamma(Tensor::from(Numbers{5, 0.5, -1}, {3})).to_vector<double>(),
            (Numbers{24, 0x1.c5bf891b4ef6bp+0, std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(gamma(cast(Tensor::scalar(5.0), DType::fp16)).dtype(), DType::fp16);
}

}  // namespace
}  // namespace hadamard
