#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Ge {
  static constexpr OpNames names{
      .id = "ge", .symbol = ">=", .onnx = "GreaterOrEqual", .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether a is at least b; false beside NaN.";
  static constexpr Kinds kinds = kOrdered;
  static constexpr TypeRule type_rule = TypeRule::to_bool;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.le(b, a);
  }
};

}  // namespace hadamard::op
