// Lines of floats divided by one number: what the reciprocal takes, what it leaves to the divider,
// and lines that have both, against the division of C++. That the reciprocal rounds correctly is
// the matter of tests/exhaustive/reciprocals.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "base/float_env.hpp"
#include "exec/cpu/test_kernels.hpp"

namespace hadamard::exec::cpu {
namespace {

template <class F>
using Bits = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;

template <class F>
Bits<F> bits_of(F x) {
  return std::bit_cast<Bits<F>>(x);
}

template <class F>
F quotient(F x, F c) {
  const F y = x / c;
  return std::isnan(y) ? std::numeric_limits<F>::quiet_NaN() : y;
}
template <class F>
F relu(F y) {
  return std::isnan(y) ? y : y > 0 ? y : F{0};
}

template <class F>
class FloatReciprocal : public testing::Test {
 protected:
  static constexpr DType kType = sizeof(F) == 4 ? DType::fp32 : DType::fp64;

  // Every kernel that divides `a` by c, with the output at `shift` elements from a whole vector, or
  // in the place of A.
  static void check(const std::vector<F>& a, F c, std::size_t shift = 0, bool in_place = false) {
    const ScopedFloatEnv env;
    const auto n = static_cast<std::int64_t>(a.size());
    const auto op = static_cast<std::size_t>(Op::div);
    const auto type = static_cast<std::size_t>(kType);
    for (const std::int64_t target : targets_here()) {
      const Kernel kernels[] = {float_kernels(target)->kernels[op][type][0],
                                fused_kernels(Op::relu, target)->kernels[op][type][0]};
      for (const bool with_relu : {false, true}) {
        std::vector<F> y(a.size() + shift);
        std::copy(a.begin(), a.end(), y.begin() + static_cast<std::ptrdiff_t>(shift));
        const F* const from = in_place ? y.data() + shift : a.data();
        EXPECT_FALSE(kernels[with_relu](Line{from, &c, y.data() + shift, n, false, true, false}));
        for (std::size_t i = 0; i < a.size(); ++i) {
          const F expected = with_relu ? relu(quotient(a[i], c)) : quotient(a[i], c);
          ASSERT_EQ(bits_of(y[i + shift]), bits_of(expected))
              << a[i] << " / " << c << " is not " << y[i + shift] << ", at " << i
              << (with_relu ? " with relu" : "");
        }
      }
    }
  }

  static F power(int e) { return std::ldexp(F{1}, e); }
  static F of_middle_size(std::mt19937_64& random) {
    const F x = std::ldexp(static_cast<F>(random() >> 11), static_cast<int>(random() % 40) - 70);
    return random() % 2 == 0 ? x : -x;
  }
  static F of_any_bits(std::mt19937_64& random) {
    return std::bit_cast<F>(static_cast<Bits<F>>(random()));
  }
  static std::vector<F> line(std::size_t n, std::mt19937_64& random) {
    std::vector<F> a(n);
    for (F& x : a) x = of_middle_size(random);
    return a;
  }

  static constexpr int kHalf = (std::numeric_limits<F>::max_exponent) / 2;
  static constexpr std::size_t kLong = 5000;  // from so many on, reciprocals are used
};

using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatReciprocal, Floats);

TYPED_TEST(FloatReciprocal, EveryLengthAndPlace) {
  std::mt19937_64 random(1);
  for (std::size_t more = 0; more < 70; ++more) {
    const std::vector<TypeParam> a = this->line(this->kLong + more, random);
    this->check(a, TypeParam(-1.7), more % 9, more % 2 == 0);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(FloatReciprocal, DivisorsOfEverySize) {
  std::mt19937_64 random(2);
  const std::vector<TypeParam> a = this->line(this->kLong, random);
  using Limits = std::numeric_limits<TypeParam>;
  for (int e = Limits::min_exponent - Limits::digits - 1; e <= Limits::max_exponent;
       e += sizeof(TypeParam) == 4 ? 1 : 13) {
    for (const TypeParam c : {TypeParam(1), TypeParam(-1.1), TypeParam(1.9999999)}) {
      this->check(a, std::ldexp(c, e));
      if (this->HasFatalFailure()) return;
    }
  }
  for (const TypeParam c : {TypeParam(0), -TypeParam(0), Limits::infinity(), -Limits::infinity(),
                            Limits::quiet_NaN(), Limits::denorm_min(), Limits::max()}) {
    this->check(a, c);
  }
}

// At the ends of what the reciprocal takes, and far beyond: everywhere in a block and in a stretch.
TYPED_TEST(FloatReciprocal, NumbersOfEverySize) {
  using Limits = std::numeric_limits<TypeParam>;
  std::mt19937_64 random(3);
  std::vector<TypeParam> odd = {TypeParam(0),
                                -TypeParam(0),
                                Limits::infinity(),
                                -Limits::infinity(),
                                Limits::quiet_NaN(),
                                -Limits::quiet_NaN(),
                                Limits::signaling_NaN(),
                                Limits::denorm_min(),
                                3 * Limits::denorm_min(),
                                -9 * Limits::denorm_min(),
                                Limits::min(),
                                Limits::max()};
  for (const int e : {-this->kHalf, this->kHalf}) {
    const TypeParam edge = this->power(e);
    for (const TypeParam x :
         {edge, std::nextafter(edge, TypeParam(0)), std::nextafter(edge, Limits::infinity())}) {
      odd.push_back(x);
      odd.push_back(-x);
    }
  }
  for (const TypeParam c : {TypeParam(6), TypeParam(-6), TypeParam(3e9), TypeParam(-1e-9)}) {
    for (const TypeParam x : odd) {
      std::vector<TypeParam> a = this->line(this->kLong, random);
      for (std::size_t i = random() % 40; i < a.size(); i += 1 + random() % 700) a[i] = x;
      this->check(a, c, random() % 8, random() % 2 == 0);
      if (this->HasFatalFailure()) return;
    }
    // All of them, one beside the other; only zeros; any bits.
    std::vector<TypeParam> a(this->kLong), zeros(this->kLong), any(this->kLong);
    for (TypeParam& v : a) v = odd[random() % odd.size()];
    for (TypeParam& v : zeros) v = random() % 2 == 0 ? TypeParam(0) : -TypeParam(0);
    for (TypeParam& v : any) v = this->of_any_bits(random);
    this->check(a, c);
    this->check(zeros, c);
    this->check(any, c, 3, true);
    if (this->HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace hadamard::exec::cpu
