#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Pow {
  static constexpr OpNames names{
      .id = "pow", .symbol = {}, .onnx = "Pow", .matlab = "power", .paddle = "elementwise_pow"};
  static constexpr std::string_view doc =
      "a to the power b. Floats: correctly rounded. Integers: modulo 2^n; 1/a^-b, truncated, for "
      "negative b.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer);
  static constexpr OnnxIntegers onnx_integers = OnnxIntegers::wide;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.pow(a, b);
  }
};

}  // namespace hadamard::op
