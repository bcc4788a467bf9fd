#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Div {
  static constexpr OpNames names{
      .id = "div", .symbol = "./", .onnx = "Div", .matlab = "rdivide", .paddle = "elementwise_div"};
  static constexpr std::string_view doc =
      "a / b. Floats: correctly rounded. Integers: truncated, 7 / 2 is 3, or floor where the "
      "dialect says so. real: exact.";
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
};

}  // namespace hadamard::op
