#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Mul {
  static constexpr OpNames names{
      .id = "mul", .symbol = ".*", .onnx = "Mul", .matlab = "times", .paddle = "elementwise_mul"};
  static constexpr std::string_view doc =
      "a * b. Floats: correctly rounded. Integers: modulo 2^n. real: exact.";

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.mul(a, b);
  }
};

}  // namespace hadamard::op
