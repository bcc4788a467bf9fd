#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Add {
  static constexpr OpNames names{
      .id = "add", .symbol = "+", .onnx = "Add", .matlab = "plus", .paddle = "elementwise_add"};
  static constexpr std::string_view doc =
      "a + b. Floats: correctly rounded. Integers: modulo 2^n. real: exact.";
  static constexpr SonnxDocument sonnx{.exists = true};  // that of Sub, read with its sign
  static constexpr MatlabRules matlab{.integers = MatlabRules::Integers::by_rule, .commutes = true};

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.add(a, b);
  }
  template <class W, class A, class B>
  static constexpr auto saturating(const W& w, const A& a, const B& b) {
    return w.saturating_add(a, b);
  }

  template <class W, class G, class A, class B, class Y>
  static constexpr auto gradient(const W&, const G& g, const A&, const B&, const Y&) {
    return std::tuple(g, g);
  }
};

}  // namespace hadamard::op
