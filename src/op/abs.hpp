#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Abs {
  static constexpr OpNames names{
      .id = "abs", .symbol = {}, .onnx = "Abs", .matlab = "abs", .paddle = "abs"};
  static constexpr std::string_view doc =
      "The size of a. Integers: modulo 2^n, so that the smallest stays as it is.";
  static constexpr Kinds kinds = kOrdered;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.abs(a);
  }
};

}  // namespace hadamard::op
