#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct LogicalXor {
  static constexpr OpNames names{
      .id = "logical_xor", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether one of a and b holds, and not both.";
  static constexpr Kinds kinds = kinds_of(Kind::boolean);

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.logical_xor(a, b);
  }
};

}  // namespace hadamard::op
