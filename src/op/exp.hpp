#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Exp {
  static constexpr OpNames names{
      .id = "exp", .symbol = {}, .onnx = "Exp", .matlab = "exp", .paddle = "exp"};
  static constexpr std::string_view doc =
      "e to the power a, correctly rounded. Complex: each part within 0.5001 ulp.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr cx::Function complex_form = cx::Function::exp;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Exp>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return exp(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::exp(a);
  }
};

}  // namespace hadamard::op
