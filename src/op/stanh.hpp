#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Stanh {
  static constexpr OpNames names{
      .id = "stanh", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "stanh"};
  static constexpr std::string_view doc = "scale_b tanh(scale_a a), correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr AttributeInfo attributes[] = {{"scale_a", "0.67"}, {"scale_b", "1.7159"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Stanh>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return tanh(a * 67 / 100) * 17159 / 10000;
  }
  template <class F>
  static F estimate(F a) {
    return static_cast<F>(1.7159L) * std::tanh(static_cast<F>(0.67L) * a);
  }

  template <class X>
  static X oracle_with(const X& a, const X& scale_a, const X& scale_b) {
    const X x = scale_a * a;
    if (isinf(a) && scale_a == 0) return x;  // NaN
    if (a == 0 || scale_a == 0 || scale_b == 0) {
      const X zero = at_most(at_least(a, -1), 1) * 0;
      return signbit(scale_a) == signbit(scale_b) ? zero : -zero;
    }
    if (x > -kBesideLimits || x < kBesideLimits) {  // beside the limit, or there
      const X limit = x > 0 ? scale_b : -scale_b;
      if (isinf(a)) return limit;
      return limit > 0 ? just_below(limit) : just_above(limit);
    }
    return tanh(x) * scale_b;
  }
  template <class F>
  static Estimated<F> estimate_with(F a, const AttributeValue& scale_a,
                                    const AttributeValue& scale_b) {
    const F x = scale_a.as<F>() * a;
    const bool is_lost = std::fabs(x) < std::numeric_limits<F>::min() && a != 0;
    if (is_lost && scale_a.high() != 0) return Estimated<F>::unknown();
    return {scale_b.as<F>() * std::tanh(x)};
  }
};

}  // namespace hadamard::op
