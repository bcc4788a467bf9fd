#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Tanh {
  static constexpr OpNames names{
      .id = "tanh", .symbol = {}, .onnx = "Tanh", .matlab = "tanh", .paddle = "tanh"};
  static constexpr std::string_view doc =
      "The hyperbolic tangent of a, correctly rounded. Complex: each part within 0.5001 ulp.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr cx::Function complex_form = cx::Function::tanh;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Tanh>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return tanh(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::tanh(a);
  }
};

}  // namespace hadamard::op
