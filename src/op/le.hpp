#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Le {
  static constexpr OpNames names{
      .id = "le", .symbol = "<=", .onnx = "LessOrEqual", .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether a is at most b; false beside NaN.";
  static constexpr Kinds kinds = kOrdered;
  static constexpr TypeRule type_rule = TypeRule::to_bool;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.le(a, b);
  }
};

}  // namespace hadamard::op
