#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Sub {
  static constexpr OpNames names{
      .id = "sub", .symbol = "-", .onnx = "Sub", .matlab = "minus", .paddle = "elementwise_sub"};
  static constexpr std::string_view doc =
      "a - b. Floats: correctly rounded. Integers: modulo 2^n. real: exact.";
  static constexpr SonnxDocument sonnx{.exists = true};
  static constexpr MatlabRules matlab{.integers = MatlabRules::Integers::by_rule};

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.sub(a, b);
  }
  template <class W, class A, class B>
  static constexpr auto saturating(const W& w, const A& a, const B& b) {
    return w.saturating_sub(a, b);
  }

  template <class W, class G, class A, class B, class Y>
  static constexpr auto gradient(const W& w, const G& g, const A&, const B&, const Y&) {
    return std::tuple(g, w.neg(g));
  }
};

}  // namespace hadamard::op
