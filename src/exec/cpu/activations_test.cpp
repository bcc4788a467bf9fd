// Activations that are composed of arithmetic: the kernels of every target and the reference,
// against their definitions in multiple precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/float_env.hpp"
#include "exec/cpu/test_kernels.hpp"
#include "hwy/highway.h"
#include "num/exact.hpp"
#include "num/multiple_precision.hpp"
#include "op/ops.hpp"
#include "op/oracle_arithmetic.hpp"

namespace hadamard::exec::cpu {
namespace {

using multiple_precision::Number;
using multiple_precision::ScopedLibrary;

// What the operators' lines of help promise, in units of the last place.
double promised_ulps(Op op) { return op == Op::hard_sigmoid ? 1.5 : 0.5; }

constexpr Op kComposed[] = {
    Op::relu6,       Op::brelu,     Op::leaky_relu, Op::hard_sigmoid, Op::thresholded_relu,
    Op::hard_shrink, Op::softshrink};

// The definition, with its decimal numbers as they are written. Numbers of 1300 bits hold every
// sum.
void true_value(Op op, double x, Number& y) {
  mpfr_set_d(y, x, MPFR_RNDN);
  const auto bounded = [&](double low, double high) {
    if (mpfr_cmp_d(y, low) <= 0) mpfr_set_d(y, low, MPFR_RNDN);
    if (mpfr_cmp_d(y, high) > 0) mpfr_set_d(y, high, MPFR_RNDN);
  };
  switch (op) {
    case Op::relu6:
      return bounded(0, 6);
    case Op::brelu:
      return bounded(0, 24);
    case Op::leaky_relu:
      if (x < 0) {
        mpfr_mul_ui(y, y, 2, MPFR_RNDN);
        mpfr_div_ui(y, y, 100, MPFR_RNDN);
      }
      return;
    case Op::hard_sigmoid:
      mpfr_div_ui(y, y, 5, MPFR_RNDN);
      mpfr_add_d(y, y, 0.5, MPFR_RNDN);
      return bounded(0, 1);
    case Op::thresholded_relu:
      if (!(x > 1)) mpfr_set_zero(y, 1);
      return;
    case Op::hard_shrink:
      if (!(std::fabs(x) > 0.5)) mpfr_set_zero(y, 1);
      return;
    case Op::softshrink:
      if (x > 0.5) {
        mpfr_sub_d(y, y, 0.5, MPFR_RNDN);
      } else if (x < -0.5) {
        mpfr_add_d(y, y, 0.5, MPFR_RNDN);
      } else {
        mpfr_set_zero(y, 1);
      }
      return;
    default:
      FAIL() << name(op);
  }
}

// To nearest even; subnormal numbers too.
double rounded(const Number& value, FloatFormat format) {
  const ScopedLibrary state;
  Number y(format.precision);
  mpfr_set_emin(format.min_exponent() - format.precision + 2);
  mpfr_set_emax(format.max_exponent() + 1);
  int ternary = mpfr_set(y, value, MPFR_RNDN);
  ternary = mpfr_check_range(y, ternary, MPFR_RNDN);
  mpfr_subnormalize(y, ternary, MPFR_RNDN);
  return mpfr_get_d(y, MPFR_RNDN);
}

// How far y is from the true value, in units of the true value's last place. Both are finite.
double ulps(double y, const Number& value, FloatFormat format) {
  if (mpfr_zero_p(value) != 0) return y == 0 ? 0 : INFINITY;
  const long exponent = std::max<long>(mpfr_get_exp(value) - 1, format.min_exponent());
  Number off(200);
  mpfr_d_sub(off, y, value, MPFR_RNDN);
  mpfr_mul_2si(off, off, format.precision - 1 - exponent, MPFR_RNDN);
  return std::fabs(mpfr_get_d(off, MPFR_RNDN));
}

// Each number once where there are 65,536; otherwise a slice, places where definitions change, with
// their neighbours, and the ends of the range.
template <class T>
std::vector<T> operands() {
  const FloatFormat f = Element<T>::kFormat;
  std::vector<T> all;
  if (std::is_class_v<T>) {
    for (std::uint64_t bits = 0; bits < 65536; ++bits) all.push_back(exact::from_bits<T>(bits));
    return all;
  }
  std::mt19937_64 random(12);
  for (int i = 0; i < 40'000; ++i) {
    const double unit = std::ldexp(static_cast<double>(random() >> 11), -52) - 1;
    all.push_back(exact::from_bits<T>(random()));
    all.push_back(static_cast<T>(static_cast<double>(unit * 8)));
    all.push_back(static_cast<T>(-2.5 + std::ldexp(unit, -static_cast<int>(random() % 52))));
  }
  for (const double place : {0.0, 0.25, 0.5, 1.0, 2.0, 2.5, 4.0, 5.0, 6.0, 24.0, 50.0, 1e30}) {
    const std::uint64_t middle = exact::bits_of(static_cast<T>(place));
    for (std::uint64_t k = 0; k < 600; ++k) {
      const std::uint64_t bits = (middle + k - 300) & (f.sign_bit() - 1);
      all.push_back(exact::from_bits<T>(bits));
      all.push_back(exact::from_bits<T>(bits | f.sign_bit()));
    }
  }
  for (const std::uint64_t bits : {f.mantissa_mask(), f.mantissa_mask() + 1, f.infinity() - 1,
                                   f.infinity(), f.infinity() | 1, f.canonical_nan()}) {
    all.push_back(exact::from_bits<T>(bits));
    all.push_back(exact::from_bits<T>(bits | f.sign_bit()));
  }
  return all;
}

template <class T>
void check(Op op, const T& x, const T& y, const std::string& who, double& worst) {
  const FloatFormat format = Element<T>::kFormat;
  const auto a = static_cast<double>(x);
  if (std::isnan(a)) {
    ASSERT_EQ(exact::bits_of(y), format.canonical_nan()) << name(op) << " of NaN, " << who;
    return;
  }
  Number value(1300);
  ASSERT_NO_FATAL_FAILURE(true_value(op, a, value));
  const double nearest = rounded(value, format);
  if (promised_ulps(op) > 0.5 && std::isfinite(nearest) && nearest != 0) {
    worst = std::max(worst, ulps(static_cast<double>(y), value, format));
    ASSERT_LE(worst, promised_ulps(op)) << name(op) << " of " << a << ", " << who;
  } else {
    ASSERT_EQ(exact::bits_of(y), exact::bits_of(T(nearest)))
        << name(op) << " of " << a << ", " << who;
  }
}

template <class T>
class Activations : public testing::Test {};
using Floats = testing::Types<float16, bfloat16, float, double>;
TYPED_TEST_SUITE(Activations, Floats);

// The reference against the definition, every target against the reference.
TYPED_TEST(Activations, KeepTheirPromise) {
  using T = TypeParam;
  const ScopedFloatEnv env;
  const std::vector<T> a = operands<T>();
  for (const Op op : kComposed) {
    double worst = 0;
    std::vector<std::uint64_t> expected;
    for (const T& x : a) {
      const T y = op::with_op(op, [&](auto o) -> T {
        using Operator = typename decltype(o)::type;
        if constexpr (op::is_plain_operator<Operator> && op::defined_for<Operator, T>) {
          return op::apply_to<Operator>(op::Oracle(IntDivision::floor), x, x);
        } else {
          return T{};
        }
      });
      ASSERT_NO_FATAL_FAILURE(check(op, x, y, "the reference", worst));
      expected.push_back(exact::bits_of(y));
    }
    for (const std::int64_t target : targets_here()) {
      const Kernel kernel = kernel_of(target, op, dtype_of<T>);
      ASSERT_NE(kernel, nullptr) << name(op);
      std::vector<T> y(a.size());
      kernel({a.data(), a.data(), y.data(), std::ssize(a), false, false});
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(exact::bits_of(y[i]), expected[i])
            << name(op) << " of " << static_cast<double>(a[i]) << " on " << hwy::TargetName(target);
      }
    }
    if (worst > 0) this->RecordProperty(std::string(name(op)), std::to_string(worst));
  }
}

TEST(Activations, SpecialValues) {
  const op::Oracle w(IntDivision::floor);
  const double inf = std::numeric_limits<double>::infinity();
  const auto bits = [](double x) { return exact::bits_of(x); };
  EXPECT_EQ(op::Relu6::apply(w, inf), 6);
  EXPECT_EQ(bits(op::Relu6::apply(w, -0.0)), 0u);
  EXPECT_EQ(op::Brelu::apply(w, 25.0), 24);
  EXPECT_EQ(op::LeakyRelu::apply(w, -inf), -inf);
  EXPECT_EQ(bits(op::LeakyRelu::apply(w, -0.0)), bits(-0.0));
  EXPECT_EQ(bits(op::LeakyRelu::apply(w, -5e-324)), bits(-0.0));
  EXPECT_EQ(op::LeakyRelu::apply(w, -1.0), -0.02);
  EXPECT_EQ(op::HardSigmoid::apply(w, inf), 1);
  EXPECT_EQ(bits(op::HardSigmoid::apply(w, -inf)), 0u);
  EXPECT_EQ(bits(op::HardSigmoid::apply(w, -2.5)), 0u);
  EXPECT_EQ(op::HardSigmoid::apply(w, 0.0), 0.5);
  EXPECT_EQ(op::ThresholdedRelu::apply(w, 1.0), 0);
  EXPECT_EQ(bits(op::ThresholdedRelu::apply(w, -inf)), 0u);
  EXPECT_EQ(op::HardShrink::apply(w, -inf), -inf);
  EXPECT_EQ(bits(op::HardShrink::apply(w, -0.5)), 0u);
  EXPECT_EQ(op::Softshrink::apply(w, -0.75), -0.25);
  EXPECT_EQ(op::Softshrink::apply(w, inf), inf);
  EXPECT_EQ(bits(op::Softshrink::apply(w, -0.0)), 0u);
}

}  // namespace
}  // namespace hadamard::exec::cpu
