#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Floor {
  static constexpr OpNames names{
      .id = "floor", .symbol = {}, .onnx = "Floor", .matlab = "floor", .paddle = "floor"};
  static constexpr std::string_view doc = "The largest whole number that is not above a.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer);
  static constexpr OnnxIntegers onnx_integers = OnnxIntegers::none;
  static constexpr MatlabRules matlab{.integers = MatlabRules::Integers::kept, .by_parts = true};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.floor(a);
  }
  template <class W, class A>
  static constexpr auto saturating(const W& w, const A& a) {
    return w.floor(a);
  }
};

}  // namespace hadamard::op
