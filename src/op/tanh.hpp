#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Tanh {
  static constexpr OpNames names{
      .id = "tanh", .symbol = {}, .onnx = "Tanh", .matlab = "tanh", .paddle = "tanh"};
  static constexpr std::string_view doc = "The hyperbolic tangent of a, correctly rounded.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

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
