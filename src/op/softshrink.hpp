#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Softshrink {
  static constexpr OpNames names{
      .id = "softshrink", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "softshrink"};
  static constexpr std::string_view doc =
      "a - alpha above alpha, a + alpha below -alpha, otherwise 0: correctly rounded.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr AttributeInfo attributes[] = {{"alpha", "0.5"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.sub(a, w.max(w.min(a, w.template ratio<1, 2>(a)), w.template ratio<-1, 2>(a)));
  }

  // The sum of both, as in Paddle, where alpha is negative.
  template <class W, class A>
  static auto apply_with(const W& w, const A& a, const A& alpha) {
    const A zero = w.zero(a);
    return w.add(w.if_at_most(a, alpha, zero, w.sub(a, alpha)),
                 w.if_at_most(w.neg(alpha), a, zero, w.add(a, alpha)));
  }
};

}  // namespace hadamard::op
