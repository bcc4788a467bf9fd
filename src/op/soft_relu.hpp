#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct SoftRelu {
  static constexpr OpNames names{
      .id = "soft_relu", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "soft_relu"};
  static constexpr std::string_view doc =
      "log(1 + e^a), a at least -40 and at most 40: correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.soft_relu(a);
  }
};

}  // namespace hadamard::op
