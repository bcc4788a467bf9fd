#pragma once

#include <algorithm>

#include "op/opdef.hpp"
#include "op/softplus.hpp"

namespace hadamard::op {

struct SoftRelu {
  static constexpr OpNames names{
      .id = "soft_relu", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "soft_relu"};
  static constexpr std::string_view doc =
      "log(1 + e^a), a at least -threshold and at most threshold: correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr AttributeInfo attributes[] = {{"threshold", "40"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<SoftRelu>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return Softplus::oracle(at_most(at_least(a, -40), 40));
  }
  template <class F>
  static F estimate(F a) {
    return Softplus::estimate(std::clamp(a, F{-40}, F{40}));
  }

  template <class X>
  static X oracle_with(const X& a, const X& threshold) {
    const X from_below = a < -threshold ? -threshold : a;
    const X x = from_below > threshold ? threshold : from_below;
    if (x > -kBesideLimits) return just_above(x);
    const X small = log1p(exp(-abs(at_least(x, kBesideLimits))));
    return x > 0 ? x + small : small;
  }
  template <class F>
  static Estimated<F> estimate_with(F a, const AttributeValue& threshold) {
    const F x = std::fmin(std::fmax(a, -threshold.as<F>()), threshold.as<F>());
    return {Softplus::estimate(x), 16 + 2 * std::fmin(std::fmax(-x, F{0}), F{-kBesideLimits})};
  }
};

}  // namespace hadamard::op
