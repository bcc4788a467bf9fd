#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Mod {
  static constexpr OpNames names{
      .id = "mod", .symbol = {}, .onnx = {}, .matlab = "mod", .paddle = "elementwise_mod"};
  static constexpr std::string_view doc =
      "a - floor(a/b) * b, with the sign of b. Floats: exact, then rounded once; NaN where b is 0. "
      "Integers: exact.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer);

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.mod(a, b);
  }
};

}  // namespace hadamard::op
