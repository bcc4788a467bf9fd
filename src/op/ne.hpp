#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Ne {
  static constexpr OpNames names{
      .id = "ne", .symbol = "~=", .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether a differs from b; NaN differs from everything.";
  static constexpr TypeRule type_rule = TypeRule::to_bool;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.logical_not(w.eq(a, b));
  }
};

}  // namespace hadamard::op
