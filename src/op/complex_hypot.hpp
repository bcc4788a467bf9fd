#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct ComplexHypot {
  static constexpr OpNames names{
      .id = "complex_hypot", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "The root of |a|^2 + |b|^2 of complex a and b, correctly rounded as a whole: hypot of "
      "complex numbers.";
  static constexpr Kinds kinds = kinds_of(Kind::complex);
  static constexpr TypeRule type_rule = TypeRule::to_part;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.complex_hypot(a, b);
  }
};

}  // namespace hadamard::op
