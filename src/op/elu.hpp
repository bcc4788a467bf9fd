#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Elu {
  static constexpr OpNames names{
      .id = "elu", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "elu"};
  static constexpr std::string_view doc =
      "a, or alpha (e^a - 1) where a is negative: correctly rounded. -alpha for -inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr AttributeInfo attributes[] = {{"alpha", "1"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Elu>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return a > 0 ? a : expm1(a);
  }
  template <class F>
  static F estimate(F a) {
    return a > 0 ? a : std::expm1(a);
  }

  template <class X>
  static X oracle_with(const X& a, const X& alpha) {
    if (a > 0) return a;
    if (a == 0) return alpha < 0 ? -a : a;
    if (alpha == 0) return alpha * at_least(a, -1);
    if (isinf(a)) return -alpha;
    // No precision tells e^a - 1 from -1 there.
    if (a < kBesideLimits) return alpha > 0 ? just_above(-alpha) : just_below(-alpha);
    return alpha * expm1(a);
  }
  template <class F>
  static Estimated<F> estimate_with(F a, const AttributeValue& alpha) {
    return {a > 0 ? a : alpha.as<F>() * std::expm1(a)};
  }
};

}  // namespace hadamard::op
