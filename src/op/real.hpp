#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct RealPart {
  static constexpr OpNames names{
      .id = "real", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "The real part of a, which is complex.";
  static constexpr Kinds kinds = kinds_of(Kind::complex);
  static constexpr TypeRule type_rule = TypeRule::to_part;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.real(a);
  }
};

}  // namespace hadamard::op
