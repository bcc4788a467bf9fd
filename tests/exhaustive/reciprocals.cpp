// Division of lines of floats by one number, which multiplies by the reciprocal
// (src/exec/cpu/float_reciprocal-inl.h): at the quotients where that could go wrong.
//
// Quotients of significands X / C of p bits, the only ones that can be rounded wrongly, are those
// next to the middle between two floats: 2^k X = C M + d with M odd, d = 1 or -1, k = p where X >=
// C and p + 1 where X < C. For odd C each k and d give one X modulo C. Taken are all C of fp32 and
// many of fp64, against the hardware's division.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "base/float_env.hpp"
#include "exec/cpu/test_kernels.hpp"

namespace hadamard::exec::cpu {
namespace {

constexpr std::size_t kLong = 4096 + 64;  // from so many elements on, reciprocals are used
constexpr std::size_t kFirst = 16;        // those before may be divided otherwise

std::uint64_t product(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(static_cast<uint128>(a) * b % modulus);
}
// 2^-k modulo an odd number.
std::uint64_t inverse_power(int k, std::uint64_t modulus) {
  std::uint64_t result = 1;
  for (std::uint64_t base = (modulus + 1) / 2; k > 0; k /= 2, base = product(base, base, modulus)) {
    if (k % 2 != 0) result = product(result, base, modulus);
  }
  return result;
}

// The significands X that are hard for C.
void add_hard(std::uint64_t c, int digits, std::vector<std::uint64_t>& to) {
  const std::uint64_t least = std::uint64_t{1} << (digits - 1);
  for (const bool larger : {true, false}) {
    const std::uint64_t one = inverse_power(larger ? digits : digits + 1, c);
    for (const std::uint64_t residue : {one, c - one}) {  // d = 1, -1
      for (std::uint64_t x = residue; x < 2 * least; x += c) {
        if (x >= least && (x >= c) == larger) to.push_back(x);
      }
    }
  }
}

template <class F>
class Divided {
 public:
  explicit Divided(std::int64_t target)
      : kernel_(float_kernels(target)->kernels[static_cast<std::size_t>(Op::div)]
                                              [static_cast<std::size_t>(dtype_of<F>)][0]),
        a_(kLong, F{1}),
        y_(kLong) {}

  // How many of the quotients of the significands, with exponents and signs as `random` says, are
  // not those of the hardware.
  int wrong(std::uint64_t c, const std::vector<std::uint64_t>& xs, std::uint64_t random) {
    const F divisor = number(c, random, kOfDivisors);
    std::size_t n = kFirst;
    for (const std::uint64_t x : xs) {
      a_[n++] = number(x, random = random * 6364136223846793005 + 1442695040888963407, kHalf);
    }
    kernel_(Line{a_.data(), &divisor, y_.data(), kLong, false, true, false});
    int count = 0;
    for (std::size_t i = kFirst; i < n; ++i) {
      const F expected = a_[i] / divisor;
      if (y_[i] == expected) continue;
      ++count;
      ADD_FAILURE() << std::hexfloat << a_[i] << " / " << divisor << " is " << expected << ", not "
                    << y_[i];
    }
    return count;
  }

 private:
  // Of all that reciprocals take.
  static constexpr int kDigits = std::numeric_limits<F>::digits;
  static constexpr int kHalf = std::numeric_limits<F>::max_exponent / 2;
  static constexpr int kOfDivisors = kHalf - kDigits - 4;

  // With an exponent from -most on, and below most.
  static F number(std::uint64_t significand, std::uint64_t random, int most) {
    const int exponent = static_cast<int>(random >> 40) % (2 * most) - most;
    const F size = std::ldexp(static_cast<F>(significand), exponent + 1 - kDigits);
    return (random >> 39) % 2 == 0 ? size : -size;
  }
  Kernel kernel_;
  std::vector<F> a_, y_;
};

// Of the best target: the others that divide so do it by the same instructions, or have none for
// it. Every 32nd of all C, or the others.
void check_fp32(bool others) {
  const ScopedFloatEnv env;
  Divided<float> divided(targets_here().front());
  std::vector<std::uint64_t> xs;
  std::uint64_t taken = 0;
  int wrong = 0;
  for (std::uint64_t c = (1 << 23) + 1; c < 1 << 24 && wrong < 5; c += 2) {
    if ((c % 64 == 1) == others) continue;
    xs.clear();
    add_hard(c, 24, xs);
    taken += xs.size();
    wrong += divided.wrong(c, xs, c * 0x9E3779B97F4A7C15);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(taken, others ? 31u << 17 : 1u << 17);  // there is one for almost every C
}
TEST(Reciprocals, HardQuotientsOfSomeFp32) { check_fp32(false); }
TEST(Reciprocals, HardQuotientsOfAllOtherFp32) { check_fp32(true); }

TEST(Reciprocals, HardQuotientsOfFp64) {
  const ScopedFloatEnv env;
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> xs;
  for (const std::int64_t target : targets_here()) {
    Divided<double> divided(target);
    int wrong = 0;
    for (std::uint64_t k = 0; k < 200000 && wrong < 5; ++k) {
      // Any, and those at the ends, where the bounds of the proof are close.
      std::uint64_t c = (std::uint64_t{1} << 52) | (random() >> 12) | 1;
      if (k % 3 == 1) c = (std::uint64_t{1} << 53) - 1 - 2 * k;
      if (k % 3 == 2) c = (std::uint64_t{1} << 52) + 1 + 2 * k;
      xs.clear();
      add_hard(c, 53, xs);
      wrong += divided.wrong(c, xs, random());
    }
    EXPECT_EQ(wrong, 0);
  }
}

// Every 64th line of all numbers, of every kind: with exponents that reciprocals do not take.
TEST(Reciprocals, NumbersOfAllBits) {
  const ScopedFloatEnv env;
  std::vector<float> a(65536), y(65536);
  for (const std::int64_t target : targets_here()) {
    const Kernel kernel = kernel_of(target, Op::div, DType::fp32);
    for (const float c : {3.0f, -255.0f, 0.1f, 1.9999999f, -0x1.000002p-30f, 0x1.fffffep36f}) {
      for (std::uint32_t high = std::bit_cast<std::uint32_t>(c) % 61; high < 65536; high += 64) {
        for (std::uint32_t low = 0; low < 65536; ++low) {
          a[low] = std::bit_cast<float>(high << 16 | low);
        }
        kernel(Line{a.data(), &c, y.data(), 65536, false, true, false});
        for (std::size_t i = 0; i < a.size(); ++i) {
          const float expected = a[i] / c;
          const bool same = std::isnan(expected) ? std::bit_cast<std::uint32_t>(y[i]) == 0x7FC00000
                                                 : std::bit_cast<std::uint32_t>(y[i]) ==
                                                       std::bit_cast<std::uint32_t>(expected);
          ASSERT_TRUE(same) << std::hexfloat << a[i] << " / " << c << " is " << expected << ", not "
                            << y[i];
        }
      }
    }
  }
}

}  // namespace
}  // namespace hadamard::exec::cpu
