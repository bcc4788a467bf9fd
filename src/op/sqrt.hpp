#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Sqrt {
  static constexpr OpNames names{
      .id = "sqrt", .symbol = {}, .onnx = "Sqrt", .matlab = "sqrt", .paddle = "sqrt"};
  static constexpr std::string_view doc =
      "The square root of a, correctly rounded; NaN below 0, -0 for -0. Complex: each part within "
      "0.5001 ulp.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr cx::Function complex_form = cx::Function::sqrt;
  static constexpr MatlabRules matlab{.help = "the square root, correctly rounded; complex below 0",
                                      .least = 0};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.sqrt(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return sqrt(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::sqrt(a);
  }
};

}  // namespace hadamard::op
