#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Tanh {
  static constexpr OpNames names{
      .id = "tanh", .symbol = {}, .onnx = "Tanh", .matlab = "tanh", .paddle = "tanh"};
  static constexpr std::string_view doc = "The hyperbolic tangent of a, correctly rounded.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.tanh(a);
  }
};

}  // namespace hadamard::op
