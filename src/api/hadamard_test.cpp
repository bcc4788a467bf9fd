#include "hadamard/hadamard.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>

namespace hadamard {
namespace {

template <class F>
ErrorCode code_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::ok;
}

template <class T>
std::vector<T> values(const Tensor& t) {
  return t.to_vector<T>();
}

TEST(Api, TheExampleOfTheHeader) {
  const Tensor a = Tensor::from({6.1, 9.5, 35.7}, {3});
  const Tensor b = Tensor::from({3.0, 3.3, 5.1}, {3});
  Tensor y = div(a, b);
  EXPECT_EQ(values<double>(y), (std::vector<double>{6.1 / 3.0, 9.5 / 3.3, 35.7 / 5.1}));
  div_into(y.view(), y, b);
  EXPECT_EQ(y.at<double>({0}), 6.1 / 3.0 / 3.0);
  const Prepared plan = prepare(Op::div, a.layout(), b.layout(), y.layout());
  plan.run(a.data(), b.data(), y.data());
  EXPECT_EQ(y.at<double>({2}), 35.7 / 5.1);
  EXPECT_EQ(plan.shape(), Dims({3}));
  EXPECT_EQ(plan.dtype(), DType::fp64);
  EXPECT_NE(plan.explain().find("contiguous"), std::string::npos);
}

TEST(Api, EveryOperatorHasItsFunctions) {
  const Tensor a = Tensor::from<std::int32_t>({7, -7}, {2});
  const Tensor b = Tensor::from<std::int32_t>({2, 2}, {2});
  EXPECT_EQ(values<std::int32_t>(add(a, b)), (std::vector<std::int32_t>{9, -5}));
  EXPECT_EQ(values<std::int32_t>(sub(a, b)), (std::vector<std::int32_t>{5, -9}));
  EXPECT_EQ(values<std::int32_t>(mul(a, b)), (std::vector<std::int32_t>{14, -14}));
  EXPECT_EQ(values<std::int32_t>(div(a, b)), (std::vector<std::int32_t>{3, -3}));
  EXPECT_EQ(values<std::int32_t>(div(a, b, {.dialect = Dialect::sonnx})),
            (std::vector<std::int32_t>{3, -4}));
  EXPECT_EQ(values<std::int32_t>(div(a, b, {.int_division = IntDivision::floor})),
            (std::vector<std::int32_t>{3, -4}));
}

TEST(Api, AZeroDivisorLeavesTheOutputAsItWas) {
  const Tensor a = Tensor::from<std::int16_t>({1, 2, 3, 4}, {2, 2});
  const Tensor b = Tensor::from<std::int16_t>({1, 1, 0, 1}, {2, 2});
  Tensor y = Tensor::from<std::int16_t>({9, 9, 9, 9}, {2, 2});
  const std::vector<std::int16_t> before(4, 9);
  EXPECT_EQ(code_of([&] { div_into(y.view(), a, b); }), ErrorCode::zero_divisor);
  EXPECT_EQ(values<std::int16_t>(y), before);
  const Prepared plan = prepare(Op::div, a.layout(), b.layout(), y.layout());
  EXPECT_EQ(code_of([&] { plan.run(a.data(), b.data(), y.data()); }), ErrorCode::zero_divisor);
  EXPECT_EQ(code_of([&] { plan.run(a, b, y.view()); }), ErrorCode::zero_divisor);
  EXPECT_EQ(values<std::int16_t>(y), before);
  try {
    div(a, b);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("index (1,0)"), std::string::npos) << error.what();
  }
  // In place over the dividend and over the divisor too.
  Tensor over = a;
  EXPECT_EQ(code_of([&] { div_into(over.view(), over, b); }), ErrorCode::zero_divisor);
  EXPECT_EQ(values<std::int16_t>(over), values<std::int16_t>(a));
  over = b;
  EXPECT_EQ(code_of([&] { div_into(over.view(), a, over); }), ErrorCode::zero_divisor);
  EXPECT_EQ(values<std::int16_t>(over), values<std::int16_t>(b));
}

TEST(Api, NoElementNoZeroDivisor) {
  const Tensor a(DType::int32, Dims{0, 3});
  EXPECT_EQ(div(a, Tensor::scalar<std::int32_t>(0)).shape(), Dims({0, 3}));
}

TEST(Api, OverlapIsFineIntoAndAnErrorPrepared) {
  std::vector<double> memory = {1, 2, 3, 4, 5};
  const ConstView a(memory.data(), Dims{4});
  const View y(memory.data() + 1, Dims{4});
  const Prepared plan = prepare(Op::add, a.layout(), a.layout(), y.layout());
  EXPECT_EQ(code_of([&] { plan.run(a, a, y); }), ErrorCode::overlap);
  EXPECT_EQ(memory, (std::vector<double>{1, 2, 3, 4, 5}));
  add_into(y, a, a);
  EXPECT_EQ(memory, (std::vector<double>{1, 2, 4, 6, 8}));
  EXPECT_EQ(code_of([&] { add_into(View(memory.data(), Dims{3}, Dims{0}), a, a); }),
            ErrorCode::shape_mismatch);
  EXPECT_EQ(code_of([&] { add_into(View(memory.data(), Dims{4}, Dims{0}), a, a); }),
            ErrorCode::overlap);
}

TEST(Api, PreparedChecksWhatComes) {
  const Tensor a(DType::fp32, Dims{4}), other(DType::fp32, Dims{5}), wide(DType::fp64, Dims{4});
  Tensor y(DType::fp32, Dims{4});
  const Prepared plan = prepare(Op::add, a.layout(), a.layout(), y.layout());
  EXPECT_EQ(code_of([&] { plan.run(a, other, y.view()); }), ErrorCode::shape_mismatch);
  EXPECT_EQ(code_of([&] { plan.run(wide, a, y.view()); }), ErrorCode::type_mismatch);
  EXPECT_EQ(code_of([&] { plan.run(a.data(), nullptr, y.data()); }), ErrorCode::bad_argument);
  const char* odd = static_cast<const char*>(a.data()) + 1;
  EXPECT_EQ(code_of([&] { plan.run(odd, a.data(), y.data()); }), ErrorCode::bad_argument);
}

TEST(Api, PackedNibblesInOddNumbers) {
  Tensor a(DType::int4, Dims{3});
  for (int i = 0; i < 3; ++i) a.set({i}, int4(i - 8));
  const Tensor y = div(a, Tensor::scalar(int4(-1)));
  EXPECT_EQ(y.at<int4>({0}).value, -8);  // MIN / -1 wraps
  EXPECT_EQ(y.at<int4>({1}).value, 7);
  EXPECT_EQ(y.at<int4>({2}).value, 6);
  EXPECT_EQ(static_cast<const std::uint8_t*>(y.data())[0], 0x78);
  EXPECT_EQ(static_cast<const std::uint8_t*>(y.data())[1] & 15, 6);
}

TEST(Api, EmptyScalarAndManyDimensions) {
  EXPECT_EQ(add(Tensor(DType::fp64, Dims{0}), Tensor(DType::fp64, Dims{0})).count(), 0);
  EXPECT_EQ(add(Tensor::scalar(2.5), Tensor::scalar(0.5)).at<double>({}), 3.0);
  const Tensor deep =
      add(Tensor(DType::int8, Dims{1, 1, 1, 2, 1, 1, 1, 1, 1, 3}), Tensor(DType::int8, Dims{3}));
  EXPECT_EQ(deep.count(), 6);
  EXPECT_EQ(deep.rank(), 10U);
}

// docs/semantics/sonnx.md, "MATLAB": what the textbook formula gets wrong.
TEST(Api, ComplexDivisionSurvives) {
  using C = std::complex<double>;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const auto quotient = [](C a, C b) {
    return div(Tensor::scalar(a), Tensor::scalar(b)).at<C>({});
  };
  EXPECT_EQ(quotient({1e300, 1e300}, {1e300, 1e300}), C(1, 0));
  EXPECT_EQ(quotient({1e308, 1e308}, {2, 0}), C(5e307, 5e307));
  EXPECT_EQ(quotient({5, 1}, {1e200, 0}), C(5e-200, 1e-200));
  EXPECT_EQ(quotient({1, 1}, {kInf, 0}), C(0, 0));
  EXPECT_EQ(quotient({1, 2}, {0, 0}), C(kInf, kInf));
}

TEST(Api, ResultsInColumnMajorOrder) {
  const Tensor a = Tensor::from<std::int32_t>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor y = add(a, a, {.order = Order::column_major});
  EXPECT_TRUE(y.layout().is_contiguous(Order::column_major));
  EXPECT_EQ(values<std::int32_t>(y), (std::vector<std::int32_t>{2, 4, 6, 8, 10, 12}));
}

TEST(Api, TypesDoNotMix) {
  EXPECT_EQ(code_of([] { add(Tensor(DType::fp32, Dims{2}), Tensor(DType::fp64, Dims{2})); }),
            ErrorCode::type_mismatch);
}

}  // namespace
}  // namespace hadamard
