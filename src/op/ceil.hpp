#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Ceil {
  static constexpr OpNames names{
      .id = "ceil", .symbol = {}, .onnx = "Ceil", .matlab = "ceil", .paddle = "ceil"};
  static constexpr std::string_view doc = "The smallest whole number that is not below a.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer);
  static constexpr OnnxIntegers onnx_integers = OnnxIntegers::none;
  static constexpr MatlabRules matlab{.integers = MatlabRules::Integers::kept, .by_parts = true};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.ceil(a);
  }
  template <class W, class A>
  static constexpr auto saturating(const W& w, const A& a) {
    return w.ceil(a);
  }
};

}  // namespace hadamard::op
