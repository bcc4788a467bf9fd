// Calls with attributes: the same bits on every way.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "hadamard/paddle.hpp"
#include "hadamard/program.hpp"
#include "op/ops.hpp"

namespace hadamard {
namespace {

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_same(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.count(); ++i) {  // NaN, too
    const auto bits_of = [i](const Tensor& t) {
      return std::bit_cast<std::uint32_t>(t.data<float>()[i]);
    };
    ASSERT_EQ(bits_of(a), bits_of(b)) << i;
  }
}

Tensor numbers(std::int64_t count) {
  Tensor x(DType::fp32, {count});
  for (std::int64_t i = 0; i < count; ++i) {
    x.data<float>()[i] = static_cast<float>((i * 37) % 101 - 50) / 7;
  }
  return x;
}

TEST(Attributes, OfOneCall) {
  const Tensor x = Tensor::from({-1.0, 2.0, -0.0}, {3});
  const Tensor y = leaky_relu(x, {.attributes = {{"alpha", 0.25}}});
  EXPECT_EQ(y.at<double>({0}), -0.25);
  EXPECT_EQ(y.at<double>({1}), 2);
  EXPECT_TRUE(std::signbit(y.at<double>({2})));
  EXPECT_EQ(leaky_relu(x, {.attributes = {{"alpha", 0.5}}}).at<double>({0}), -0.5);  // not the last
  EXPECT_EQ(leaky_relu(x).at<double>({0}), -0.02);
  EXPECT_EQ(leaky_relu(x, {.attributes = {{"alpha", 0.02}}}).at<double>({0}), -0.02);
  EXPECT_EQ(apply(Op::brelu, x, {.attributes = {{"t_min", 1}, {"t_max", 1.5}}}).at<double>({1}),
            1.5);
}

// Long and short, in place, on both providers, fused and not.
TEST(Attributes, TheSameBitsOnEveryWay) {
  for (const std::int64_t count : {1, 7, 1000, 300000}) {
    const Tensor x = numbers(count);
    for (const Op op : op::kAllOps) {
      std::vector<Attribute> given;
      for (const op::AttributeInfo& info : op::attributes(op))
        given.emplace_back(std::string(info.name), 0.7);
      if (given.empty() || (count > 1000 && op != Op::leaky_relu)) continue;
      const Tensor y = apply(op, x, {.attributes = given});
      if (count <= 1000) expect_same(y, apply(op, x, {.provider = "ref", .attributes = given}));
      expect_same(y, eval(Lazy(op, {x}, given)));
      expect_same(apply(op, neg(x), {.attributes = given}), eval(Lazy(op, {-lazy(x)}, given)));
      expect_same(apply(op, neg(x), {.attributes = given}),
                  neg(x, {.then = op, .then_attributes = given}));
      Tensor z = x;
      apply_into(op, z.view(), z, {.attributes = given});
      expect_same(y, z);
      Tensor w(DType::fp32, {count});
      apply_into(Op::neg, w.view(), x, {.then = op, .then_attributes = given});
      expect_same(w, apply(op, neg(x), {.attributes = given}));
    }
  }
}

TEST(Attributes, OfWhatFollows) {
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {2, 2});
  const Tensor y = Tensor::from({2.0F, 3.0F}, {2});
  const auto z = paddle::elementwise_sub(x, y, {.axis = 0, .act = "leaky_relu(alpha=0.25)"});
  expect_same(z.value, Tensor::from({-0.25F, 0.0F, 0.0F, 1.0F}, {2, 2}));
  expect_same(paddle::elementwise_sub(x, y, {.act = "pow(factor=2)"}).value,
              Tensor::from({1.0F, 1.0F, 1.0F, 1.0F}, {2, 2}));
  expect_same(paddle::elementwise_sub(x, y, {.act = " brelu( t_max=0.5 , t_min = -1/2 ) "}).value,
              Tensor::from({-0.5F, -0.5F, 0.5F, 0.5F}, {2, 2}));
  EXPECT_EQ(
      error_of([&] { paddle::elementwise_sub(x, y, {.act = "leaky_relu(alpha)"}); }),
      "'leaky_relu(alpha)' is not an activation with attributes: expected leaky_relu(name=0.2)");
  EXPECT_EQ(
      error_of([&] { paddle::elementwise_sub(x, y, {.act = "leaky_relu(alpha=1"}); }),
      "'leaky_relu(alpha=1' is not an activation with attributes: expected leaky_relu(name=0.2)");
  EXPECT_EQ(error_of([&] { paddle::elementwise_sub(x, y, {.act = "leaky_relu(beta=1)"}); }),
            "leaky_relu has no attribute beta; it has: alpha");
}

TEST(Attributes, Errors) {
  const Tensor x = Tensor::from({-1.0, 2.0}, {2});
  EXPECT_EQ(error_of([&] {
              eval(elu(lazy(x)), {.attributes = {{"alpha", 1}}});
            }).substr(0, 46),
            "a program has its attributes in its operators:");
  EXPECT_EQ(error_of([&] {
              exp(x, {.attributes = {{"alpha", 1}}});
            }),
            "exp has no attributes, got alpha");
  EXPECT_EQ(error_of([&] {
              add(x, x, {.attributes = {{"alpha", 1}}});
            }),
            "add has no attributes, got alpha");
  EXPECT_EQ(error_of([&] {
              add(x, x, {.then_attributes = {{"alpha", 1}}});
            }),
            "then_attributes need an operator that follows: set `then`");
  EXPECT_EQ(error_of([&] {
              Lazy(Op::elu, {x}, {{"beta", 1}});
            }),
            "elu has no attribute beta; it has: alpha");
  EXPECT_EQ(
      error_of([&] {
        const Tensor i = Tensor::from({1, 2}, {2});
        add(i, i, {.dialect = Dialect::paddle, .then = Op::elu, .then_attributes = {{"alpha", 2}}});
      }).substr(0, 33),
      "elu is not defined for int32; it ");
}

}  // namespace
}  // namespace hadamard
