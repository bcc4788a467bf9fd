#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct FromParts {
  static constexpr OpNames names{
      .id = "from_parts", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "The complex number a + bi, of the fp32 or fp64 numbers a and b.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr int least_bits = 32;
  static constexpr TypeRule type_rule = TypeRule::from_parts;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.from_parts(a, b);
  }
};

}  // namespace hadamard::op
