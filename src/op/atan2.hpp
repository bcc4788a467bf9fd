#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Atan2 {
  static constexpr OpNames names{
      .id = "atan2", .symbol = {}, .onnx = {}, .matlab = "atan2", .paddle = "atan2"};
  static constexpr std::string_view doc =
      "The angle of the point (b, a) in radians, -pi to pi, correctly rounded.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Bounds results{.least = -3.141592653589793, .most = 3.141592653589793};

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.template function<Atan2>(a, b);
  }

  template <class X>
  static X oracle(const X& a, const X& b) {
    return atan2(a, b);
  }
  template <class F>
  static F estimate(F a, F b) {
    return std::atan2(a, b);
  }
};

}  // namespace hadamard::op
