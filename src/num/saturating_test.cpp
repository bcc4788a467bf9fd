#include "num/saturating.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/float_env.hpp"
#include "hadamard/types.hpp"
#include "num/multiple_precision.hpp"

namespace hadamard::saturating {
namespace {

using saturating::pow;
double correctly_rounded_power(double a, double b) {
  multiple_precision::Number x(53), y(53);
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_set_d(y, b, MPFR_RNDN);
  mpfr_pow(x, x, y, MPFR_RNDN);
  return mpfr_get_d(x, MPFR_RNDN);
}
template <class T>
T pow(T a, double b) {
  return pow(a, b, &correctly_rounded_power);
}
template <class T>
T pow(double a, T b) {
  return pow(a, b, &correctly_rounded_power);
}

Real exact(double x) { return Real::from_double(x); }
Real exact(std::int64_t x) { return Real(x); }
Real exact(std::uint64_t x) { return Real::from_unsigned(x); }

// Rounded half away from zero by rationals: the nearest integers are tried.
template <class T>
T expected(const Real& x) {
  const Real least = exact(std::numeric_limits<T>::min());
  const Real most = exact(std::numeric_limits<T>::max());
  if (x <= least) return std::numeric_limits<T>::min();
  if (x >= most) return std::numeric_limits<T>::max();
  // Found by bisection between the ends of the type.
  T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  while (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) > 1) {
    const auto gap = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const T middle = static_cast<T>(static_cast<std::uint64_t>(low) + gap / 2);
    (exact(middle) <= x ? low : high) = middle;
  }
  const Real half(1, 2), fraction = x - exact(low);
  const bool up = fraction > half || (fraction == half && x.sign() > 0);
  return up ? high : low;
}

const std::vector<double> kFloats = [] {
  std::vector<double> list{0.0,
                           -0.0,
                           0.5,
                           -0.5,
                           0.25,
                           1,
                           -1,
                           1.5,
                           2,
                           2.5,
                           -2.5,
                           3,
                           1e-300,
                           -1e300,
                           0x1p52,
                           0x1p53,
                           0x1p63,
                           0x1p64,
                           -0x1p63,
                           -0x1p64,
                           0x1p65,
                           0x1p66,
                           0x1p-60,
                           0.1,
                           1e18,
                           9.3e18,
                           1.9e19,
                           -9.3e18,
                           5e-324,
                           1e308,
                           0x1.8p62,
                           4611686018427387903.0,
                           0x1.fffffffffffffp62,
                           0.49999999999999994};
  std::mt19937_64 random(5);
  for (int i = 0; i < 60; ++i) {
    list.push_back(std::ldexp(static_cast<double>(random() >> 11) * (i % 2 == 0 ? 1 : -1),
                              static_cast<int>(random() % 80) - 70));
  }
  return list;
}();

template <class T>
std::vector<T> integers() {
  constexpr T kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
  std::vector<T> list{0, 1, 2, 3, 7, kMin, kMax, kMax / 2, kMax / 2 + 1, kMax - 1, 10, 1000003};
  if constexpr (std::is_signed_v<T>) list.insert(list.end(), {-1, -2, -3, kMin + 1, kMin / 2});
  std::mt19937_64 random(7);
  for (int i = 0; i < 40; ++i) list.push_back(static_cast<T>(random() >> (random() % 64)));
  return list;
}

template <class T>
class Saturating : public testing::Test {};
using Wide = testing::Types<std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(Saturating, Wide);

TYPED_TEST(Saturating, IntegersAreExactThenRounded) {
  using T = TypeParam;
  for (const T a : integers<T>()) {
    for (const T b : integers<T>()) {
      EXPECT_EQ(add(a, b), expected<T>(exact(a) + exact(b))) << a << ' ' << b;
      EXPECT_EQ(sub(a, b), expected<T>(exact(a) - exact(b))) << a << ' ' << b;
      EXPECT_EQ(mul(a, b), expected<T>(exact(a) * exact(b))) << a << ' ' << b;
      if (b != 0) {
        EXPECT_EQ(div(a, b), expected<T>(exact(a) / exact(b))) << a << ' ' << b;
      }
    }
  }
}

TYPED_TEST(Saturating, WithFloatsTheyAreToo) {
  using T = TypeParam;
  for (const T a : integers<T>()) {
    for (const double x : kFloats) {
      EXPECT_EQ(add(a, x), expected<T>(exact(a) + exact(x))) << a << ' ' << x;
      EXPECT_EQ(add(x, a), add(a, x)) << a << ' ' << x;
      EXPECT_EQ(sub(a, x), expected<T>(exact(a) - exact(x))) << a << ' ' << x;
      EXPECT_EQ(sub(x, a), expected<T>(exact(x) - exact(a))) << a << ' ' << x;
      EXPECT_EQ(mul(a, x), expected<T>(exact(a) * exact(x))) << a << ' ' << x;
      EXPECT_EQ(mul(x, a), mul(a, x)) << a << ' ' << x;
      if (x != 0) {
        EXPECT_EQ(div(a, x), expected<T>(exact(a) / exact(x))) << a << ' ' << x;
      }
      if (a != 0) {
        EXPECT_EQ(div(x, a), expected<T>(exact(x) / exact(a))) << a << ' ' << x;
      }
    }
  }
}

TYPED_TEST(Saturating, NoNumbers) {
  using T = TypeParam;
  constexpr T kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
  for (const T a : {T{0}, T{5}, kMax}) {
    EXPECT_EQ(add(a, double{NAN}), 0);
    EXPECT_EQ(mul(a, double{NAN}), 0);
    EXPECT_EQ(div(double{NAN}, a), 0);
    EXPECT_EQ(add(a, double{INFINITY}), kMax);
    EXPECT_EQ(sub(a, double{INFINITY}), kMin);
    EXPECT_EQ(sub(double{INFINITY}, a), kMax);
    EXPECT_EQ(div(a, double{INFINITY}), 0);
    EXPECT_EQ(div(double{-INFINITY}, a), kMin);
    EXPECT_EQ(mul(a, double{INFINITY}), a == 0 ? 0 : kMax);
    EXPECT_EQ(div(a, 0.0), a == 0 ? 0 : kMax);
    EXPECT_EQ(div(a, T{0}), a == 0 ? 0 : kMax);
  }
  EXPECT_EQ(div(2.5, T{0}), kMax);
  EXPECT_EQ(div(-2.5, T{0}), kMin);
}

TYPED_TEST(Saturating, Powers) {
  using T = TypeParam;
  constexpr T kMax = std::numeric_limits<T>::max();
  const ScopedFloatEnv env;
  const ScopedExtendedPrecision precision;
  EXPECT_EQ(pow(T{3}, T{39}), T{4052555153018976267});
  EXPECT_EQ(pow(T{3}, 39.0), T{4052555153018976267});
  EXPECT_EQ(pow(T{10}, T{30}), kMax);
  EXPECT_EQ(pow(T{0}, T{0}), T{1});
  EXPECT_EQ(pow(T{0}, -1.0), kMax);
  EXPECT_EQ(pow(T{2}, -1.0), T{1});  // a half, away from zero
  EXPECT_EQ(pow(T{3}, -1.0), T{0});
  EXPECT_EQ(pow(T{2}, 0.5), T{1});
  EXPECT_EQ(pow(T{2}, double{NAN}), T{0});
  EXPECT_EQ(pow(T{2}, double{INFINITY}), kMax);
  EXPECT_EQ(pow(1.5, T{2}), T{2});
  EXPECT_EQ(pow(-1.5, T{2}), T{2});
  EXPECT_EQ(pow(double{NAN}, T{1}), T{0});
  EXPECT_EQ(pow(T{7}, 0x1p60), kMax);
  EXPECT_EQ(pow(T{1}, kMax), T{1});
  if constexpr (std::is_signed_v<T>) {
    // Exponents that no double holds: odd, though the doubles next to them are even.
    EXPECT_EQ(pow(-1.0, T{9007199254740993}), T{-1});
    EXPECT_EQ(pow(-1.0, T{-9007199254740993}), T{-1});
    EXPECT_EQ(pow(-1.0, kMax), T{-1});
    EXPECT_EQ(pow(-2.0, kMax), std::numeric_limits<T>::min());
    EXPECT_EQ(pow(-0.0, T{-9007199254740993}), std::numeric_limits<T>::min());
    EXPECT_EQ(pow(-0.5, kMax), T{0});
    EXPECT_EQ(pow(-1.5, T{3}), T{-3});
    EXPECT_EQ(pow(T{-3}, T{3}), T{-27});
    EXPECT_EQ(pow(T{-3}, T{41}), std::numeric_limits<T>::min());
    EXPECT_EQ(pow(T{-2}, T{-1}), T{-1});
    EXPECT_EQ(pow(T{-1}, T{-3}), T{-1});
    EXPECT_EQ(pow(T{-8}, 0.5), T{0});  // NaN
    EXPECT_EQ(pow(T{-2}, T{63}), std::numeric_limits<T>::min());
  }
}

TYPED_TEST(Saturating, Remainders) {
  using T = TypeParam;
  EXPECT_EQ(mod(T{7}, T{3}), T{1});
  EXPECT_EQ(mod(T{7}, T{0}), T{7});
  EXPECT_EQ(rem(T{7}, T{0}), T{0});
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(mod(T{-7}, T{3}), T{2});
    EXPECT_EQ(mod(T{7}, T{-3}), T{-2});
    EXPECT_EQ(rem(T{-7}, T{3}), T{-1});
    EXPECT_EQ(rem(std::numeric_limits<T>::min(), T{-1}), T{0});
  }
}

template <class T>
class Conversion : public testing::Test {};
using Integers = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(Conversion, Integers);

TYPED_TEST(Conversion, RoundsHalfAwayAndSaturates) {
  using T = TypeParam;
  std::vector<double> list = kFloats;
  for (const double end : {static_cast<double>(std::numeric_limits<T>::min()),
                           static_cast<double>(std::numeric_limits<T>::max())}) {
    for (const double step : {-1.5, -1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0}) {
      list.push_back(end + step);
    }
    list.push_back(std::nextafter(end, 0));
  }
  const auto reference = [](double x) {
    const double r = std::round(x);
    if (r <= static_cast<double>(std::numeric_limits<T>::min())) {
      return std::numeric_limits<T>::min();
    }
    if (r >= std::ldexp(1, std::numeric_limits<T>::digits)) return std::numeric_limits<T>::max();
    return static_cast<T>(r);
  };
  for (const double x : list) {
    EXPECT_EQ(from<T>(x), reference(x)) << x;
    const auto f = static_cast<float>(x);
    EXPECT_EQ(from<T>(f), reference(f)) << f;
  }
  EXPECT_EQ(from<T>(double{NAN}), T{0});
  EXPECT_EQ(from<T>(double{-INFINITY}), std::numeric_limits<T>::min());
  EXPECT_EQ(from<T>(std::int64_t{-1}), std::is_signed_v<T> ? static_cast<T>(-1) : T{0});
  EXPECT_EQ(from<T>(std::uint64_t{1} << 63), sizeof(T) == 8 && !std::is_signed_v<T>
                                                 ? static_cast<T>(std::uint64_t{1} << 63)
                                                 : std::numeric_limits<T>::max());
  EXPECT_EQ(from<T>(true), T{1});
}

}  // namespace
}  // namespace hadamard::saturating
