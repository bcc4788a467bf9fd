#include "hadamard/matlab.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace hadamard::matlab {
namespace {

using C = std::complex<double>;

template <class F>
Error refusal(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::ok, "");
}

TEST(Matlab, PromotesMixedTypes) {
  const Tensor i = Tensor::from<std::int32_t>({7, -7}, Dims{1, 2});
  const Tensor s = Tensor::from<float>({2, 3}, Dims{1, 2});
  const Tensor l = Tensor::from<bool>({true, false}, Dims{1, 2});
  EXPECT_EQ(rdivide(i, i).dtype(), DType::fp64);
  EXPECT_EQ(rdivide(i, Tensor::from<std::int8_t>({2, 0}, Dims{1, 2})).to_vector<double>(),
            (std::vector<double>{3.5, -INFINITY}));
  EXPECT_EQ(times(i, s).to_vector<float>(), (std::vector<float>{14, -21}));
  EXPECT_EQ(plus(l, l).to_vector<double>(), (std::vector<double>{2, 0}));
  EXPECT_EQ(minus(s, Tensor::from({0.5}, Dims{})).dtype(), DType::fp32);
  EXPECT_EQ(ldivide(i, Tensor::scalar(14.0)).to_vector<double>(), (std::vector<double>{2, -2}));
  EXPECT_TRUE(std::isnan(rdivide(l, l).at<double>({0, 1})));
}

TEST(Matlab, KeepsIntegersWhereAsked) {
  const Settings keep{.integers = Integers::as_matlab};
  const auto one = [&](auto a, auto b, Op op) {
    return compute(op, Tensor::scalar(a), Tensor::scalar(b), keep);
  };
  EXPECT_EQ(one(std::int32_t{7}, std::int32_t{2}, Op::div).at<std::int32_t>({}), 4);
  EXPECT_EQ(one(std::int8_t{-128}, std::int8_t{-1}, Op::div).at<std::int8_t>({}), 127);
  EXPECT_EQ(one(std::uint8_t{5}, std::uint8_t{0}, Op::div).at<std::uint8_t>({}), 255);
  EXPECT_EQ(one(std::int16_t{5}, 2.5, Op::mul).at<std::int16_t>({}), 13);
  EXPECT_EQ(one(std::int64_t{9007199254740993}, std::int64_t{1}, Op::mul).at<std::int64_t>({}),
            9007199254740993);
  EXPECT_EQ(one(true, std::uint64_t{3}, Op::sub).at<std::uint64_t>({}), 0u);
  EXPECT_EQ(compute(Op::neg, Tensor::scalar(std::int8_t{-128}), keep).at<std::int8_t>({}), 127);
  EXPECT_EQ(compute(Op::abs, Tensor::scalar(INT64_MIN)).at<std::int64_t>({}), INT64_MAX);
  EXPECT_EQ(compute(Op::exp, Tensor::scalar(std::int8_t{0}), keep).at<double>({}), 1);
  const Error mixed = refusal([&] { one(std::int8_t{1}, std::int16_t{1}, Op::add); });
  EXPECT_EQ(mixed.code(), ErrorCode::type_mismatch);
  EXPECT_EQ(mixed.requirement(), "MATLAB:mixedClasses");
  EXPECT_EQ(refusal([&] {
              one(std::int8_t{1}, C{1, 1}, Op::add);
            }).requirement(),
            "MATLAB:integerComplex");
}

TEST(Matlab, ModKeepsTheDividendOfAZeroDivisor) {
  const Tensor a = Tensor::from<double>({7, -7, INFINITY, 0.0, -0.0, NAN, 5}, Dims{1, 7});
  const Tensor b = Tensor::from<double>({0, -0.0, 0, -0.0, 0, 0, 3}, Dims{1, 7});
  const Tensor y = compute(Op::mod, a, b);
  const std::vector<double> expected{7, -7, INFINITY, -0.0, 0.0, NAN, 2};
  for (std::int64_t i = 0; i < 7; ++i) {
    const double value = y.at<double>({0, i}), wanted = expected[static_cast<std::size_t>(i)];
    EXPECT_TRUE(std::isnan(wanted) ? std::isnan(value) : value == wanted) << i << ": " << value;
    EXPECT_EQ(std::signbit(value), std::signbit(wanted)) << i;
  }
  EXPECT_TRUE(std::isnan(compute(Op::rem, a, b).at<double>({0, 0})));
  EXPECT_EQ(compute(Op::mod, Tensor::from<float>({5, 6}, Dims{2, 1}),
                    Tensor::from<float>({0, 4}, Dims{1, 2}))
                .to_vector<float>(),
            (std::vector<float>{5, 1, 6, 2}));
  Tensor into(DType::fp64, Dims{1, 7});
  apply_into(Op::mod, into.view(), a, b, {.dialect = Dialect::matlab});
  EXPECT_EQ(into.at<double>({0, 1}), -7);

  const Settings keep{.integers = Integers::as_matlab};
  const auto one = [&](Op op, auto x, auto z) {
    return compute(op, Tensor::scalar(x), Tensor::scalar(z), keep);
  };
  EXPECT_EQ(one(Op::mod, std::int8_t{-7}, std::int8_t{0}).at<std::int8_t>({}), -7);
  EXPECT_EQ(one(Op::rem, std::int8_t{-7}, std::int8_t{0}).at<std::int8_t>({}), 0);
  EXPECT_EQ(one(Op::mod, INT64_MIN, std::int64_t{0}).at<std::int64_t>({}), INT64_MIN);
  EXPECT_EQ(one(Op::rem, UINT64_MAX, std::uint64_t{0}).at<std::uint64_t>({}), 0u);
  EXPECT_EQ(one(Op::mod, UINT64_MAX, std::uint64_t{10}).at<std::uint64_t>({}), 5u);
  EXPECT_EQ(one(Op::mod, std::int32_t{5}, 2.5).at<std::int32_t>({}), 2);  // 2.5 is 3 in the class
  const Tensor many(DType::int32, Dims{1, 20000});
  const Tensor five = plus(many, Tensor::scalar(std::int32_t{5}), keep);
  EXPECT_EQ(compute(Op::mod, five, Tensor::scalar(2.5), keep).at<std::int32_t>({0, 19999}), 2);
}

TEST(Matlab, ExpandsFromTheFirstDimension) {
  const Tensor a = Tensor::from<double>({1, 2, 3, 4, 5, 6}, Dims{2, 3});
  const Tensor b = Tensor::from<double>({1, 2}, Dims{2});
  EXPECT_EQ(rdivide(a, b).to_vector<double>(), (std::vector<double>{1, 2, 3, 2, 2.5, 3}));
  EXPECT_TRUE(rdivide(a, b).layout().is_contiguous(Order::column_major));
  EXPECT_TRUE(rdivide(a, b, {.order = Order::row_major}).layout().is_contiguous());
  const Error error = refusal([&] { rdivide(a, Tensor(DType::fp64, Dims{3})); });
  EXPECT_EQ(error.code(), ErrorCode::shape_mismatch);
  EXPECT_EQ(error.requirement(), "MATLAB:sizeDimensionsMustMatch");
  EXPECT_STREQ(error.what(),
               "Arrays have incompatible sizes for this operation: A is 2x3, B is 3x1; dimension "
               "1 is 2 in A and 3 in B "
               "[MATLAB:sizeDimensionsMustMatch]");
  EXPECT_EQ(rdivide(a, Tensor::from<double>({1, 2, 3}, Dims{3}), {.broadcast = Broadcast::numpy})
                .to_vector<double>(),
            (std::vector<double>{1, 1, 1, 4, 2.5, 2}));
  EXPECT_EQ(rdivide(Tensor(DType::fp64, Dims{0, 3}), Tensor(DType::fp64, Dims{1, 3})).shape(),
            (Dims{0, 3}));
}

TEST(Matlab, TakesAnyStrides) {
  const Tensor i = Tensor::from<std::int16_t>({1, 2, 3, 4, 5, 6}, Dims{2, 3});
  const Tensor z = Tensor::from<C>({C{2, 2}, C{4, 0}, C{6, 6}, C{0, 8}}, Dims{2, 2});
  const ConstView turned = i.view().transposed().sliced(0, 2, 2, -2);  // [3 6; 1 4]
  for (const Order order : {Order::row_major, Order::column_major}) {
    EXPECT_EQ(times(turned, turned, {.order = order}).to_vector<double>(),
              (std::vector<double>{9, 36, 1, 16}));
    EXPECT_EQ(rdivide(z.view().transposed(), turned, {.order = order}).to_vector<C>(),
              (std::vector<C>{C{2, 2} / 3., C{1, 1}, C{4, 0}, C{0, 2}}));
    EXPECT_EQ(times(turned, z.view().transposed(), {.order = order}).to_vector<C>(),
              (std::vector<C>{C{6, 6}, C{36, 36}, C{4, 0}, C{0, 32}}));
    EXPECT_EQ(compute(Op::sub, turned, Tensor::scalar(std::int16_t{2}),
                      {.integers = Integers::as_matlab, .order = order})
                  .to_vector<std::int16_t>(),
              (std::vector<std::int16_t>{1, 4, -1, 2}));
    EXPECT_EQ(compute(Op::abs, z.view().transposed(), {.order = order}).to_vector<double>(),
              (std::vector<double>{std::sqrt(8.), std::sqrt(72.), 4, 8}));
    EXPECT_EQ(
        compute(Op::hypot, z.view().transposed(), turned, {.order = order})
            .to_vector<double>(),  // |z| is sqrt(8), sqrt(72), 4, 8
        (std::vector<double>{std::sqrt(17.), std::sqrt(108.), std::sqrt(17.), std::sqrt(80.)}));
    EXPECT_EQ(compute(Op::neg, z.view().transposed(), {.order = order}).to_vector<C>(),
              (std::vector<C>{C{-2, -2}, C{-6, -6}, C{-4, -0.}, C{-0., -8}}));
  }
}

TEST(Matlab, LongOperandsAreThoseOfShortOnes) {
  constexpr std::int64_t n = 50001;  // several blocks and a rest
  std::vector<std::int32_t> i;
  std::vector<float> s;
  for (std::int64_t k = 0; k < n; ++k) {
    i.push_back(static_cast<std::int32_t>(k * 7919 % 30011 - 15000));
    s.push_back(static_cast<float>(k % 97) - 48.5f);
  }
  const Tensor a = Tensor::from(i, Dims{n}), b = Tensor::from(s, Dims{n});
  const Tensor three = Tensor::scalar(std::int32_t{3});
  const Settings keep{.integers = Integers::as_matlab};
  const Tensor quotient = rdivide(a, b), kept = rdivide(a, b, keep);
  const Tensor by_three = rdivide(a, three), from_three = minus(three, a);
  for (std::int64_t k = 0; k < n; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double exact = static_cast<double>(i[at]) / static_cast<double>(s[at]);
    ASSERT_EQ(quotient.at<float>({k}), static_cast<float>(i[at]) / s[at]) << k;
    ASSERT_EQ(kept.at<std::int32_t>({k}), static_cast<std::int32_t>(std::round(exact))) << k;
    ASSERT_EQ(by_three.at<double>({k}), i[at] / 3.0) << k;
    ASSERT_EQ(from_three.at<double>({k}), 3.0 - i[at]) << k;
  }
}

TEST(Matlab, ResultsWithoutImaginaryPartsAreReal) {
  const Tensor i = Tensor::from<C>({C{0, 1}, C{0, 2}}, Dims{1, 2});
  EXPECT_EQ(times(i, i).to_vector<double>(), (std::vector<double>{-1, -4}));
  EXPECT_EQ(times(i, i, like(i)).to_vector<C>(), (std::vector<C>{C{-1, 0}, C{-4, 0}}));
  EXPECT_EQ(plus(Tensor::scalar(1.0), Tensor::scalar(2.0), like(i)).dtype(), DType::complex128);
  EXPECT_EQ(plus(Tensor::scalar(1.f), Tensor::scalar(2.0), like(i)).dtype(), DType::complex64);
  EXPECT_EQ(plus(Tensor::scalar(1.0), Tensor::scalar(2.0), like(Tensor::scalar(1.f))).dtype(),
            DType::fp64);
}

TEST(Matlab, LeavesTheRealsWhereItMust) {
  EXPECT_EQ(compute(Op::sqrt, Tensor::scalar(-4.0)).at<C>({}), (C{0, 2}));
  EXPECT_EQ(compute(Op::sqrt, Tensor::scalar(4.0)).at<double>({}), 2);
  EXPECT_EQ(compute(Op::log, Tensor::scalar(std::int8_t{-1})).at<C>({}), (C{0, M_PI}));
  EXPECT_EQ(power(Tensor::scalar(-8.0), Tensor::scalar(1.5)).dtype(), DType::complex128);
  EXPECT_EQ(power(Tensor::scalar(-8.0), Tensor::scalar(2.0)).at<double>({}), 64);
  EXPECT_EQ(power(Tensor::scalar(C{1, 2}), Tensor::scalar(2.0)).at<C>({}), (C{-3, 4}));
}

TEST(Matlab, DividesComplexNumbersWithoutOverflow) {
  const auto quotient = [](C a, auto b) {
    const Tensor y = rdivide(Tensor::scalar(a), Tensor::scalar(b), {.is_complex = true});
    return y.at<C>({});
  };
  EXPECT_EQ(quotient({1e300, 1e300}, C{1e300, 1e300}), (C{1, 0}));
  EXPECT_EQ(quotient({1e308, 1e308}, 2.0), (C{5e307, 5e307}));
  EXPECT_EQ(quotient({5, 1}, C{1e200, 0}), (C{5e-200, 1e-200}));
  EXPECT_EQ(quotient({1, 1}, double{INFINITY}), (C{0, 0}));
  EXPECT_EQ(quotient({1, 2}, 0.0), (C{INFINITY, INFINITY}));
}

TEST(Matlab, IsADialectOfTheGeneralCalls) {
  const Options options{.dialect = Dialect::matlab};
  const Tensor a = Tensor::from<std::int32_t>({7, 8}, Dims{2});
  const Tensor b = Tensor::scalar(2.0);
  EXPECT_EQ(div(a, b, options).to_vector<double>(), (std::vector<double>{3.5, 4}));
  EXPECT_EQ(result_layout(Op::div, a.layout(), b.layout(), options).dtype, DType::fp64);
  Tensor y(DType::fp64, Dims{2}), z(DType::complex128, Dims{2}), wrong(DType::int32, Dims{2});
  div_into(y.view(), a, b, options);
  EXPECT_EQ(y.to_vector<double>(), (std::vector<double>{3.5, 4}));
  div_into(z.view(), a, b, options);
  EXPECT_EQ(z.at<C>({0}), (C{3.5, 0}));
  EXPECT_EQ(refusal([&] { div_into(wrong.view(), a, b, options); }).code(),
            ErrorCode::type_mismatch);
  EXPECT_EQ(refusal([&] { prepare(Op::div, a.layout(), b.layout(), y.layout(), options); }).code(),
            ErrorCode::unavailable);
  EXPECT_EQ(refusal([&] { prepare(Op::sqrt, y.layout(), y.layout(), options); }).code(),
            ErrorCode::unavailable);
  prepare(Op::div, y.layout(), y.layout(), y.layout(), options).run(y.view(), y.view(), y.view());
  EXPECT_EQ(y.to_vector<double>(), (std::vector<double>{1, 1}));
  EXPECT_EQ(refusal([&] { max(y, y, options); }).code(), ErrorCode::bad_argument);
  EXPECT_EQ(refusal([&] { apply(Op::div, y, options); }).code(), ErrorCode::bad_argument);
  const Tensor half(DType::fp16, Dims{2});
  EXPECT_EQ(refusal([&] { div(half, half, options); }).code(), ErrorCode::unsupported_type);
  EXPECT_EQ(refusal([&] { atan2(z, z, options); }).requirement(), "Hadamard:noComplexForm");
  EXPECT_EQ(result_layout(Op::hypot, z.layout(), z.layout(), options).dtype, DType::fp64);
  EXPECT_EQ(
      refusal([&] { add_into(y.view(), y, Tensor(DType::fp64, Dims{3}), options); }).requirement(),
      "MATLAB:sizeDimensionsMustMatch");
}

TEST(Matlab, Converts) {
  const Tensor a = Tensor::from<double>({-1.5, 0.5, 300, NAN}, Dims{2, 2});
  EXPECT_EQ(convert(a, DType::uint8).to_vector<std::uint8_t>(),
            (std::vector<std::uint8_t>{0, 1, 255, 0}));
  EXPECT_EQ(convert(a, DType::int8).to_vector<std::int8_t>(),
            (std::vector<std::int8_t>{-2, 1, 127, 0}));
  EXPECT_EQ(refusal([&] { convert(a, DType::bool_); }).requirement(), "MATLAB:nologicalnan");
  const Tensor z = Tensor::from<C>({C{1, -0.}, C{-2, 3}}, Dims{2});
  EXPECT_EQ(refusal([&] { convert(z, DType::fp64); }).requirement(), "MATLAB:complexToInteger");
  EXPECT_EQ(real_part(z).to_vector<double>(), (std::vector<double>{1, -2}));
  EXPECT_EQ(imaginary_part(z).to_vector<double>(), (std::vector<double>{-0., 3}));
  EXPECT_EQ(imaginary_part(a).to_vector<double>(), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(conjugate(z).to_vector<C>(), (std::vector<C>{C{1, 0}, C{-2, -3}}));
  EXPECT_EQ(angle(Tensor::from<double>({1, -1}, Dims{2})).to_vector<double>(),
            (std::vector<double>{0, M_PI}));
  EXPECT_EQ(angle(z).at<double>({1}), std::atan2(3, -2));
}

}  // namespace
}  // namespace hadamard::matlab
