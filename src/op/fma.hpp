#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Fma {
  static constexpr OpNames names{.id = "fma", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "a * b + c, rounded once. Integers: modulo 2^n. real: exact.";
  static constexpr Kinds kinds = kinds_of(Kind::exact, Kind::floating, Kind::integer);

  template <class W, class A, class B, class C>
  static constexpr auto apply(const W& w, const A& a, const B& b, const C& c) {
    return w.fma(a, b, c);
  }
};

}  // namespace hadamard::op
