#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct TrueDiv {
  static constexpr OpNames names{
      .id = "true_div", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "a / b of integers, as fp64, correctly rounded. By 0: infinities, NaN for 0 / 0.";
  static constexpr Kinds kinds = kinds_of(Kind::integer);
  static constexpr TypeRule type_rule = TypeRule::to_fp64;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.true_div(a, b);
  }
};

}  // namespace hadamard::op
