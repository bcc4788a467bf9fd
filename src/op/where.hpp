#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

// Not in the list of operators, because its first operand is bool whatever the others are.
struct Where {
  static constexpr OpNames names{
      .id = "where", .symbol = {}, .onnx = "Where", .matlab = {}, .paddle = "where"};
  static constexpr std::string_view doc = "a where the condition holds, else b.";

  template <class W, class C, class T>
  static constexpr auto apply(const W& w, const C& condition, const T& a, const T& b) {
    return w.identity(condition ? a : b);
  }
};

}  // namespace hadamard::op
