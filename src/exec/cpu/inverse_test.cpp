// Lines divided by one number: every divisor of 8 and 16 bits, and the hard ones of 32 and 64,
// against division in 128 bits.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "base/float_env.hpp"
#include "exec/cpu/test_kernels.hpp"

namespace hadamard::exec::cpu {
namespace {

// Numbers around multiples of b, where a quotient changes, and around the ends of the type.
template <class T>
std::vector<T> dividends(T b, std::mt19937_64& random) {
  using U = std::make_unsigned_t<T>;
  std::vector<T> values;
  const auto around = [&](U x) {
    for (int k = -2; k <= 2; ++k)
      values.push_back(static_cast<T>(static_cast<U>(x + static_cast<U>(k))));
  };
  around(0);
  around(static_cast<U>(std::numeric_limits<T>::min()));
  around(static_cast<U>(std::numeric_limits<T>::max()));
  const U largest = static_cast<U>(std::numeric_limits<T>::max() / b);  // the largest quotient
  around(static_cast<U>(std::uint64_t{largest} * static_cast<U>(b)));   // 16 bits would become int
  for (int k = 0; k < 12; ++k) {
    around(static_cast<U>(random() * static_cast<U>(b)));
    values.push_back(static_cast<T>(random()));
  }
  return values;  // more than the 64 from which on inverses are used
}

template <class T>
void check(DType type, T b, std::mt19937_64& random) {
  const std::vector<T> a = dividends(b, random);
  ASSERT_GE(a.size(), 64U);
  std::vector<T> y(a.size());
  for (const std::int64_t target : targets_here()) {
    for (const IntDivision rounding : {IntDivision::floor, IntDivision::trunc}) {
      const Kernel kernel = kernel_of(target, Op::div, type, rounding);
      EXPECT_FALSE(kernel(
          Line{a.data(), &b, y.data(), static_cast<std::int64_t>(a.size()), false, true, false}));
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(y[i], quotient_of(a[i], b, rounding))
            << name(type) << " " << +a[i] << " / " << +b << " " << name(rounding);
      }
    }
  }
}

template <class T>
void every_divisor(DType type) {
  const ScopedFloatEnv env;
  std::mt19937_64 random(5);
  for (int b = std::numeric_limits<T>::min(); b <= std::numeric_limits<T>::max(); ++b) {
    if (b != 0) check<T>(type, static_cast<T>(b), random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <class T>
void hard_divisors(DType type) {
  using U = std::make_unsigned_t<T>;
  const ScopedFloatEnv env;
  std::mt19937_64 random(6);
  std::vector<T> divisors;
  for (int bit = 0; bit < std::numeric_limits<U>::digits; ++bit) {
    for (int k = -2; k <= 2; ++k) {
      const U x = static_cast<U>((U{1} << bit) + static_cast<U>(k));
      divisors.push_back(static_cast<T>(x));
      divisors.push_back(static_cast<T>(U{0} - x));
    }
  }
  for (int k = 0; k < 5000; ++k) {
    divisors.push_back(
        static_cast<T>(static_cast<T>(random()) >> (random() % std::numeric_limits<U>::digits)));
  }
  for (const T b : divisors) {
    if (b != 0) check<T>(type, b, random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Inverse, EveryDivisorOf8Bits) {
  every_divisor<std::int8_t>(DType::int8);
  every_divisor<std::uint8_t>(DType::uint8);
}
TEST(Inverse, EveryDivisorOf16Bits) {
  every_divisor<std::int16_t>(DType::int16);
  every_divisor<std::uint16_t>(DType::uint16);
}
TEST(Inverse, HardDivisorsOf32Bits) {
  hard_divisors<std::int32_t>(DType::int32);
  hard_divisors<std::uint32_t>(DType::uint32);
}
TEST(Inverse, HardDivisorsOf64Bits) {
  hard_divisors<std::int64_t>(DType::int64);
  hard_divisors<std::uint64_t>(DType::uint64);
}

TEST(Inverse, AZeroIsNoticed) {
  std::vector<std::int32_t> a(100, 7);
  std::vector<std::int32_t> y(100);
  const std::int32_t zero = 0;
  for (const std::int64_t target : targets_here()) {
    const Kernel kernel = kernel_of(target, Op::div, DType::int32);
    EXPECT_TRUE(kernel(Line{a.data(), &zero, y.data(), 100, false, true, false}));
    EXPECT_TRUE(kernel(Line{a.data(), &zero, y.data(), 10, false, true, false}));
  }
}

}  // namespace
}  // namespace hadamard::exec::cpu
