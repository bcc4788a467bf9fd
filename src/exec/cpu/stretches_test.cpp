// Division of 32- and 64-bit integers chooses its way by the operands of a stretch. Lines whose
// stretches change kind, with operands at the edges between kinds, against division in 128 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "base/float_env.hpp"
#include "exec/cpu/test_kernels.hpp"

namespace hadamard::exec::cpu {
namespace {

// Operands of so many bits; many of them at an edge, where one more bit would begin.
template <class T>
T of_bits(int bits, std::mt19937_64& random) {
  using U = std::make_unsigned_t<T>;
  constexpr int kDigits = std::numeric_limits<U>::digits;
  const U mask = bits >= kDigits ? std::numeric_limits<U>::max()
                                 : static_cast<U>((U{1} << static_cast<unsigned>(bits)) - 1);
  U size = static_cast<U>(random()) & mask;
  if (random() % 4 == 0 && mask > 2) size = mask - static_cast<U>(random() % 3);
  if (std::is_signed_v<T> && random() % 2 == 0) size = U{0} - size;
  return static_cast<T>(size);
}

// What a part of a line is made of: the most bits of dividends and of divisors.
struct Kind {
  int dividend_bits;
  int divisor_bits;
  bool large_divisors;  // none below 2^14
};

template <class T>
std::vector<Kind> kinds() {
  constexpr int kAll = std::numeric_limits<std::make_unsigned_t<T>>::digits;
  if (sizeof(T) == 4) {
    return {{22, 22, false},   {23, 23, false},     {24, 24, false},    {25, 24, false},
            {24, 25, false},   {kAll, kAll, false}, {kAll, 3, false},   {3, kAll, false},
            {23, kAll, false}, {kAll, 23, false},   {kAll, kAll, false}};
  }
  return {{50, 50, false},   {51, 51, false},    {52, 52, false},      {53, 52, false},
          {52, 53, false},   {kAll, kAll, true}, {kAll, kAll, false},  {kAll, 14, false},
          {kAll, 15, false}, {kAll, 3, false},   {kAll, 16, true},     {51, kAll, true},
          {3, kAll, true},   {51, 20, true},     {kAll - 1, 15, true}, {kAll, 31, true}};
}

template <class T>
class Operands {
 public:
  Operands(std::size_t n, std::mt19937_64& random) : a(n), b(n) {
    const std::vector<Kind> all = kinds<T>();
    for (std::size_t begin = 0; begin < n;) {
      const Kind& kind = all[random() % all.size()];
      const std::size_t end = std::min(n, begin + 1 + random() % 6000);
      for (; begin < end; ++begin) {
        b[begin] = divisor(kind, random);
        a[begin] = of_bits<T>(kind.dividend_bits, random);
        // Near a multiple of the divisor, where the quotient changes.
        if (random() % 2 == 0) a[begin] = near_multiple(a[begin], b[begin], random);
      }
    }
  }
  std::vector<T> a;
  std::vector<T> b;

 private:
  using U = std::make_unsigned_t<T>;

  static T divisor(const Kind& kind, std::mt19937_64& random) {
    for (;;) {
      const T b = of_bits<T>(kind.divisor_bits, random);
      const U size = b < 0 ? U{0} - static_cast<U>(b) : static_cast<U>(b);
      if (size != 0 && !(kind.large_divisors && size < (1u << 14))) return b;
    }
  }
  static T near_multiple(T a, T b, std::mt19937_64& random) {
    const U whole = static_cast<U>(quotient_of(a, b, IntDivision::trunc)) * static_cast<U>(b);
    const T near = static_cast<T>(whole + static_cast<U>(random() % 3) - U{1});
    return (near < 0) == (a < 0) ? near : a;  // not wrapped around, and no wider
  }
};

enum class Where { apart, in_a, in_b };

template <class T>
class Stretches {
 public:
  explicit Stretches(DType type) : type_(type) {}

  void check(std::size_t n) {
    const Operands<T> operands(n, random_);
    for (const std::int64_t target : targets_here()) {
      for (const IntDivision rounding : {IntDivision::floor, IntDivision::trunc}) {
        const Kernel kernel = kernel_of(target, Op::div, type_, rounding);
        for (const bool a_scalar : {false, true}) {
          for (const Where where : {Where::apart, Where::in_a, Where::in_b}) {
            if (!(a_scalar && where == Where::in_a)) {
              check(kernel, rounding, operands, a_scalar, where);
            }
            if (testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }

 private:
  void check(Kernel kernel, IntDivision rounding, const Operands<T>& operands, bool a_scalar,
             Where where) {
    std::vector<T> a = operands.a;
    std::vector<T> b = operands.b;
    std::vector<T> apart(a.size() + 8);
    // The output may begin anywhere within a vector.
    T* const y = where == Where::apart  ? apart.data() + random_() % 8
                 : where == Where::in_a ? a.data()
                                        : b.data();
    const auto n = static_cast<std::int64_t>(a.size());
    ASSERT_FALSE(kernel(Line{a.data(), b.data(), y, n, a_scalar, false, random_() % 2 == 0}));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const T dividend = operands.a[a_scalar ? 0 : i];
      ASSERT_EQ(y[i], quotient_of(dividend, operands.b[i], rounding))
          << name(type_) << " " << dividend << " / " << operands.b[i] << " " << name(rounding)
          << " at " << i << " of " << n;
    }
    // A zero is found wherever it is.
    b = operands.b;
    b[random_() % b.size()] = 0;
    a = operands.a;
    EXPECT_TRUE(kernel(Line{a.data(), b.data(), apart.data(), n, a_scalar, false, false}));
  }

  DType type_;
  std::mt19937_64 random_{9};
};

template <class T>
void check_type(DType type) {
  const ScopedFloatEnv env;
  Stretches<T> stretches(type);
  for (std::size_t n = 1; n < 80; ++n) {
    stretches.check(n);
    if (testing::Test::HasFatalFailure()) return;
  }
  for (int round = 0; round < 12; ++round) {
    for (const std::size_t n : {1023, 2048, 4096, 4099, 30001}) {
      stretches.check(n);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Stretches, Int32) { check_type<std::int32_t>(DType::int32); }
TEST(Stretches, Uint32) { check_type<std::uint32_t>(DType::uint32); }
TEST(Stretches, Int64) { check_type<std::int64_t>(DType::int64); }
TEST(Stretches, Uint64) { check_type<std::uint64_t>(DType::uint64); }

}  // namespace
}  // namespace hadamard::exec::cpu
