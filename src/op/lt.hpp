#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Lt {
  static constexpr OpNames names{
      .id = "lt", .symbol = "<", .onnx = "Less", .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether a is less than b; false beside NaN.";
  static constexpr Kinds kinds = kOrdered;
  static constexpr TypeRule type_rule = TypeRule::to_bool;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.lt(a, b);
  }
};

}  // namespace hadamard::op
