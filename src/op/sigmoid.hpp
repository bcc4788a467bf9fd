#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Sigmoid {
  static constexpr OpNames names{
      .id = "sigmoid", .symbol = {}, .onnx = "Sigmoid", .matlab = {}, .paddle = "sigmoid"};
  static constexpr std::string_view doc = "1 / (1 + e^-a), correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Sigmoid>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return 1 / (1 + exp(-at_least(a, -2000)));  // below that it is 0 in every type
  }
  template <class F>
  static F estimate(F a) {
    return 1 / (1 + std::exp(-a));
  }
};

}  // namespace hadamard::op
