#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Eq {
  static constexpr OpNames names{
      .id = "eq", .symbol = "==", .onnx = "Equal", .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether a equals b; NaN equals nothing.";
  static constexpr TypeRule type_rule = TypeRule::to_bool;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.eq(a, b);
  }
};

}  // namespace hadamard::op
