#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct LeakyRelu {
  static constexpr OpNames names{
      .id = "leaky_relu", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "leaky_relu"};
  static constexpr std::string_view doc = "a, or 0.02 a where a is negative: correctly rounded.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.max(a, w.template divided<50>(a));
  }
};

}  // namespace hadamard::op
