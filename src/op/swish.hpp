#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Swish {
  static constexpr OpNames names{
      .id = "swish", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "swish"};
  static constexpr std::string_view doc =
      "a / (1 + e^-a), correctly rounded as a whole. -0 for -inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.swish(a);
  }
};

}  // namespace hadamard::op
