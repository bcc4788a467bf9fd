#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct LogicalOr {
  static constexpr OpNames names{
      .id = "logical_or", .symbol = "|", .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether a or b holds.";
  static constexpr Kinds kinds = kinds_of(Kind::boolean);

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.logical_or(a, b);
  }
};

}  // namespace hadamard::op
