#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Mul {
  static constexpr OpNames names{
      .id = "mul", .symbol = ".*", .onnx = "Mul", .matlab = "times", .paddle = "elementwise_mul"};
  static constexpr std::string_view doc =
      "a * b. Floats: correctly rounded. Integers: modulo 2^n. real: exact.";
  static constexpr SonnxDocument sonnx{.exists = true};
  static constexpr MatlabRules matlab{.integers = MatlabRules::Integers::by_rule,
                                      .scale = MatlabRules::Scale::either,
                                      .commutes = true};

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.mul(a, b);
  }
  template <class W, class A, class B>
  static constexpr auto saturating(const W& w, const A& a, const B& b) {
    return w.saturating_mul(a, b);
  }

  template <class W, class G, class A, class B, class Y>
  static constexpr auto gradient(const W& w, const G& g, const A& a, const B& b, const Y&) {
    return std::tuple(w.mul(g, b), w.mul(g, a));
  }
};

}  // namespace hadamard::op
