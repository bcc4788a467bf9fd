// The kernels of exp, log, sin and their like, of every target, against multiple precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "base/float_env.hpp"
#include "exec/cpu/test_kernels.hpp"
#include "hwy/highway.h"
#include "num/exact.hpp"
#include "op/oracle.hpp"

namespace hadamard::exec::cpu {
namespace {

// Operators that are a function and have vector kernels.
std::vector<Op> cases(DType type, int arity) {
  std::vector<Op> all;
  const std::int64_t target = targets_here().front();
  const KernelSet* set =
      type == DType::fp64 ? double_function_kernels(target) : single_function_kernels(target);
  for (const Op op : op::kAllOps) {
    if (op::is_function(op) && op::arity(op) == arity &&
        set->kernels[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)][0] != nullptr) {
      all.push_back(op);
    }
  }
  return all;
}

template <class T>
T from_bits(std::uint64_t bits) {
  return exact::from_bits<T>(bits);
}

// Each target's kernel on a, b, against `expected`.
template <class T>
void check(Op c, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& expected) {
  for (const std::int64_t target : targets_here()) {
    std::vector<T> y(a.size());
    const Kernel kernel = kernel_of(target, c, dtype_of<T>);
    ASSERT_NE(kernel, function_kernels()->kernels[static_cast<std::size_t>(c)]
                                                 [static_cast<std::size_t>(dtype_of<T>)][0]);
    {
      const ScopedFloatEnv env;
      kernel({a.data(), b.data(), y.data(), static_cast<std::int64_t>(a.size()), false, false});
    }
    if (std::memcmp(y.data(), expected.data(), a.size() * sizeof(T)) == 0) continue;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(exact::bits_of(y[i]), exact::bits_of(expected[i]))
          << name(c) << " of " << static_cast<double>(a[i]) << ", " << static_cast<double>(b[i])
          << " on " << hwy::TargetName(target);
    }
  }
}

template <class T>
std::vector<T> by_multiple_precision(Op c, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> y;
  for (std::size_t i = 0; i < a.size(); ++i) {
    y.push_back(op::by_multiple_precision(c, a[i], b[i]));
  }
  return y;
}

// By the C library's estimate where it decides, which src/op/rounded_test.cpp (of 16-bit types
// for each number) and ./test exhaustive-unary check against multiple precision.
template <class T>
std::vector<T> by_plain_kernel(Op c, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> y(a.size());
  const ScopedFloatEnv env;
  function_kernels()
      ->kernels[static_cast<std::size_t>(c)][static_cast<std::size_t>(dtype_of<T>)][0](
          {a.data(), b.data(), y.data(), static_cast<std::int64_t>(a.size()), false, false});
  return y;
}

// Where reductions change, ranges end and functions come near to numbers of few bits.
template <class T>
std::vector<T> places_of_interest(int neighbours) {
  const FloatFormat f = Element<T>::kFormat;
  std::vector<double> places = {0x1p-900, 0x1p-400, 0x1p400, 0x1p1000, 690, 708,   709.78, 745.13,
                                25,       22,       60,      100,      640, 990,   1024,   1074,
                                4096,     0x1p20,   120,     200,      30,  88.72, 103.97, 87.33,
                                17,       16.64,    9,       128,      149, 126};
  for (int i = -1074; i < 1024; i += 1 + (i > 40 || i < -80 ? 13 : 0)) {
    places.push_back(std::ldexp(1, i));
    places.push_back(std::ldexp(1.4142135623730951, i));
    places.push_back(std::ldexp(0x1.6Ap0, i));
  }
  for (int i = 1; i < 400; ++i) {
    places.push_back(i * 0.34657359027997264);    // log(2) / 2
    places.push_back(i * 0.78539816339744831);    // pi / 4
    places.push_back(i * 0.0027076061740622863);  // log(2) / 256
    places.push_back(i * 0.0030679615757712823);  // pi / 1024
    places.push_back(1 + (i - 200) * 0x1p-9);
    places.push_back(i * 0.5);
    places.push_back(i / 256.0);
    places.push_back(667544 * 1.5707963267948966 * i / 400);
  }
  std::vector<T> all;
  for (const double place : places) {
    const std::uint64_t middle = exact::bits_of(T(place));
    for (int k = -neighbours; k <= neighbours; ++k) {
      const std::uint64_t bits = (middle + static_cast<std::uint64_t>(k)) & (f.sign_bit() - 1);
      all.push_back(from_bits<T>(bits));
      all.push_back(from_bits<T>(bits | f.sign_bit()));
    }
  }
  for (const std::uint64_t bits :
       {std::uint64_t{0}, std::uint64_t{1}, f.mantissa_mask(), f.mantissa_mask() + 1,
        f.infinity() - 1, f.infinity(), f.infinity() | 1, f.canonical_nan()}) {
    all.push_back(from_bits<T>(bits));
    all.push_back(from_bits<T>(bits | f.sign_bit()));
  }
  return all;
}

template <class T>
class FunctionOfHalf : public testing::Test {};
using Halves = testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(FunctionOfHalf, Halves);

TYPED_TEST(FunctionOfHalf, IsRightForEachNumber) {
  std::vector<TypeParam> a;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) a.push_back(from_bits<TypeParam>(bits));
  ASSERT_EQ(cases(dtype_of<TypeParam>, 1).size(), 19u);
  for (const Op c : cases(dtype_of<TypeParam>, 1)) {
    ASSERT_NO_FATAL_FAILURE(check(c, a, a, by_plain_kernel(c, a, a)));
  }
}

TEST(FunctionOfFp32, IsRightForASliceAndPlacesOfInterest) {
  std::vector<float> a = places_of_interest<float>(40);
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 4093) {
    a.push_back(from_bits<float>(bits));
  }
  for (const Op c : cases(DType::fp32, 1)) {
    ASSERT_NO_FATAL_FAILURE(check(c, a, a, by_plain_kernel(c, a, a)));
  }
}

TEST(FunctionOfFp64, IsRightForPlacesOfInterest) {
  const std::vector<double> a = places_of_interest<double>(1);
  ASSERT_EQ(cases(DType::fp64, 1).size(), 19u);
  for (const Op c : cases(DType::fp64, 1)) {
    ASSERT_NO_FATAL_FAILURE(check(c, a, a, by_multiple_precision(c, a, a)));
  }
}

TEST(FunctionOfFp64, IsRightForRandomNumbers) {
  std::mt19937_64 random(7);
  std::vector<double> a;
  for (int i = 0; i < 20'000; ++i) {
    const double unit = std::ldexp(static_cast<double>(random() >> 11), -53) * 2 - 1;
    a.push_back(unit * std::ldexp(1, static_cast<int>(random() % 40) - 29));
    a.push_back(1 + unit * std::ldexp(1, -static_cast<int>(random() % 50)));
    if (i % 8 == 0) a.push_back(from_bits<double>(random()));
  }
  for (const Op c : cases(DType::fp64, 1)) {
    ASSERT_NO_FATAL_FAILURE(check(c, a, a, by_multiple_precision(c, a, a)));
  }
}

template <class T>
class FunctionOfTwo : public testing::Test {};
using Floats = testing::Types<float16, bfloat16, float, double>;
TYPED_TEST_SUITE(FunctionOfTwo, Floats);

TYPED_TEST(FunctionOfTwo, IsRightForRandomPairs) {
  using T = TypeParam;
  std::mt19937_64 random(8);
  std::vector<T> a, b;
  const std::vector<T> places = places_of_interest<T>(0);
  for (int i = 0; i < 60'000; ++i) {
    const int exponent = i % 2 == 0 ? 0 : static_cast<int>(random() % 60) - 30;
    a.push_back(T(std::ldexp(static_cast<double>(random() >> 11), exponent - 52)));
    b.push_back(T(std::ldexp(static_cast<double>(random() >> 11), -52)));
    a.push_back(places[random() % places.size()]);
    b.push_back(places[random() % places.size()]);
    a.push_back(T(static_cast<double>(random() % 4096)));  // many exact results and middles
    b.push_back(T(static_cast<double>(random() % 4096)));
  }
  ASSERT_GE(cases(dtype_of<T>, 2).size(), 1u);
  for (const Op c : cases(dtype_of<T>, 2)) {
    ASSERT_NO_FATAL_FAILURE(check(c, a, b, by_multiple_precision(c, a, b)));
  }
}

// Exact powers and middles; bases near 1 with huge exponents; powers where the range ends; special
// values.
template <class T>
void hard_powers(std::vector<T>& a, std::vector<T>& b) {
  std::mt19937_64 random(11);
  const FloatFormat f = Element<T>::kFormat;
  const auto add = [&](double x, double y) {
    a.push_back(T(x));
    b.push_back(T(y));
  };
  const auto unit = [&] { return std::ldexp(static_cast<double>(random() >> 11), -53); };
  for (int x = -70; x <= 70; ++x) {
    for (int y = -24; y <= 24; ++y) {
      add(x, y);
      add(x / 8.0, y);
      add(x * x, y / 2.0);
      add(std::pow(x, 4), y / 4.0);
    }
  }
  for (int i = 0; i < 3000; ++i) {
    // Squares, cubes, … of one bit more than the type has, or of one less.
    const int power = i % 4 + 2, bits = (f.precision + power - i % 3) / power;
    const double base = std::nearbyint(std::ldexp(1 + unit(), bits - 1));
    add(i % 2 == 0 ? base : -base, power);
    add(std::pow(base, power), 1.0 / power);
    for (const double y : {2.0, 1.0, -1.0, 3.0, 0.5, -0.5, -2.0}) add(8 * unit() - 4, y);
    // Where numbers end: overflow, the least normal number, zero; and beyond.
    const double x = i % 2 == 0 ? std::ldexp(1 + unit(), i % 15) : 1 + std::ldexp(unit(), -i % 50);
    for (const int end : {f.max_exponent() + 1, f.min_exponent(),
                          f.min_exponent() - f.precision + 1, f.min_exponent() - f.precision}) {
      const double y = (end + (i % 3 == 0 ? 0 : unit() * 2 - 1)) / std::log2(x);
      add(x, y);
      add(1 / x, -y);
      add(-x, std::nearbyint(y));
      add(std::ldexp(1, i % 9 + 1), std::nearbyint(static_cast<double>(end) / (i % 9 + 1)));
    }
    add(1 + std::ldexp(unit(), -i % 52), (unit() * 2 - 1) * std::ldexp(1, i % 70));
    a.push_back(from_bits<T>(random()));
    b.push_back(from_bits<T>(random()));
    a.push_back(from_bits<T>(random() & f.mantissa_mask()));  // subnormal
    b.push_back(T(unit() * 4 - 2));
  }
  std::vector<T> special;
  for (const double x :
       {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 0x1p51, 0x1p51 + 1, 0x1p52 + 1, 0x1p53, 1e300}) {
    special.push_back(T(x));
    special.push_back(T(-x));
  }
  for (const std::uint64_t bits :
       {std::uint64_t{1}, f.mantissa_mask(), f.mantissa_mask() + 1, f.infinity() - 1, f.infinity(),
        f.infinity() | 1, f.canonical_nan(), exact::bits_of(T(1)) - 1, exact::bits_of(T(1)) + 1}) {
    special.push_back(from_bits<T>(bits));
    special.push_back(from_bits<T>(bits | f.sign_bit()));
  }
  for (const T x : special) {
    for (const T y : special) {
      a.push_back(x);
      b.push_back(y);
    }
  }
}

TYPED_TEST(FunctionOfTwo, HardPowersAreRight) {
  const Op power = Op::pow;
  std::vector<TypeParam> a, b;
  hard_powers(a, b);
  const std::vector<TypeParam> expected = by_multiple_precision(power, a, b);
  ASSERT_NO_FATAL_FAILURE(check(power, a, b, expected));
  const std::vector<TypeParam> plain = by_plain_kernel(power, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(exact::bits_of(plain[i]), exact::bits_of(expected[i]))
        << static_cast<double>(a[i]) << " to the power " << static_cast<double>(b[i]);
  }
  // All vectors of one exponent that is one operation.
  for (const double exponent : {2.0, 1.0, -1.0}) {
    std::fill(b.begin(), b.end(), TypeParam(exponent));
    ASSERT_NO_FATAL_FAILURE(check(power, a, b, by_multiple_precision(power, a, b)));
  }
}

// Any length, any place, in place, an operand that is one element: the same bits.
TYPED_TEST(FunctionOfTwo, LinesOfAnyLength) {
  using T = TypeParam;
  const ScopedFloatEnv env;
  std::vector<T> a, b;
  for (int i = 0; i < 600; ++i) {
    a.push_back(T(0.37 * i - 20));
    b.push_back(T(55.5 - 0.21 * i));
  }
  for (const int arity : {1, 2}) {
    for (const Op c : cases(dtype_of<T>, arity)) {
      for (const std::int64_t target : targets_here()) {
        const Kernel kernel = kernel_of(target, c, dtype_of<T>);
        for (const std::int64_t n : {0, 1, 2, 3, 5, 7, 8, 9, 31, 64, 255, 256, 257, 520}) {
          for (const bool a_scalar : {false, true}) {
            const bool b_scalar = !a_scalar && n % 2 == 1;
            std::vector<T> y(a.begin(), a.end());
            const T scalar_a = a[3], scalar_b = b[3];
            kernel({a_scalar ? &scalar_a : y.data() + 3, b_scalar ? &scalar_b : b.data() + 3,
                    y.data() + 3, n, a_scalar, b_scalar});
            for (std::int64_t i = 0; i < 600; ++i) {
              const auto k = static_cast<std::size_t>(i);
              T expected = a[k];
              if (i >= 3 && i < n + 3) {
                const std::vector<T> x = {a_scalar ? scalar_a : a[k]};
                const std::vector<T> z = {b_scalar ? scalar_b : b[k]};
                expected = by_plain_kernel(c, x, z)[0];
              }
              ASSERT_EQ(exact::bits_of(y[k]), exact::bits_of(expected))
                  << name(c) << " at " << i << " of " << n << " on " << hwy::TargetName(target);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace hadamard::exec::cpu
