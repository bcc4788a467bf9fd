#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Elu {
  static constexpr OpNames names{
      .id = "elu", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "elu"};
  static constexpr std::string_view doc =
      "a, or e^a - 1 where a is negative: correctly rounded. -1 for -inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.elu(a);
  }
};

}  // namespace hadamard::op
