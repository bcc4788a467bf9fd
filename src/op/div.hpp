#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Div {
  static constexpr OpNames names{
      .id = "div", .symbol = "./", .onnx = "Div", .matlab = "rdivide", .paddle = "elementwise_div"};
  static constexpr std::string_view doc =
      "a / b. Floats: correctly rounded. Integers: floor or truncation, by policy. real: exact.";

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.div(a, b);
  }
};

}  // namespace hadamard::op
