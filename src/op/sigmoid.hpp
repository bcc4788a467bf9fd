#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Sigmoid {
  static constexpr OpNames names{
      .id = "sigmoid", .symbol = {}, .onnx = "Sigmoid", .matlab = {}, .paddle = "sigmoid"};
  static constexpr std::string_view doc = "1 / (1 + e^-a), correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.sigmoid(a);
  }
};

}  // namespace hadamard::op
