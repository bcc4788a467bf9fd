#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Swish {
  static constexpr OpNames names{
      .id = "swish", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "swish"};
  static constexpr std::string_view doc =
      "a / (1 + e^-a), correctly rounded as a whole. -0 for -inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Bounds results{.least = -0.27846454276107385};  // at -1.2784645

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
};

}  // namespace hadamard::op
