#include "hadamard/paddle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard::paddle {
namespace {

Tensor of(std::initializer_list<float> values, Dims shape) {
  return Tensor::from(values, std::move(shape));
}

TEST(Paddle, DividesAtAnAxisNamesItsResultAndKeepsTheLevelsOfDetail) {
  reset_unique_names();
  const Variable x{"x", of({2, 4, 6, -8}, {2, 2}), {{0, 1, 2}}};
  const Tensor y = of({2, 4}, {2});
  const Variable plain = elementwise_div(x, y);
  EXPECT_EQ(plain.name, "elementwise_div_0.tmp_0");
  EXPECT_EQ(plain.value.view().at<float>({1, 1}), -2.0F);
  EXPECT_EQ(plain.lod, x.lod);
  const Variable z = elementwise_div(x, y, {.axis = 0, .act = "relu", .name = "z"});
  EXPECT_EQ(z.name, "z.tmp_1");
  EXPECT_EQ(z.value.view().at<float>({1, 0}), 1.5F);
  EXPECT_EQ(z.value.view().at<float>({1, 1}), 0.0F);
  EXPECT_EQ(elementwise_div(x, y, {.name = "foo"}).name, "foo.tmp_0");
  EXPECT_EQ(elementwise_div(x.value, y).name, "elementwise_div_1.tmp_0");
  EXPECT_TRUE(elementwise_sub(x.value, y).lod.empty());
  EXPECT_EQ(elementwise_add(z, y).name, "elementwise_add_0.tmp_0");
  EXPECT_EQ(elementwise_mul(z.value.view(), y).name, "elementwise_mul_0.tmp_0");
}

std::string refusal(const Tensor& x, const Tensor& y, const Attributes& attributes = {}) {
  try {
    elementwise_div(x, y, attributes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Paddle, SpeaksInPaddlesWords) {
  const Tensor x(DType::fp32, {2, 3, 4});
  EXPECT_EQ(
      refusal(x, Tensor(DType::fp32, {2, 4})),
      "Broadcast dimension mismatch. Operands could not be broadcast together with the shape "
      "of X = [2, 3, 4] and the shape of Y = [2, 4]. Received [3] in X is not equal to [2] in "
      "Y at i:1.");
  EXPECT_EQ(
      refusal(Tensor(DType::fp32, {2, 4}), x, {.axis = 0}),
      "Broadcast dimension mismatch. Operands could not be broadcast together with the shape "
      "of X = [2, 4] and the shape of Y = [2, 3, 4]. Received [4] in X is not equal to [3] in "
      "Y at i:1.");
  EXPECT_EQ(refusal(x, Tensor(DType::fp32, {4}), {.axis = 3}),
            "Axis should be less than 3, but received axis is 3.");
  EXPECT_EQ(refusal(x, Tensor(DType::fp32, {4}), {.axis = -2}),
            "Axis should be great than or equal to 0 (or -1), but received axis is -2.");
  EXPECT_NE(refusal(x, Tensor(DType::fp32, {3, 4}), {.axis = 2}).find("begins at axis 2"),
            std::string::npos);
  EXPECT_TRUE(refusal(Tensor(DType::int32, {2}), Tensor(DType::int32, {2}))
                  .starts_with("Integer division by zero encountered in divide. Please check. "));
  EXPECT_NE(refusal(Tensor(DType::int32, {2}), Tensor(DType::int32, {2}))
                .find("check. The divisor Y is 0"),
            std::string::npos);
  EXPECT_EQ(
      refusal(x, Tensor(DType::fp64, {4})),
      "X is fp32 and Y is fp64: the operands of div must have the same type; cast one of them");
  EXPECT_NE(refusal(x, x, {.act = "gelu"}).find("there is no activation 'gelu'"),
            std::string::npos);
  EXPECT_NE(refusal(Tensor(DType::int8, {}), Tensor(DType::int8, {}), {.act = "relu"})
                .find("cannot be applied to results of int8"),
            std::string::npos);
  EXPECT_TRUE(refusal(Tensor(DType::uint16, {}), Tensor(DType::uint16, {}))
                  .starts_with("X is uint16, which div of dialect paddle does not have; it has: "));
}

TEST(Paddle, EveryActivationOfTheDocumentIsThere) {
  for (const std::string_view name :
       {"relu",     "tanh",      "sigmoid",          "elu",        "relu6",
        "pow",      "stanh",     "hard_sigmoid",     "swish",      "leaky_relu",
        "brelu",    "soft_relu", "thresholded_relu", "logsigmoid", "hard_shrink",
        "softsign", "softplus",  "tanh_shrink",      "softshrink", "exp"}) {
    EXPECT_TRUE(activation(name).has_value()) << name;
  }
  EXPECT_EQ(activation("pow"), Op::pow_factor);
  EXPECT_FALSE(activation("").has_value());
  EXPECT_FALSE(activation("elementwise_div").has_value());
}

// Whether two results of one type and number of elements, which may be none, have the same bytes.
bool same_bytes(const Tensor& a, const Tensor& b) {
  const auto bytes = static_cast<std::size_t>((a.count() * bits(a.dtype()) + 7) / 8);
  return bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0;
}

// Two calls give the bits that one gives, whatever the layout, the size and the type.
TEST(Fused, IsTheSameAsTwoCalls) {
  std::mt19937 random(7);
  for (const DType type : {DType::fp16, DType::bf16, DType::fp32, DType::fp64, DType::int8,
                           DType::int4, DType::real}) {
    for (const Dims& shape :
         {Dims{}, Dims{0, 3}, Dims{7}, Dims{5000}, Dims{3, 40, 33}, Dims{2, 1300000}}) {
      const bool large = element_count(shape) > 10000;
      if (large && type != DType::fp32) continue;
      Tensor raw(DType::int32, shape);
      for (std::int64_t i = 0; i < raw.count(); ++i) {
        store_element<std::int32_t>(raw.data(), i, static_cast<std::int32_t>(random() % 15) - 7);
      }
      Tensor a(type, shape);
      with_type(type, [&](auto t) {
        using T = typename decltype(t)::type;
        if constexpr (std::is_constructible_v<T, std::int64_t> ||
                      std::is_constructible_v<T, double>) {
          for (std::int64_t i = 0; i < raw.count(); ++i) {
            store_element<T>(a.data(), i, T(load_element<std::int32_t>(raw.data(), i)));
          }
        }
      });
      for (const Op then : {Op::relu, Op::neg, Op::exp}) {
        if (!op::is_defined(then, type)) continue;
        for (const ConstView& x : {ConstView(a), ConstView(a.view().transposed())}) {
          const Tensor apart = apply(then, apply(Op::mul, x, x));
          const Tensor fused = apply(Op::mul, x, x, {.then = then});
          if (type == DType::real) {
            for (std::int64_t i = 0; i < apart.count(); ++i) {
              ASSERT_EQ(load_element<Real>(apart.data(), i), load_element<Real>(fused.data(), i));
            }
            continue;
          }
          ASSERT_TRUE(same_bytes(apart, fused))
              << name(type) << " " << to_string(shape) << " " << name(then);
          if (large) continue;
          const Tensor oracle = apply(Op::mul, x, x, {.provider = "ref", .then = then});
          ASSERT_TRUE(same_bytes(oracle, fused));
          Tensor in_place(x);
          apply_into(Op::mul, in_place.view(), in_place, x, {.then = then});
          ASSERT_TRUE(same_bytes(in_place, fused));
        }
      }
    }
  }
}

TEST(Fused, RefusesWhatCannotFollow) {
  const Tensor a(DType::int32, {2});
  const auto code = [&](const Tensor& x, const Options& options) -> std::optional<ErrorCode> {
    try {
      mul(x, x, options);
    } catch (const Error& error) {
      return error.code();
    }
    return std::nullopt;
  };
  EXPECT_EQ(code(a, {.then = Op::add}), ErrorCode::bad_argument);
  EXPECT_EQ(code(a, {.then = static_cast<Op>(250)}), ErrorCode::bad_argument);
  EXPECT_EQ(code(a, {.then = Op::exp}), ErrorCode::unsupported_type);
  EXPECT_EQ(code(Tensor(DType::real, {2}), {.then = Op::reciprocal}), ErrorCode::bad_argument);
  EXPECT_EQ(code(Tensor(DType::fp64, {2}), {.dialect = Dialect::matlab, .then = Op::abs}),
            ErrorCode::bad_argument);
  EXPECT_EQ(code(Tensor(DType::fp64, {2}), {.dialect = Dialect::onnx, .then = Op::sin}),
            ErrorCode::bad_argument);
}

// Rows and columns that repeat, lines that are short, and an output with gaps.
TEST(Fused, IsTheSameWhereOperandsAreStretched) {
  Tensor a(DType::fp32, {5, 70, 49});
  for (std::int64_t i = 0; i < a.count(); ++i) {
    store_element<float>(a.data(), i, static_cast<float>(i % 61) - 30.0F);
  }
  for (const ConstView& b : {a.view().sliced(2, 3, 1), a.view().sliced(1, 3, 1),
                             a.view().sliced(2, 3, 1).sliced(0, 1, 1)}) {
    const Tensor apart = relu(sub(a, b));
    const Tensor fused = sub(a, b, {.then = Op::relu});
    EXPECT_TRUE(same_bytes(apart, fused));
    Tensor wide(DType::fp32, {5, 70, 98});
    const View gaps = wide.view().sliced(2, 0, 49, 2);
    sub_into(gaps, a, b, {.then = Op::relu});
    EXPECT_TRUE(same_bytes(apart, Tensor(gaps)));
    Tensor in_place(a);
    sub_into(in_place.view(), in_place, b, {.then = Op::relu});
    EXPECT_TRUE(same_bytes(apart, in_place));
  }
}

// --- Gradients ----------------------------------------------------------------------------------

Tensor random_tensor(DType type, const Dims& shape, std::mt19937& random) {
  Tensor t(type, shape);
  std::uniform_real_distribution<double> values(-4, 4);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (Element<T>::kKind == Kind::floating) {
      for (std::int64_t i = 0; i < t.count(); ++i) {
        double v = values(random);
        if (std::abs(v) < 0.01) v = 0.5;
        store_element<T>(t.data(), i, T(v));
      }
    }
  });
  return t;
}

Real exact(const ConstView& view, std::int64_t at) {
  return with_type(view.dtype(), [&](auto tag) -> Real {
    using T = typename decltype(tag)::type;
    if constexpr (Element<T>::kKind == Kind::floating) {
      return Real::from_double(static_cast<double>(load_element<T>(view.data(), at)));
    } else {
      return {};
    }
  });
}
Real magnitude(const Real& x) { return x.sign() < 0 ? Real() - x : x; }

struct Exact {
  Real sum;
  Real size;
  std::int64_t terms = 0;
  void add(const Real& term, const Real& bound) {
    sum = sum + term;
    size = size + magnitude(bound);
    ++terms;
  }
};

// |got - s| <= u |s| + n 2^-50 sum|t| (n^2 2^-100 of fp64), with half the smallest subnormal.
void expect_within(const ConstView& got, const std::vector<Exact>& want, const std::string& what) {
  ASSERT_EQ(static_cast<std::size_t>(got.count()), want.size()) << what;
  const double unit = got.dtype() == DType::fp16   ? 0x1p-11
                      : got.dtype() == DType::bf16 ? 0x1p-8
                      : got.dtype() == DType::fp32 ? 0x1p-24
                                                   : 0x1p-53;
  const double tiny = got.dtype() == DType::fp16 ? 0x1p-25 : 0x1p-150;
  for (std::int64_t i = 0; i < got.count(); ++i) {
    const Exact& e = want[static_cast<std::size_t>(i)];
    const auto n = static_cast<double>(e.terms);
    const double factor = got.dtype() == DType::fp64 ? n * n * 0x1p-100 : n * 0x1p-50;
    const Real bound = Real::from_double(unit) * magnitude(e.sum) +
                       Real::from_double(factor) * e.size + Real::from_double(tiny);
    ASSERT_LE(magnitude(exact(got, i) - e.sum), bound)
        << what << " element " << i << ": " << exact(got, i).to_double() << " for "
        << e.sum.to_double();
  }
}

struct Case {
  Dims x, y;
  int axis;
};
const Case kCases[] = {{{2, 3, 4}, {2, 3, 4}, -1}, {{2, 3, 4}, {}, -1},  {{}, {2, 3}, -1},
                       {{2, 3, 4}, {3}, 1},        {{2, 3, 4}, {4}, -1}, {{3}, {2, 3, 4}, 1},
                       {{2, 3, 1}, {3, 4}, 1},     {{2, 5}, {5, 1}, 1},  {{1, 3}, {2, 1}, -1},
                       {{0, 3}, {3}, -1},          {{3, 0}, {3, 1}, -1}, {{2, 1, 700}, {3, 1}, 1},
                       {{5, 17000}, {17000}, -1},  {{2, 40000}, {2}, 0}, {{30000, 2}, {2}, -1}};

TEST(Gradients, AreWithinTheirBoundsOfExactSums) {
  std::mt19937 random(11);
  for (const DType type : {DType::fp16, DType::bf16, DType::fp32, DType::fp64}) {
    for (const Case& c : kCases) {
      const Tensor x = random_tensor(type, c.x, random), y = random_tensor(type, c.y, random);
      const plan::Aligned to = plan::broadcast(Broadcast::paddle, c.axis, x.layout(), y.layout());
      if (element_count(to.shape) > 50000 && type != DType::fp32) continue;
      const Tensor dout = random_tensor(type, to.shape, random);
      const Tensor out = elementwise_div(x, y, {.axis = c.axis}).value;
      std::vector<Exact> want[4][2];
      for (auto& pair : want) {
        pair[0].resize(static_cast<std::size_t>(x.count()));
        pair[1].resize(static_cast<std::size_t>(y.count()));
      }
      const Dims own = contiguous_strides(to.shape);
      const Dims* const strides[] = {&to.a_strides, &to.b_strides, &own};
      for (IndexWalk<3> walk(to.shape, strides); !walk.done(); walk.next()) {
        const Real vx = exact(x, walk.offset(0)), vy = exact(y, walk.offset(1));
        const Real vo = exact(out, walk.offset(2)), vd = exact(dout, walk.offset(2));
        const Real zero;
        const Real terms[4][2] = {
            {vd, vd}, {vd, zero - vd}, {vd * vy, vd * vx}, {vd / vy, zero - vd * vo / vy}};
        for (int k = 0; k < 4; ++k) {
          want[k][0][static_cast<std::size_t>(walk.offset(0))].add(terms[k][0], terms[k][0]);
          want[k][1][static_cast<std::size_t>(walk.offset(1))].add(terms[k][1], terms[k][1]);
        }
      }
      const Gradients got[] = {elementwise_add_grad(x, y, out, dout, c.axis),
                               elementwise_sub_grad(x, y, out, dout, c.axis),
                               elementwise_mul_grad(x, y, out, dout, c.axis),
                               elementwise_div_grad(x, y, out, dout, c.axis)};
      for (int k = 0; k < 4; ++k) {
        const std::string what = std::string(name(type)) + " operator " + std::to_string(k) + " " +
                                 to_string(c.x) + to_string(c.y);
        EXPECT_EQ(got[k].dx.shape(), c.x);
        EXPECT_EQ(got[k].dy.shape(), c.y);
        expect_within(got[k].dx, want[k][0], what + " dX");
        expect_within(got[k].dy, want[k][1], what + " dY");
      }
    }
  }
}

TEST(Gradients, OfTheGradientAreWithinTheirBounds) {
  std::mt19937 random(12);
  for (const DType type : {DType::fp16, DType::bf16, DType::fp32, DType::fp64}) {
    for (const Case& c : kCases) {
      const Tensor y = random_tensor(type, c.y, random), out = random_tensor(type, c.x, random);
      const plan::Aligned to = plan::broadcast(Broadcast::paddle, c.axis, out.layout(), y.layout());
      if (to.shape != c.x || element_count(to.shape) > 50000) continue;
      const Tensor dx = random_tensor(type, c.x, random), ddx = random_tensor(type, c.x, random);
      const Tensor ddy = random_tensor(type, c.y, random);
      std::vector<Exact> dy(static_cast<std::size_t>(y.count()));
      std::vector<Exact> dout(static_cast<std::size_t>(out.count())), ddout = dout;
      const Dims* const strides[] = {&to.a_strides, &to.b_strides};
      for (IndexWalk<2> walk(to.shape, strides); !walk.done(); walk.next()) {
        const std::int64_t i = walk.offset(0), j = walk.offset(1);
        const Real o = exact(out, i), d = exact(dx, i), a = exact(ddx, i);
        const Real b = exact(ddy, j), v = exact(y, j), zero;
        dy[static_cast<std::size_t>(j)].add(d * (o * b - a) / v,
                                            magnitude(d * o * b / v) + magnitude(d * a / v));
        dout[static_cast<std::size_t>(i)].add(zero - d * b, d * b);
        ddout[static_cast<std::size_t>(i)].add((a - o * b) / v,
                                               magnitude(a / v) + magnitude(o * b / v));
      }
      const DoubleGradients got = elementwise_div_double_grad(y, out, dx, ddx, ddy, c.axis);
      const std::string what = std::string(name(type)) + " " + to_string(c.x) + to_string(c.y);
      expect_within(got.dy, dy, what + " dY");
      expect_within(got.dout, dout, what + " dOut");
      expect_within(got.ddout, ddout, what + " ddOut");
    }
  }
  const Tensor one = of({3}, {1});
  const DoubleGradients none = elementwise_div_double_grad(one, one, one, {}, {});
  EXPECT_EQ(none.dy.view().at<float>({0}), 0.0F);
  EXPECT_EQ(none.ddout.view().at<float>({0}), 0.0F);
  EXPECT_FALSE(std::signbit(none.ddout.view().at<float>({0})));
  const Tensor a = Tensor::from({2.0}, {1});  // 2 - 1 * 2
  const Tensor b = Tensor::from({1.0}, {1});
  EXPECT_FALSE(
      std::signbit(elementwise_div_double_grad(b, b, b, a, a).ddout.view().at<double>({0})));
}

TEST(Gradients, DoNotDependOnThreadsOrStrides) {
  std::mt19937 random(13);
  const Tensor x = random_tensor(DType::fp32, {300, 200, 7}, random);
  const Tensor y = random_tensor(DType::fp32, {200}, random);
  const Tensor dout = random_tensor(DType::fp32, {300, 200, 7}, random);
  const Tensor turned(dout, Order::column_major);
  const auto bits_of = [&](const ConstView& d) {
    const Tensor dy = elementwise_div_grad(x, y, x, d, 1).dy;
    return std::vector<float>(static_cast<const float*>(dy.data()),
                              static_cast<const float*>(dy.data()) + dy.count());
  };
  const std::vector<float> first = bits_of(dout);
  for (const int threads : {1, 2, 5}) {
    set_threads(threads);
    EXPECT_EQ(bits_of(dout), first) << threads;
    EXPECT_EQ(bits_of(turned), first) << threads;
  }
  set_threads(0);
}

TEST(Gradients, KeepInfinitiesAndRefuseWhatDoesNotFit) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = of({1, infinity, 2}, {3}), y = of({1}, {1});
  const Gradients g = elementwise_mul_grad(x, y, x, of({1, 1, 1}, {3}));
  EXPECT_EQ(g.dy.view().at<float>({0}), infinity);
  const Tensor both = of({infinity, -infinity, 2}, {3});
  EXPECT_TRUE(
      std::isnan(elementwise_mul_grad(both, y, both, of({1, 1, 1}, {3})).dy.view().at<float>({0})));
  const Tensor ints(DType::int32, {3});
  EXPECT_THROW(elementwise_add_grad(ints, ints, ints, ints), Error);
  EXPECT_THROW(elementwise_add_grad(x, y, x, y), Error);
  EXPECT_THROW(elementwise_add_grad(x, Tensor(DType::fp64, {1}), x, x), Error);
  EXPECT_THROW(elementwise_div_double_grad(x, y, y, {}, {}), Error);
}

}  // namespace
}  // namespace hadamard::paddle
