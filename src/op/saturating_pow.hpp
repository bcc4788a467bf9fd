#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct SaturatingPow {
  static constexpr OpNames names{
      .id = "saturating_pow", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "a to the power b, of integers, or of integers and fp64: exact for whole b, else correctly "
      "rounded in fp64, then rounded half away from zero; the nearest end of the type where that "
      "is outside. NaN is 0.";
  static constexpr Kinds kinds = kinds_of(Kind::integer);
  static constexpr TypeRule type_rule = TypeRule::saturating;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.saturating_pow(a, b);
  }
};

}  // namespace hadamard::op
