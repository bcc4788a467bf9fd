#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Swish {
  static constexpr OpNames names{
      .id = "swish", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "swish"};
  static constexpr std::string_view doc = "a / (1 + e^(-beta a)), correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Bounds results{.least = -0.27846454276107385};  // at -1.2784645
  static constexpr AttributeInfo attributes[] = {{"beta", "1"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Swish>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    const X x = at_least(a, -2000);  // below that it is -0 in every type
    return x / (1 + exp(-x));
  }
  template <class F>
  static F estimate(F a) {
    return a == -std::numeric_limits<F>::infinity() ? -F{0} : a / (1 + std::exp(-a));
  }

  template <class X>
  static X oracle_with(const X& a, const X& beta) {
    if (a == 0) return a;
    if (beta == 0) return a / 2;
    const X x = beta * a;
    if (isinf(a)) return x > 0 ? a : at_most(at_least(a, -1), 1) * 0;
    return a / (1 + exp(-at_least(x, kBesideLimits)));  // below that it is 0 in every type
  }
  template <class F>
  static Estimated<F> estimate_with(F a, const AttributeValue& beta) {
    const F x = beta.as<F>() * a;
    if (std::isinf(a)) return {x > 0 || std::isnan(x) ? a : std::copysign(F{0}, a)};
    return {a / (1 + std::exp(-x)), 16 + 2 * std::fmin(std::fabs(x), F{-kBesideLimits})};
  }
};

}  // namespace hadamard::op
