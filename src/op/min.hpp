#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

// MATLAB's min is another function: it passes over NaN.
struct Min {
  static constexpr OpNames names{
      .id = "min", .symbol = {}, .onnx = "Min", .matlab = {}, .paddle = "elementwise_min"};
  static constexpr std::string_view doc =
      "The smaller of a and b. NaN if one is; -0 is smaller than +0.";
  static constexpr Kinds kinds = kOrdered;
  static constexpr OnnxOperands onnx_operands = OnnxOperands::any_number;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.min(a, b);
  }
};

}  // namespace hadamard::op
