#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Sin {
  static constexpr OpNames names{
      .id = "sin", .symbol = {}, .onnx = {}, .matlab = "sin", .paddle = "sin"};
  static constexpr std::string_view doc =
      "The sine of a (in radians), correctly rounded; NaN for infinities. Complex: each part "
      "within 0.5001 ulp.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr Bounds results{.least = -1, .most = 1};
  static constexpr cx::Function complex_form = cx::Function::sin;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Sin>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return sin(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::sin(a);
  }
};

}  // namespace hadamard::op
