#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Sin {
  static constexpr OpNames names{
      .id = "sin", .symbol = {}, .onnx = {}, .matlab = "sin", .paddle = "sin"};
  static constexpr std::string_view doc =
      "The sine of a (in radians), correctly rounded; NaN for infinities.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.sin(a);
  }
};

}  // namespace hadamard::op
