#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct TanhShrink {
  static constexpr OpNames names{
      .id = "tanh_shrink", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "tanh_shrink"};
  static constexpr std::string_view doc = "a - tanh(a), correctly rounded as a whole. -0 for -0.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<TanhShrink>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    if (a == 0) return a;
    // From there on it is |a| - 1 + 2e^-2|a| - …, which no precision would tell from |a| - 1.
    if (a > 63) return just_above(a - 1);
    if (a < -63) return just_below(a + 1);
    // Near to 0 it is a^3/3: of the difference twice as many bits are lost as a has zeros in front.
    return with_precision_of(a, a - tanh(widened(a, 2 * leading_zeros(a) + 64)));
  }
  template <class F>
  static F estimate(F a) {
    if (!(std::fabs(a) < 2)) return a - std::tanh(a);
    // (a cosh a - sinh a) / cosh a, by series of positive terms: sums of 2k a^(2k+1) / (2k+1)! and
    // of a^2k / (2k)!. What is left out is below 2^-80.
    const F z = a * a;
    F difference = 0, cosine = 0;
    for (int k = 16; k >= 1; --k) {
      const F next = F(2 * k + 1) * F(2 * k);
      difference = (F(2 * k) + z * difference) / next;
      cosine = (z * (1 + cosine)) / (F(2 * k) * F(2 * k - 1));
    }
    return a * (z * difference) / (1 + cosine);
  }
};

}  // namespace hadamard::op
