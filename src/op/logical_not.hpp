#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct LogicalNot {
  static constexpr OpNames names{
      .id = "logical_not", .symbol = "~", .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "Whether a does not hold.";
  static constexpr Kinds kinds = kinds_of(Kind::boolean);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.logical_not(a);
  }
};

}  // namespace hadamard::op
