#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Relu {
  static constexpr OpNames names{
      .id = "relu", .symbol = {}, .onnx = "Relu", .matlab = {}, .paddle = "relu"};
  static constexpr std::string_view doc = "The larger of a and 0; 0 for -0, NaN for NaN.";
  static constexpr Kinds kinds = kOrdered;
  static constexpr OnnxIntegers onnx_integers = OnnxIntegers::negative;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.max(a, w.zero(a));
  }
};

}  // namespace hadamard::op
