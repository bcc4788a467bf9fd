#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Div {
  static constexpr OpNames names{
      .id = "div", .symbol = "./", .onnx = "Div", .matlab = "rdivide", .paddle = "elementwise_div"};
  static constexpr std::string_view doc =
      "a / b. Floats: correctly rounded. Integers: truncated, 7 / 2 is 3, or floor where the "
      "dialect says so. real: exact.";
  static constexpr SonnxDocument sonnx{.exists = true, .same_floats = "C2"};
  static constexpr MatlabRules matlab{.integers = MatlabRules::Integers::by_rule,
                                      .scale = MatlabRules::Scale::by_second};

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.div(a, b);
  }
  template <class W, class A, class B>
  static constexpr auto saturating(const W& w, const A& a, const B& b) {
    return w.saturating_div(a, b);
  }

  template <class W, class G, class A, class B, class Y>
  static constexpr auto gradient(const W& w, const G& g, const A&, const B& b, const Y& y) {
    return std::tuple(w.div(g, b), w.div(w.mul(w.neg(g), y), b));
  }
};

}  // namespace hadamard::op
