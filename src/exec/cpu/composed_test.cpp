// Operators of several primitives, in every SIMD world: each primitive must round as the reference
// does.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/composed_test.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/float_world-inl.h"
#include "exec/cpu/nibble_world-inl.h"
#include "exec/cpu/targets.hpp"

#ifndef HADAMARD_COMPOSED_OPERATORS
#define HADAMARD_COMPOSED_OPERATORS
namespace hadamard::exec::cpu {

// (a / b) * (a - b)
struct Composed {
  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.mul(w.div(a, b), w.sub(a, b));
  }
};
// b / a
struct ReverseDivide {
  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.div(b, a);
  }
};
// a / (a + b)
struct Share {
  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.div(a, w.add(a, b));
  }
};

struct ComposedKernels {
  Kernel fp16, bf16, fp32, int4, uint4, int8, int16, uint64;
};

}  // namespace hadamard::exec::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

const ComposedKernels* composed() {
  constexpr auto kFloor = IntDivision::floor;
  static const ComposedKernels kernels{&run_kernel<Composed, HalfWorld<float16>>,
                                       &run_kernel<Composed, HalfWorld<bfloat16>>,
                                       &run_kernel<Composed, FloatWorld<float>>,
                                       &run_kernel<Composed, NibbleWorld<std::int8_t, kFloor>>,
                                       &run_kernel<Composed, NibbleWorld<std::uint8_t, kFloor>>,
                                       &run_kernel<Composed, IntWorld<std::int8_t, kFloor>>,
                                       &run_kernel<Composed, IntWorld<std::int16_t, kFloor>>,
                                       &run_kernel<Composed, IntWorld<std::uint64_t, kFloor>>};
  return &kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/float_env.hpp"
#include "num/exact.hpp"
#include "op/oracle_arithmetic.hpp"

namespace hadamard::exec::cpu {
namespace {

const ComposedKernels* composed_for(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(composed); }

template <class T>
T random_element(std::mt19937_64& random) {
  if constexpr (Element<T>::kKind == Kind::floating) {
    return exact::from_bits<T>(random());
  } else {
    return op::oracle::wrap<T>(static_cast<std::int64_t>(random()));
  }
}
template <class T>
std::uint64_t bits_of_element(const T& value) {
  if constexpr (Element<T>::kKind == Kind::floating) {
    return exact::bits_of(value);
  } else {
    return static_cast<std::uint64_t>(op::oracle::widen(value));
  }
}

// 4-bit integers have a byte each in a kernel's line, which is also how their C++ values lie.
template <class T>
void compare(Kernel kernel, std::int64_t target) {
  std::mt19937_64 random(1);
  const ScopedFloatEnv env;
  std::vector<T> a, b, y(2003);
  for (std::size_t i = 0; i < y.size(); ++i) {
    a.push_back(random_element<T>(random));
    do {
      b.push_back(random_element<T>(random));
    } while (Element<T>::kKind == Kind::integer && bits_of_element(b.back()) == 0 &&
             (b.pop_back(), true));
  }
  ASSERT_FALSE(kernel(Line{a.data(), b.data(), y.data(), std::ssize(y), false, false}));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const T expected = Composed::apply(op::Oracle(IntDivision::floor), a[i], b[i]);
    ASSERT_EQ(bits_of_element(y[i]), bits_of_element(expected))
        << name(dtype_of<T>) << " at " << i << " for target " << hwy::TargetName(target);
  }
}

TEST(Composed, EveryPrimitiveRoundsAsInTheReference) {
  int targets = 0;
  for (const std::int64_t target : {HWY_AVX2, HWY_SSE4, HWY_NEON, HWY_SCALAR}) {
    const ComposedKernels* kernels = composed_for(target);
    if (kernels == nullptr) continue;
    if (target != HWY_SCALAR && (hwy::SupportedTargets() & target) == 0) continue;
    ++targets;
    compare<float16>(kernels->fp16, target);
    compare<bfloat16>(kernels->bf16, target);
    compare<float>(kernels->fp32, target);
    compare<int4>(kernels->int4, target);
    compare<uint4>(kernels->uint4, target);
    compare<std::int8_t>(kernels->int8, target);
    compare<std::int16_t>(kernels->int16, target);
    compare<std::uint64_t>(kernels->uint64, target);
  }
  EXPECT_GE(targets, 1);
}

TEST(Composed, TheDivisorIsReadOffTheFormula) {
  EXPECT_EQ(op::divisor_of<op::Add>, op::Divisor::none);
  EXPECT_EQ(op::divisor_of<op::Div>, op::Divisor::b);
  EXPECT_EQ(op::divisor_of<Composed>, op::Divisor::b);
  EXPECT_EQ(op::divisor_of<ReverseDivide>, op::Divisor::a);
  EXPECT_EQ(op::divisor_of<Share>, op::Divisor::computed);
}

}  // namespace
}  // namespace hadamard::exec::cpu

#endif
