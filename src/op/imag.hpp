#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Imag {
  static constexpr OpNames names{
      .id = "imag", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "The imaginary part of a, which is complex.";
  static constexpr Kinds kinds = kinds_of(Kind::complex);
  static constexpr TypeRule type_rule = TypeRule::to_part;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.imag(a);
  }
};

}  // namespace hadamard::op
