#include "op/rounded.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "base/float_env.hpp"
#include "num/exact.hpp"
#include "op/test_oracle.hpp"

namespace hadamard::op {
namespace {

std::vector<Op> functions() {
  std::vector<Op> all;
  std::copy_if(std::begin(kAllOps), std::end(kAllOps), std::back_inserter(all), is_function);
  return all;
}

template <class T>
T fast(Op op, T a, T b) {
  return with_op(op, [&](auto o) -> T {
    using Operator = typename decltype(o)::type;
    if constexpr (has_oracle<Operator>) {
      return rounded<Operator>(a, b);
    } else {
      return a;
    }
  });
}

template <class T>
T from_bits(std::uint64_t bits) {
  if constexpr (std::is_class_v<T>) {
    return T::from_bits(static_cast<std::uint16_t>(bits));
  } else {
    return std::bit_cast<T>(static_cast<typename Element<T>::Bits>(bits));
  }
}

template <class T>
std::uint64_t expected_bits(Op op, T a, T b) {
  const double result = in_many_bits(op, static_cast<double>(a), static_cast<double>(b));
  if (std::isnan(result)) return Element<T>::kFormat.canonical_nan();
  return exact::bits_of(T(result));
}

template <class T>
void check(Op op, T a, T b) {
  const std::uint64_t got = exact::bits_of(fast(op, a, b));
  ASSERT_EQ(got, expected_bits(op, a, b))
      << name(op) << " of " << static_cast<double>(a) << ", " << static_cast<double>(b);
  ASSERT_EQ(got, exact::bits_of(by_multiple_precision(op, a, b)));
}

template <class T>
class EveryHalf : public testing::Test {};
using Halves = testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(EveryHalf, Halves);

TYPED_TEST(EveryHalf, IsRightForEachNumber) {
  for (const Op op : functions()) {
    if (arity(op) == 2) continue;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      ASSERT_NO_FATAL_FAILURE(check(op, from_bits<TypeParam>(bits), from_bits<TypeParam>(bits)));
    }
  }
}

// Operands of interest: around the ends of the range, around 0 and 1, any bits.
template <class T>
T interesting(std::mt19937_64& random) {
  const double unit = std::ldexp(static_cast<double>(random() >> 11), -53) * 2 - 1;
  switch (random() % 5) {
    case 0:
      return T(unit * 800);
    case 1:
      return T(1 + unit * std::ldexp(1, -static_cast<int>(random() % 60)));
    case 2:
      return T(unit * std::ldexp(1, static_cast<int>(random() % 40) - 30));
    case 3:
      return T(static_cast<double>(static_cast<std::int64_t>(random() % 41) - 20));
    default:
      return from_bits<T>(random());
  }
}

template <class T>
class Random : public testing::Test {};
using Small = testing::Types<float16, bfloat16, float>;
TYPED_TEST_SUITE(Random, Small);

TYPED_TEST(Random, AgreesWithManyBits) {
  std::mt19937_64 random(1);
  for (const Op op : functions()) {
    for (int i = 0; i < 20'000; ++i) {
      ASSERT_NO_FATAL_FAILURE(
          check(op, interesting<TypeParam>(random), interesting<TypeParam>(random)));
    }
  }
}

// Every pair of numbers of interest: ends of the range, zeros, infinities, NaN.
template <class T>
std::vector<T> special_values() {
  const FloatFormat f = Element<T>::kFormat;
  const std::uint64_t unit = f.mantissa_mask() + 1;
  const std::uint64_t one = static_cast<std::uint64_t>(f.bias()) * unit;
  std::vector<T> all;
  for (const std::uint64_t bits :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, unit - 1, unit, unit + 1, one - 1,
        one, one + 1, one + unit, one + unit / 2, one + 2 * unit + unit / 4, f.infinity() - 1,
        f.infinity() - unit, f.infinity(), f.infinity() | 1, f.canonical_nan()}) {
    all.push_back(from_bits<T>(bits));
    all.push_back(from_bits<T>(bits | f.sign_bit()));
  }
  return all;
}

TYPED_TEST(Random, AgreesForPairsOfSpecialValues) {
  for (const Op op : functions()) {
    for (const TypeParam a : special_values<TypeParam>()) {
      for (const TypeParam b : special_values<TypeParam>()) {
        ASSERT_NO_FATAL_FAILURE(check(op, a, b));
      }
    }
  }
}

TEST(Fp64, AgreesForPairsOfSpecialValues) {
  for (const Op op : functions()) {
    for (const double a : special_values<double>()) {
      for (const double b : special_values<double>()) {
        ASSERT_EQ(exact::bits_of(fast(op, a, b)), exact::bits_of(by_multiple_precision(op, a, b)))
            << name(op) << " of " << a << ", " << b;
      }
    }
  }
}

// Of fp64 the multiple-precision result itself has to be checked otherwise: by its neighbours.
TEST(Fp64, IsTheNearest) {
  std::mt19937_64 random(2);
  for (const Op op : functions()) {
    for (int i = 0; i < 20'000; ++i) {
      const double a = interesting<double>(random), b = interesting<double>(random);
      const double y = fast(op, a, b);
      ASSERT_EQ(exact::bits_of(y), exact::bits_of(by_multiple_precision(op, a, b)))
          << name(op) << " of " << a << ", " << b;
      // The odd-rounded value in 53 bits is y, or its neighbour towards zero.
      const double odd = in_many_bits(op, a, b);
      if (!std::isfinite(odd)) continue;
      ASSERT_TRUE(y == odd || y == std::nextafter(odd, INFINITY) ||
                  y == std::nextafter(odd, -INFINITY));
    }
  }
}

TEST(Special, Values) {
  const double inf = std::numeric_limits<double>::infinity(), nan = NAN;
  EXPECT_EQ(rounded<Exp>(0.0), 1.0);
  EXPECT_EQ(rounded<Exp>(-inf), 0.0);
  EXPECT_EQ(rounded<Exp>(710.0), inf);
  EXPECT_EQ(rounded<Exp>(-746.0), 0.0);
  EXPECT_EQ(rounded<Exp>(-745.0), 5e-324);
  EXPECT_EQ(rounded<Log>(0.0), -inf);
  EXPECT_EQ(rounded<Log>(-0.0), -inf);
  EXPECT_TRUE(std::isnan(rounded<Log>(-1.0)));
  EXPECT_EQ(exact::bits_of(rounded<Tanh>(-0.0)), exact::bits_of(-0.0));
  EXPECT_EQ(rounded<Sigmoid>(0.0f), 0.5f);
  EXPECT_EQ(exact::bits_of(rounded<Sigmoid>(-inf)), 0u);
  EXPECT_EQ(exact::bits_of(by_multiple_precision(Op::sigmoid, -1e308, 0.0)), 0u);
  EXPECT_EQ(rounded<Pow>(nan, 0.0), 1.0);
  EXPECT_EQ(rounded<Pow>(1.0, nan), 1.0);
  EXPECT_TRUE(std::isnan(rounded<Pow>(-8.0, 1.0 / 3.0)));
  EXPECT_EQ(rounded<Pow>(-0.0, -3.0), -inf);
  // Middles between two floats, which only exactness decides: (2^12 + 1)^2 and (2^8 + 1)^3 have 25
  // bits.
  EXPECT_EQ(rounded<Pow>(4097.0f, 2.0f), 16785408.0f);
  EXPECT_EQ(rounded<Pow>(257.0f, 3.0f), 16974592.0f);
  EXPECT_EQ(exact::bits_of(rounded<Exp>(std::bit_cast<double>(0xFFF4'0000'0000'0001))),
            kFp64.canonical_nan());
}

template <class T>
void expect_powers_of_one_operation() {
  std::mt19937_64 random(12);
  const FloatFormat f = Element<T>::kFormat;
  std::vector<std::uint64_t> bases = {0,
                                      1,
                                      f.mantissa_mask(),
                                      f.mantissa_mask() + 1,
                                      f.infinity() - 1,
                                      f.infinity(),
                                      f.infinity() | 1,
                                      f.canonical_nan()};
  for (int i = 0; i < 2000; ++i) bases.push_back(random() & (f.sign_bit() - 1));
  for (const double exponent : {2.0, 1.0, -1.0}) {
    for (const std::uint64_t base : bases) {
      for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{f.sign_bit()}}) {
        const T x = exact::from_bits<T>(base | sign), y(exponent);
        ASSERT_EQ(exact::bits_of(rounded<Pow>(x, y)),
                  exact::bits_of(by_multiple_precision(Op::pow, x, y)))
            << static_cast<double>(x) << " to the power " << exponent;
      }
    }
  }
}
TEST(Special, PowersOfOneOperation) {
  expect_powers_of_one_operation<float16>();
  expect_powers_of_one_operation<bfloat16>();
  expect_powers_of_one_operation<float>();
  expect_powers_of_one_operation<double>();
}

TEST(Special, ValuesOfTheOthers) {
  const double inf = std::numeric_limits<double>::infinity(), nan = NAN;
  for (const double zero : {0.0, -0.0}) {
    EXPECT_EQ(exact::bits_of(rounded<Expm1>(zero)), exact::bits_of(zero));
    EXPECT_EQ(exact::bits_of(rounded<Log1p>(zero)), exact::bits_of(zero));
    EXPECT_EQ(exact::bits_of(rounded<Sin>(zero)), exact::bits_of(zero));
    EXPECT_EQ(exact::bits_of(rounded<Atan2>(zero, 1.0)), exact::bits_of(zero));
    EXPECT_EQ(rounded<Cos>(zero), 1.0);
    EXPECT_EQ(rounded<Log2>(zero), -inf);
    EXPECT_EQ(rounded<Log10>(zero), -inf);
    EXPECT_EQ(rounded<Exp2>(zero), 1.0);
  }
  EXPECT_EQ(rounded<Expm1>(-inf), -1.0);
  EXPECT_EQ(rounded<Expm1>(5e-324), 5e-324);
  EXPECT_EQ(rounded<Log1p>(-1.0), -inf);
  EXPECT_TRUE(std::isnan(rounded<Log1p>(-1.5)));
  EXPECT_TRUE(std::isnan(rounded<Log2>(-1.0)));
  EXPECT_TRUE(std::isnan(rounded<Sin>(inf)));
  EXPECT_TRUE(std::isnan(rounded<Cos>(-inf)));
  // Exact results, and exact middles between two numbers.
  for (int i = -1074; i < 1024; ++i) {
    ASSERT_EQ(rounded<Exp2>(static_cast<double>(i)), std::ldexp(1, i));
    ASSERT_EQ(rounded<Log2>(std::ldexp(1, i)), i);
  }
  double power = 1;
  for (int i = 0; i <= 22; ++i, power *= 10) ASSERT_EQ(rounded<Log10>(power), i);
  EXPECT_EQ(exact::bits_of(rounded<Exp2>(-1075.0)), 0u);
  EXPECT_EQ(rounded<Exp2>(std::nextafter(-1075.0, 0.0)), 5e-324);
  EXPECT_EQ(rounded<Exp2>(1024.0), inf);
  EXPECT_EQ(rounded<Hypot>(3.0, -4.0), 5.0);
  EXPECT_EQ(rounded<Hypot>(3e-323, 4e-323), 4.9406564584124654e-323);
  EXPECT_EQ(rounded<Hypot>(-inf, nan), inf);
  EXPECT_EQ(rounded<Hypot>(nan, inf), inf);
  EXPECT_EQ(rounded<Hypot>(std::bit_cast<double>(0x7FF0'0000'0000'0001), inf), inf);
  EXPECT_EQ(rounded<Hypot>(float16::from_bits(0x7C01), float16(inf)).bits, 0x7C00);
  EXPECT_EQ(rounded<Hypot>(1.7e308, 1.7e308), inf);
  EXPECT_EQ(rounded<Hypot>(16385.0f, 128.0f), 16385.5f);
  EXPECT_EQ(rounded<Atan2>(-0.0, -1.0), -3.141592653589793);
  EXPECT_EQ(rounded<Atan2>(inf, -inf), 2.356194490192345);
  EXPECT_EQ(rounded<Atan2>(5e-324, 2.0), 0.0);  // just below the middle
  EXPECT_EQ(rounded<Atan2>(1.5e-323, 2.0), 5e-324);
}

// Arguments whose reduction loses the most bits, and multiples of pi/2.
TEST(Special, LargeAngles) {
  const double nearest = std::ldexp(6381956970095103.0, 797);
  EXPECT_EQ(rounded<Cos>(nearest), -4.687165924254628e-19);
  EXPECT_EQ(rounded<Sin>(nearest), 1.0);
  EXPECT_EQ(rounded<Sin>(1e22), -0.8522008497671888);
  EXPECT_EQ(rounded<Sin>(1e300), -0.8178819121159085);
  EXPECT_EQ(rounded<Cos>(1e300), -0.5753861119575491);
  std::mt19937_64 random(4);
  for (int i = 0; i < 20'000; ++i) {
    const double quarter = 1.5707963267948966 * static_cast<double>(random() >> (random() % 64));
    for (const double x : {quarter, std::nextafter(quarter, 0.0)}) {
      for (const Op op : {Op::sin, Op::cos}) {
        ASSERT_EQ(exact::bits_of(fast(op, x, x)), exact::bits_of(by_multiple_precision(op, x, x)))
            << name(op) << " of " << x;
        const auto y = static_cast<float>(x);
        ASSERT_NO_FATAL_FAILURE(check(op, y, y));
      }
    }
  }
}

TEST(Special, Remainders) {
  const double inf = std::numeric_limits<double>::infinity(), nan = NAN;
  const auto mod = [](double a, double b) { return exact::bits_of(rounded<Mod>(a, b)); };
  const auto rem = [](double a, double b) { return exact::bits_of(rounded<Rem>(a, b)); };
  const auto bits = [](double x) { return exact::bits_of(x); };
  EXPECT_EQ(mod(5.5, -2), bits(-0.5));
  EXPECT_EQ(mod(-5.5, 2), bits(0.5));
  EXPECT_EQ(rem(5.5, -2), bits(1.5));
  EXPECT_EQ(rem(-5.5, 2), bits(-1.5));
  EXPECT_EQ(mod(-1e-20, 1), bits(1));  // rounded
  EXPECT_EQ(mod(7, 0), kFp64.canonical_nan());
  EXPECT_EQ(mod(-7, -0.0), kFp64.canonical_nan());
  EXPECT_EQ(mod(-inf, 0), kFp64.canonical_nan());
  EXPECT_EQ(mod(4, -2), bits(-0.0));
  EXPECT_EQ(mod(-4, 2), bits(0.0));
  EXPECT_EQ(mod(0.0, -0.0), kFp64.canonical_nan());
  EXPECT_EQ(mod(-0.0, 3), bits(0.0));
  EXPECT_EQ(mod(5, inf), bits(5));
  EXPECT_EQ(mod(-5, inf), bits(inf));
  EXPECT_EQ(mod(-0.0, inf), bits(0.0));
  EXPECT_EQ(mod(inf, 3), kFp64.canonical_nan());
  EXPECT_EQ(mod(nan, 0), kFp64.canonical_nan());
  EXPECT_EQ(rem(4, -2), bits(0.0));
  EXPECT_EQ(rem(-4, 2), bits(-0.0));
  EXPECT_EQ(rem(-5, inf), bits(-5));
  EXPECT_EQ(rem(5, 0), kFp64.canonical_nan());
  EXPECT_EQ(rem(inf, 2), kFp64.canonical_nan());
  EXPECT_EQ(rem(1e300, 7), bits(1));
  EXPECT_EQ(mod(1.7e308, 5e-324), bits(0.0));
}

// A caller who uses the library of multiple precision with a range and flags of his own has the
// same results, and both back.
TEST(Environment, OfTheLibraryDoesNotMatter) {
  const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
  mpfr_set_emin(-5);
  mpfr_set_emax(16);
  mpfr_clear_flags();
  const double large = by_multiple_precision(Op::exp, 100.0, 0.0);
  const float middle = rounded<Pow>(257.0f, 3.0f);
  const double small = by_multiple_precision(Op::sigmoid, -700.0, 0.0);
  EXPECT_EQ(mpfr_get_emin(), -5);
  EXPECT_EQ(mpfr_get_emax(), 16);
  EXPECT_EQ(mpfr_flags_save(), 0u);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  EXPECT_EQ(large, 2.6881171418161356e43);
  EXPECT_EQ(middle, 16974592.0f);
  EXPECT_EQ(small, 9.8596765437597708e-305);
}

#if defined(__x86_64__)
// A caller who made the x87 unit compute with 53 bits gets the same, and has it back.
TEST(Environment, OfTheX87UnitDoesNotMatter) {
  std::mt19937_64 random(3);
  std::vector<double> operands(5000);
  for (double& x : operands) x = interesting<double>(random);
  const std::uint16_t narrow = 0x027F;
  asm volatile("fldcw %0" : : "m"(narrow));
  std::vector<double> results;
  {
    const ScopedExtendedPrecision extended;
    for (const double x : operands) results.push_back(rounded<Exp>(x));
  }
  std::uint16_t after = 0;
  asm volatile("fnstcw %0" : "=m"(after));
  asm volatile("fninit");
  EXPECT_EQ(after, narrow);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    ASSERT_EQ(exact::bits_of(results[i]),
              exact::bits_of(by_multiple_precision(Op::exp, operands[i], 0.0)));
  }
}
#endif

// A leak would be LeakSanitizer's to find (./test sanitize).
TEST(Environment, ThreadsLeaveNothingOfTheLibraryBehind) {
  for (int i = 0; i < 3; ++i) {
    std::thread([] {
      EXPECT_EQ(by_multiple_precision<double>(Op::exp, 1.0, 0.0), 2.718281828459045);
      EXPECT_EQ(by_multiple_precision<double>(Op::log, 2.0, 0.0), 0.6931471805599453);
    }).join();
  }
}

}  // namespace
}  // namespace hadamard::op
