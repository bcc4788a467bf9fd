#include "op/attributed.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/float_env.hpp"
#include "hadamard/error.hpp"
#include "num/exact.hpp"
#include "num/multiple_precision.hpp"

namespace hadamard::op {
namespace {

using multiple_precision::Number;

constexpr double kInf = std::numeric_limits<double>::infinity();

AttributesPtr values(Op op, const std::vector<Attribute>& given) {
  return attribute_values(op, given);
}
Attribute decimal(const char* name, const char* text) { return {name, Real::parse(text)}; }

template <class T>
T fast(Op op, T a, const AttributeValues& v) {
  return with_op(op, [&](auto o) -> T {
    using Operator = typename decltype(o)::type;
    if constexpr (has_attributes<Operator>) {
      return with_attributes_rounded<Operator>(a, v);
    } else {
      return a;
    }
  });
}

Real larger(const Real& a, const Real& b) { return a < b ? b : a; }
Real smaller(const Real& a, const Real& b) { return b < a ? b : a; }
Real negative(const Real& a) { return Real() - a; }

// The formulas, written a second time: of rational numbers,
std::optional<Real> rational(Op op, const Real& x, const AttributeValues& v) {
  const Real p = v[0].exact(), q = v[v.size() - 1].exact();
  switch (op) {
    case Op::leaky_relu:
      return larger(x, p * x);
    case Op::relu6:
      return smaller(larger(x, Real()), p);
    case Op::brelu:
      return smaller(larger(x, p), q);
    case Op::thresholded_relu:
      return x > p ? x : Real();
    case Op::hard_shrink:
      return x > p || x < negative(p) ? x : Real();
    case Op::softshrink:
      return (x > p ? x - p : Real()) + (x < negative(p) ? x + p : Real());
    case Op::hard_sigmoid:
      return smaller(larger(p * x + q, Real()), Real(1));
    default:
      return std::nullopt;
  }
}
// and of others, with many bits.
double in_many_bits(Op op, double a, const AttributeValues& v, FloatFormat format) {
  // Of tiny operands the results may lie beside a middle by the square of that.
  const mpfr_prec_t bits = std::fabs(a) < 0x1p-100 ? 6000 : 1200;
  const multiple_precision::ScopedLibrary state;
  Number x(bits), p(bits), q(bits), y(bits);
  mpfr_set_d(x, a, MPFR_RNDN);
  const auto load = [](Number& to, const Real& from) {
    const std::string text = from.to_string();
    mpq_t number;
    mpq_init(number);
    mpq_set_str(number, text.c_str(), 10);
    mpfr_set_q(to, number, MPFR_RNDN);
    mpq_clear(number);
  };
  load(p, v[0].exact());
  load(q, v[v.size() - 1].exact());
  switch (op) {
    case Op::elu:
      if (a > 0) return a;
      mpfr_expm1(y, x, MPFR_RNDN);
      mpfr_mul(y, y, p, MPFR_RNDN);
      break;
    case Op::stanh:
      mpfr_mul(y, x, p, MPFR_RNDN);
      mpfr_tanh(y, y, MPFR_RNDN);
      mpfr_mul(y, y, q, MPFR_RNDN);
      break;
    case Op::swish:
      mpfr_mul(y, x, p, MPFR_RNDN);
      mpfr_neg(y, y, MPFR_RNDN);
      mpfr_exp(y, y, MPFR_RNDN);
      mpfr_add_ui(y, y, 1, MPFR_RNDN);
      mpfr_div(y, x, y, MPFR_RNDN);
      break;
    case Op::soft_relu:
      mpfr_neg(q, p, MPFR_RNDN);
      mpfr_max(y, x, q, MPFR_RNDN);
      mpfr_min(y, y, p, MPFR_RNDN);
      mpfr_exp(y, y, MPFR_RNDN);
      mpfr_log1p(y, y, MPFR_RNDN);
      break;
    case Op::pow_factor:
      mpfr_pow(y, x, p, MPFR_RNDN);
      break;
    default:
      ADD_FAILURE() << name(op);
  }
  return multiple_precision::rounded_to(format, y);
}

template <class T>
void check(Op op, T a, const AttributeValues& v) {
  const T got = fast(op, a, v);
  const auto x = static_cast<double>(a);
  const auto said = [&] {
    return fmt::format("{} of {} {}{}", name(op), name(dtype_of<T>), x, to_text(op, v));
  };
  ASSERT_EQ(exact::bits_of(got), exact::bits_of(exactly(op, a, v))) << said();
  if (std::isnan(x)) {
    ASSERT_EQ(exact::bits_of(got), Element<T>::kFormat.canonical_nan()) << said();
  } else if (const auto formula =
                 std::isfinite(x) ? rational(op, exact::value_of(a), v) : std::optional<Real>()) {
    const T expected = exact::round_to<T>(*formula);
    ASSERT_EQ(static_cast<double>(got), static_cast<double>(expected)) << said();
  } else if (std::isfinite(x)) {
    const double expected = in_many_bits(op, x, v, Element<T>::kFormat);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(static_cast<double>(got))) << said();
    } else {
      ASSERT_EQ(static_cast<double>(got), expected) << said();
    }
  }
}

struct Call {
  Op op;
  std::vector<Attribute> attributes;
};
// Decimals that no float has, short ones that give many middles of two floats, negative ones.
std::vector<Call> calls() {
  return {{Op::leaky_relu, {decimal("alpha", "0.2")}},
          {Op::leaky_relu, {{"alpha", 0.75}}},
          {Op::leaky_relu, {{"alpha", -2}}},
          {Op::leaky_relu, {decimal("alpha", "2.6")}},
          {Op::relu6, {decimal("threshold", "0.3")}},
          {Op::brelu, {{"t_min", 1}, {"t_max", 4}}},
          {Op::brelu, {decimal("t_min", "-0.7"), {"t_max", 0.7}}},
          {Op::brelu, {{"t_min", 4}, {"t_max", 1}}},
          {Op::thresholded_relu, {{"threshold", 0.25}}},
          {Op::thresholded_relu, {decimal("threshold", "-0.1")}},
          {Op::hard_shrink, {decimal("threshold", "0.1")}},
          {Op::softshrink, {decimal("alpha", "0.1")}},
          {Op::softshrink, {{"alpha", -0.25}}},
          {Op::softshrink, {{"alpha", 0x1.8p-12}}},
          {Op::hard_sigmoid, {decimal("slope", "0.3"), decimal("offset", "0.9")}},
          {Op::hard_sigmoid, {{"slope", 0.5}, {"offset", 0x1p-13}}},
          {Op::elu, {{"alpha", 0.2}}},
          {Op::elu, {{"alpha", -1.5}}},
          {Op::stanh, {decimal("scale_a", "0.6"), {"scale_b", 1}}},
          {Op::swish, {{"beta", 2.3}}},
          {Op::swish, {{"beta", -1}}},
          {Op::soft_relu, {{"threshold", 2}}},
          {Op::soft_relu, {{"threshold", -3}}},
          {Op::pow_factor, {{"factor", 3}}},
          {Op::pow_factor, {{"factor", 2}}},
          {Op::pow_factor, {{"factor", -0.5}}},
          {Op::pow_factor, {decimal("factor", "0.4")}}};
}

template <class T>
class EveryHalfWith : public testing::Test {};
using Halves = testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(EveryHalfWith, Halves);

TYPED_TEST(EveryHalfWith, IsRightForNumbers) {
  const ScopedFloatEnv env;
  const ScopedExtendedPrecision extended;
  // All numbers of fp16 with one attribute each; of the others some.
  const std::uint32_t few = std::is_same_v<TypeParam, float16> ? 1 : 5;
  std::vector<bool> seen(kOpCount);
  for (const Call& call : calls()) {
    const AttributesPtr v = values(call.op, call.attributes);
    const bool is_first = !seen[static_cast<std::size_t>(call.op)];
    seen[static_cast<std::size_t>(call.op)] = true;
    for (std::uint32_t bits = 0; bits < 65536; bits += is_first ? few : 29) {
      const auto a = exact::from_bits<TypeParam>(bits);
      ASSERT_NO_FATAL_FAILURE(check(call.op, a, *v));
    }
  }
}

double random_number(std::mt19937_64& random, int low, int high) {
  const double unit = std::ldexp(static_cast<double>(random() >> 11), -53) + 1;
  const int power = std::uniform_int_distribution<int>(low, high)(random);
  return std::ldexp(random() % 2 == 0 ? unit : -unit, power);
}

// A double, a float, a decimal of few digits, or a small fraction of two.
Attribute random_attribute(std::mt19937_64& random, std::string_view name) {
  std::string called(name);
  switch (random() % 4) {
    case 0:
      return {called, random_number(random, -3, 3)};
    case 1:
      return {called, static_cast<float>(random_number(random, -3, 3))};
    case 2:
      return {called, Real(static_cast<std::int64_t>(random() % 2000) - 1000, 100)};
    default:
      return {called, Real(static_cast<std::int64_t>(random() % 64) - 32, 16)};
  }
}

template <class T>
class RandomWith : public testing::Test {};
using Wide = testing::Types<float, double>;
TYPED_TEST_SUITE(RandomWith, Wide);

TYPED_TEST(RandomWith, IsRight) {
  const ScopedFloatEnv env;
  const ScopedExtendedPrecision extended;
  std::mt19937_64 random(17);
  for (const Op op : kAllOps) {
    if (attributes(op).empty()) continue;
    for (int round = 0; round < 40; ++round) {
      std::vector<Attribute> given;
      for (const AttributeInfo& info : attributes(op)) {
        given.push_back(random_attribute(random, info.name));
      }
      const AttributesPtr v = values(op, given);
      if (v == nullptr) continue;
      for (int i = 0; i < 60; ++i) {
        const auto any = exact::from_bits<TypeParam>(random());
        const auto near = static_cast<TypeParam>(random_number(random, -6, 6));
        const auto few = static_cast<TypeParam>(std::ldexp(double(random() % 512), -4));
        ASSERT_NO_FATAL_FAILURE(check(op, i % 3 == 0 ? any : i % 3 == 1 ? near : few, *v));
      }
    }
  }
}

double one(Op op, double a, const std::vector<Attribute>& given) {
  const ScopedFloatEnv env;
  const ScopedExtendedPrecision extended;
  const AttributesPtr v = values(op, given);
  const double y = fast(op, a, *v);
  EXPECT_EQ(exact::bits_of(y), exact::bits_of(exactly(op, a, *v))) << name(op) << " of " << a;
  return y;
}
std::uint64_t bits(double x) { return exact::bits_of(x); }

TEST(WithAttributes, ZerosAndInfinities) {
  EXPECT_EQ(bits(one(Op::leaky_relu, -0.0, {{"alpha", 0.2}})), bits(-0.0));
  EXPECT_EQ(bits(one(Op::leaky_relu, -0.0, {{"alpha", -0.2}})), bits(0.0));
  EXPECT_EQ(bits(one(Op::leaky_relu, -3, {{"alpha", 0}})), bits(-0.0));
  EXPECT_TRUE(std::isnan(one(Op::leaky_relu, -kInf, {{"alpha", 0}})));
  EXPECT_EQ(one(Op::leaky_relu, -kInf, {{"alpha", -1}}), kInf);
  EXPECT_EQ(one(Op::leaky_relu, 3, {{"alpha", 2}}), 6);
  EXPECT_EQ(bits(one(Op::relu6, -0.0, {{"threshold", 2}})), bits(0.0));
  EXPECT_EQ(one(Op::relu6, kInf, {decimal("threshold", "0.1")}), 0.1);
  EXPECT_EQ(one(Op::relu6, 1, {{"threshold", -2}}), -2);
  EXPECT_EQ(one(Op::brelu, -kInf, {{"t_min", 4}, {"t_max", 1}}), 1);
  EXPECT_EQ(one(Op::thresholded_relu, -kInf, {{"threshold", 2}}), 0);
  EXPECT_EQ(bits(one(Op::thresholded_relu, -0.0, {{"threshold", -2}})), bits(-0.0));
  EXPECT_EQ(bits(one(Op::hard_shrink, -0.1, {{"threshold", 0.2}})), bits(0.0));
  EXPECT_EQ(one(Op::hard_shrink, -kInf, {{"threshold", 0.2}}), -kInf);
  EXPECT_EQ(one(Op::softshrink, kInf, {{"alpha", 0.2}}), kInf);
  EXPECT_EQ(one(Op::softshrink, 0.25, {{"alpha", -1}}), 0.5);
  EXPECT_EQ(one(Op::hard_sigmoid, kInf, {{"slope", -1}}), 0);
  EXPECT_TRUE(std::isnan(one(Op::hard_sigmoid, kInf, {{"slope", 0}})));
  EXPECT_EQ(bits(one(Op::hard_sigmoid, -3, {decimal("slope", "0.3"), decimal("offset", "0.9")})),
            bits(0.0));
  EXPECT_EQ(one(Op::elu, -kInf, {{"alpha", 0.2}}), -0.2);
  EXPECT_EQ(bits(one(Op::elu, -kInf, {{"alpha", 0}})), bits(-0.0));
  EXPECT_EQ(bits(one(Op::elu, -0.0, {{"alpha", -2}})), bits(0.0));
  EXPECT_EQ(bits(one(Op::elu, -0.0, {decimal("alpha", "0.2")})), bits(-0.0));
  EXPECT_EQ(one(Op::stanh, -kInf, {{"scale_b", 3}}), -3);
  EXPECT_TRUE(std::isnan(one(Op::stanh, kInf, {{"scale_a", 0}})));
  EXPECT_EQ(bits(one(Op::stanh, kInf, {{"scale_a", -1}, {"scale_b", 0}})), bits(-0.0));
  EXPECT_EQ(bits(one(Op::stanh, 0, {{"scale_a", -1}, {"scale_b", 2}})), bits(-0.0));
  EXPECT_EQ(bits(one(Op::swish, -kInf, {{"beta", 2}})), bits(-0.0));
  EXPECT_EQ(bits(one(Op::swish, kInf, {{"beta", -2}})), bits(0.0));
  EXPECT_EQ(one(Op::swish, -kInf, {{"beta", -2}}), -kInf);
  EXPECT_EQ(one(Op::swish, -3, {{"beta", 0}}), -1.5);
  EXPECT_EQ(one(Op::swish, -kInf, {{"beta", 0}}), -kInf);
  EXPECT_EQ(bits(one(Op::swish, -0.0, {decimal("beta", "0.2")})), bits(-0.0));
  EXPECT_EQ(one(Op::soft_relu, kInf, {{"threshold", 0}}), std::log(2.0));
  EXPECT_EQ(one(Op::soft_relu, -kInf, {{"threshold", 1e300}}), 0);
  EXPECT_EQ(one(Op::soft_relu, kInf, {{"threshold", 1e300}}), 1e300);
  EXPECT_EQ(one(Op::pow_factor, -kInf, {{"factor", 3}}), -kInf);
  EXPECT_EQ(bits(one(Op::pow_factor, -0.0, {{"factor", 3}})), bits(-0.0));
  EXPECT_EQ(one(Op::pow_factor, -0.0, {decimal("factor", "-0.2")}), kInf);
  EXPECT_EQ(one(Op::pow_factor, -2, {{"factor", 1e300}}), kInf);
  EXPECT_TRUE(std::isnan(one(Op::pow_factor, -2, {decimal("factor", "0.2")})));
  EXPECT_EQ(one(Op::pow_factor, -2, {{"factor", 0}}), 1);
}

// Where no precision would tell the result from a middle of two floats, or from a float.
TEST(WithAttributes, ResultsBesideMiddles) {
  EXPECT_EQ(one(Op::pow_factor, 32, {decimal("factor", "0.2")}), 2);
  EXPECT_EQ(one(Op::pow_factor, 0x1p-1070, {decimal("factor", "0.2")}), 0x1p-214);
  EXPECT_EQ(one(Op::pow_factor, 243, {decimal("factor", "-0.2")}), 1.0 / 3);
  EXPECT_EQ(one(Op::pow_factor, 0x1p53 + 2, {decimal("factor", "1.00000000000000000001")}),
            0x1p53 + 2);
  EXPECT_TRUE(std::isnan(one(Op::pow_factor, -8, {decimal("factor", "1.00000000000000000001")})));
  EXPECT_EQ(one(Op::pow_factor, 2, {decimal("factor", "1e300")}), kInf);
  EXPECT_EQ(one(Op::pow_factor, 2, {decimal("factor", "-123456789012345678901234567890.1")}), 0);
  const ScopedFloatEnv env;
  const ScopedExtendedPrecision extended;
  const auto narrow = [](Op op, float a, const std::vector<Attribute>& given) {
    const AttributesPtr v = values(op, given);
    const float y = fast(op, a, *v);
    EXPECT_EQ(y, exactly(op, a, *v));
    return y;
  };
  const double middle = 1 + 0x3p-24;  // of two floats; to even is up
  EXPECT_EQ(narrow(Op::elu, -1e30F, {{"alpha", middle}}), -1 - 0x2p-24F);
  EXPECT_EQ(narrow(Op::elu, -30.0F, {{"alpha", middle}}), -1 - 0x2p-24F);
  EXPECT_EQ(narrow(Op::elu, -std::numeric_limits<float>::infinity(), {{"alpha", middle}}),
            -1 - 0x4p-24F);
  EXPECT_EQ(narrow(Op::stanh, 1e30F, {{"scale_b", middle}}), 1 + 0x2p-24F);
  EXPECT_EQ(narrow(Op::stanh, -1e30F, {{"scale_b", middle}}), -1 - 0x2p-24F);
  EXPECT_EQ(narrow(Op::soft_relu, 1e30F, {{"threshold", 0x1p24 + 1}}), 0x1p24F + 2);
  EXPECT_EQ(narrow(Op::swish, 0x1p-149F, {{"beta", 0x1p-1000}}), 0x1p-149F);
  EXPECT_EQ(narrow(Op::swish, 0x1p-149F, {{"beta", -0x1p-1000}}), 0);
  EXPECT_EQ(narrow(Op::stanh, 0x1p-149F, {{"scale_a", 0x1p-1000}, {"scale_b", 0x1p1000}}),
            0x1p-149F);
  EXPECT_EQ(narrow(Op::leaky_relu, -0x3p-149F, {{"alpha", 0.5}}), -0x2p-149F);
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(AttributeValues, DefaultsAndErrors) {
  EXPECT_EQ(values(Op::leaky_relu, {}), nullptr);
  EXPECT_EQ(values(Op::leaky_relu, {{"alpha", 0.02}}), nullptr);
  EXPECT_EQ(values(Op::leaky_relu, {{"alpha", 0.02F}}), nullptr);
  EXPECT_EQ(values(Op::leaky_relu, {decimal("alpha", "0.02")}), nullptr);
  EXPECT_NE(values(Op::leaky_relu, {{"alpha", Real::from_double(0.02)}}), nullptr);
  EXPECT_EQ(values(Op::stanh, {{"scale_b", 1.7159}, {"scale_a", 0.67}}), nullptr);
  const AttributesPtr one_of_two = values(Op::brelu, {{"t_max", 4}});
  EXPECT_EQ((*one_of_two)[0].exact(), Real(0));
  EXPECT_EQ((*one_of_two)[1].exact(), Real(4));
  EXPECT_EQ(to_text(Op::brelu, *one_of_two), ", t_max=4");
  EXPECT_EQ(to_text(Op::elu, *values(Op::elu, {decimal("alpha", "-0.2")})), ", alpha=-0.2");
  EXPECT_EQ(to_text(Op::elu, *values(Op::elu, {{"alpha", Real(1, 3)}})), ", alpha=1/3");
  EXPECT_EQ(*values(Op::elu, {{"alpha", 0.5}}), *values(Op::elu, {decimal("alpha", "0.50")}));
  EXPECT_FALSE(*values(Op::elu, {{"alpha", 0.2}}) == *values(Op::elu, {decimal("alpha", "0.2")}));
  EXPECT_EQ(error_of([] {
              values(Op::elu, {{"beta", 1}});
            }),
            "elu has no attribute beta; it has: alpha");
  EXPECT_EQ(error_of([] { values(Op::exp, {{"beta", 1}}); }), "exp has no attributes, got beta");
  EXPECT_EQ(error_of([] {
              values(Op::brelu, {{"t_min", 1}, {"t_min", 1}});
            }),
            "attribute t_min of brelu is given twice");
  EXPECT_EQ(error_of([] {
              values(Op::elu, {{"alpha", std::nan("")}});
            }),
            "attribute alpha must be finite, got NaN");
  EXPECT_EQ(error_of([] {
              values(Op::elu, {{"alpha", -kInf}});
            }),
            "attribute alpha must be finite, got -inf");
  EXPECT_EQ(error_of([] { values(Op::elu, {decimal("alpha", "1e400")}); }),
            "attribute alpha of elu must be 0 or have a size between 2^-1074 and 2^1024");
  EXPECT_EQ(error_of([] { values(Op::elu, {decimal("alpha", "1e-400")}); }),
            "attribute alpha of elu must be 0 or have a size between 2^-1074 and 2^1024");
  EXPECT_EQ(error_of([] {
              values(Op::elu, {{"alpha", Real::parse("0." + std::string(5000, '3'))}});
            }),
            "attribute alpha of elu has too many digits: at most 8192 bits");
}

}  // namespace
}  // namespace hadamard::op
