#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct LeakyRelu {
  static constexpr OpNames names{
      .id = "leaky_relu", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "leaky_relu"};
  static constexpr std::string_view doc = "The larger of a and alpha a: correctly rounded.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr AttributeInfo attributes[] = {{"alpha", "0.02"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.max(a, w.template divided<50>(a));
  }

  template <class W, class A>
  static auto apply_with(const W& w, const A& a, const A& alpha) {
    return w.max(a, w.mul(alpha, a));
  }
};

}  // namespace hadamard::op
