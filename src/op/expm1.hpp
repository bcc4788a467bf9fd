#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Expm1 {
  static constexpr OpNames names{
      .id = "expm1", .symbol = {}, .onnx = {}, .matlab = "expm1", .paddle = "expm1"};
  static constexpr std::string_view doc =
      "e to the power a, less 1, correctly rounded as a whole. Complex: each part within 0.5001 "
      "ulp.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr cx::Function complex_form = cx::Function::expm1;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Expm1>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return expm1(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::expm1(a);
  }
};

}  // namespace hadamard::op
