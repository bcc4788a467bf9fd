#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct LogicalAnd {
  static constexpr OpNames names{
      .id = "logical_and", .symbol = "&", .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether both a and b hold.";
  static constexpr Kinds kinds = kinds_of(Kind::boolean);

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.logical_and(a, b);
  }
};

}  // namespace hadamard::op
