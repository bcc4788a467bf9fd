#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Rem {
  static constexpr OpNames names{
      .id = "rem", .symbol = {}, .onnx = {}, .matlab = "rem", .paddle = {}};
  static constexpr std::string_view doc =
      "a - trunc(a/b) * b, with the sign of a, exact. Floats: NaN where b is 0.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer);

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.rem(a, b);
  }

  template <class X>
  static X oracle(const X& a, const X& b) {
    return fmod(a, b);
  }
  template <class F>
  static std::optional<F> one_operation(F a, F b) {
    return std::fmod(a, b);  // exact
  }
};

}  // namespace hadamard::op
