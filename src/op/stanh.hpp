#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Stanh {
  static constexpr OpNames names{
      .id = "stanh", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "stanh"};
  static constexpr std::string_view doc = "1.7159 tanh(0.67 a), correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

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
};

}  // namespace hadamard::op
