#include "op/gamma.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <random>

#include "base/float_env.hpp"
#include "op/rounded.hpp"

namespace hadamard::op {
namespace {

// The fast way; the oracle must say the same.
template <class F>
F gamma_of(F x) {
  const F y = rounded<Gamma>(x);
  const F slow = by_multiple_precision<Gamma>(x);
  EXPECT_TRUE(std::isnan(y) ? std::isnan(slow) : y == slow && std::signbit(y) == std::signbit(slow))
      << x << ": " << y << ", " << slow;
  return y;
}

template <class F>
F reference(F x) {
  mpfr_t y;
  mpfr_init2(y, 400);
  mpfr_set_d(y, static_cast<double>(x), MPFR_RNDN);
  mpfr_gamma(y, y, MPFR_RNDN);
  const F result = std::is_same_v<F, float> ? mpfr_get_flt(y, MPFR_RNDN)
                                            : static_cast<F>(mpfr_get_d(y, MPFR_RNDN));
  mpfr_clear(y);
  return result;
}

template <class F>
class GammaOf : public testing::Test {
  const ScopedFloatEnv env;
  const ScopedExtendedPrecision precision;
};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(GammaOf, Floats);

TYPED_TEST(GammaOf, IsCorrectlyRounded) {
  using F = TypeParam;
  std::mt19937_64 random(3);
  for (int i = 0; i < 4000; ++i) {
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    const double wide = i % 4 == 0   ? u * 360 - 185
                        : i % 4 == 1 ? u * 4 - 2
                        : i % 4 == 2 ? std::ldexp(u, -static_cast<int>(random() % 300))
                                     : 160 + 12 * u;
    const auto x = static_cast<F>(wide);
    if (x == std::trunc(x) && x <= 0) continue;
    EXPECT_EQ(gamma_of(x), reference(x)) << x;
  }
  for (int n = -190; n < 172; ++n) {  // near the poles and the whole numbers
    for (const F towards : {F{-1000}, F{1000}}) {
      const F x = std::nextafter(static_cast<F>(n), towards);
      EXPECT_EQ(gamma_of(x), reference(x)) << x;
      EXPECT_EQ(std::signbit(gamma_of(x)), std::signbit(reference(x))) << x;
    }
  }
}

TYPED_TEST(GammaOf, OfWholeNumbersIsTheFactorial) {
  using F = TypeParam;
  double exact = 1;
  for (int n = 1; n <= 22; ++n) {
    exact *= n;
    EXPECT_EQ(gamma_of(static_cast<F>(n + 1)), static_cast<F>(exact)) << n;
  }
  for (int n = 0; n <= 172; ++n) {
    EXPECT_EQ(gamma_of(static_cast<F>(n + 1)), reference(static_cast<F>(n + 1))) << n;
  }
}

TYPED_TEST(GammaOf, AtItsEnds) {
  using F = TypeParam;
  constexpr F kInf = std::numeric_limits<F>::infinity();
  EXPECT_EQ(gamma_of(F{0}), kInf);
  EXPECT_EQ(gamma_of(-F{0}), -kInf);
  EXPECT_EQ(gamma_of(F{-3}), kInf);
  EXPECT_EQ(gamma_of(kInf), kInf);
  EXPECT_EQ(gamma_of(F{1e30f}), kInf);
  EXPECT_TRUE(std::isnan(gamma_of(-kInf)));
  EXPECT_TRUE(std::isnan(gamma_of(std::numeric_limits<F>::quiet_NaN())));
  EXPECT_EQ(gamma_of(F{-1000.5}), 0);
  EXPECT_TRUE(std::signbit(gamma_of(F{-1000.5})));
  EXPECT_FALSE(std::signbit(gamma_of(F{-1001.5})));
}

}  // namespace
}  // namespace hadamard::op
