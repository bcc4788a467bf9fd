#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Neg {
  static constexpr OpNames names{
      .id = "neg", .symbol = "-", .onnx = "Neg", .matlab = "uminus", .paddle = {}};
  static constexpr std::string_view doc =
      "-a. Integers: modulo 2^n, so that the smallest stays as it is.";
  static constexpr OnnxIntegers onnx_integers = OnnxIntegers::negative;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.neg(a);
  }
};

}  // namespace hadamard::op
