#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Trunc {
  static constexpr OpNames names{
      .id = "trunc", .symbol = {}, .onnx = {}, .matlab = "fix", .paddle = "trunc"};
  static constexpr std::string_view doc =
      "The nearest whole number that is not farther from 0 than a.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer);
  static constexpr MatlabRules matlab{.integers = MatlabRules::Integers::kept, .by_parts = true};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.trunc(a);
  }
  template <class W, class A>
  static constexpr auto saturating(const W& w, const A& a) {
    return w.trunc(a);
  }
};

}  // namespace hadamard::op
