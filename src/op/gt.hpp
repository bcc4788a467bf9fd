#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Gt {
  static constexpr OpNames names{
      .id = "gt", .symbol = ">", .onnx = "Greater", .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether a is greater than b; false beside NaN.";
  static constexpr Kinds kinds = kOrdered;
  static constexpr TypeRule type_rule = TypeRule::to_bool;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.lt(b, a);
  }
};

}  // namespace hadamard::op
