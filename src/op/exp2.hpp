#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Exp2 {
  static constexpr OpNames names{
      .id = "exp2", .symbol = {}, .onnx = {}, .matlab = "pow2", .paddle = {}};
  static constexpr std::string_view doc =
      "2 to the power a, correctly rounded. Complex: each part within 0.5001 ulp.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr cx::Function complex_form = cx::Function::exp2;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Exp2>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return exp2(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::exp2(a);
  }
};

}  // namespace hadamard::op
