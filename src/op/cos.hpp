#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Cos {
  static constexpr OpNames names{
      .id = "cos", .symbol = {}, .onnx = {}, .matlab = "cos", .paddle = "cos"};
  static constexpr std::string_view doc =
      "The cosine of a (in radians), correctly rounded; NaN for infinities.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Bounds results{.least = -1, .most = 1};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Cos>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return cos(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::cos(a);
  }
};

}  // namespace hadamard::op
