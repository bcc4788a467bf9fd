#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct SaturatingMul {
  static constexpr OpNames names{
      .id = "saturating_mul", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "a * b, of integers, or of integers and fp64: exact, rounded half away from zero, and the "
      "nearest end of the type where that is outside. NaN is 0.";
  static constexpr Kinds kinds = kinds_of(Kind::integer);
  static constexpr TypeRule type_rule = TypeRule::saturating;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.saturating_mul(a, b);
  }
};

}  // namespace hadamard::op
