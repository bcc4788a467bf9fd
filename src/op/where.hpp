#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Where {
  static constexpr OpNames names{
      .id = "where", .symbol = {}, .onnx = "Where", .matlab = {}, .paddle = "where"};
  static constexpr std::string_view doc = "a where the condition holds, else b.";

  static constexpr TypeRule type_rule = TypeRule::select;

  template <class W, class C, class A, class B>
  static constexpr auto apply(const W& w, const C& condition, const A& a, const B& b) {
    return w.select(condition, a, b);
  }
};

}  // namespace hadamard::op
