#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct SaturatingDiv {
  static constexpr OpNames names{
      .id = "saturating_div", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "a / b, of integers, or of integers and fp64: exact, rounded half away from zero, and the "
      "nearest end of the type where that is outside. NaN is 0. By 0: the end that has the sign of "
      "a, 0 for 0.";
  static constexpr Kinds kinds = kinds_of(Kind::integer);
  static constexpr TypeRule type_rule = TypeRule::saturating;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.saturating_div(a, b);
  }
};

}  // namespace hadamard::op
