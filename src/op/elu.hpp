#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Elu {
  static constexpr OpNames names{
      .id = "elu", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "elu"};
  static constexpr std::string_view doc =
      "a, or e^a - 1 where a is negative: correctly rounded. -1 for -inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Elu>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return a > 0 ? a : expm1(a);
  }
  template <class F>
  static F estimate(F a) {
    return a > 0 ? a : std::expm1(a);
  }
};

}  // namespace hadamard::op
