#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Expm1 {
  static constexpr OpNames names{
      .id = "expm1", .symbol = {}, .onnx = {}, .matlab = "expm1", .paddle = "expm1"};
  static constexpr std::string_view doc = "e to the power a, less 1, correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.expm1(a);
  }
};

}  // namespace hadamard::op
