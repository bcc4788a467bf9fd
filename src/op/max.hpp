#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

// MATLAB's max is another function: it passes over NaN.
struct Max {
  static constexpr OpNames names{
      .id = "max", .symbol = {}, .onnx = "Max", .matlab = {}, .paddle = "elementwise_max"};
  static constexpr std::string_view doc =
      "The larger of a and b. NaN if one is; +0 is larger than -0.";
  static constexpr Kinds kinds = kOrdered;
  static constexpr OnnxOperands onnx_operands = OnnxOperands::any_number;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.max(a, b);
  }
};

}  // namespace hadamard::op
