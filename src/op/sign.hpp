#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Sign {
  static constexpr OpNames names{
      .id = "sign", .symbol = {}, .onnx = "Sign", .matlab = "sign", .paddle = "sign"};
  static constexpr std::string_view doc =
      "-1, 0 or 1; 0 for -0, NaN for NaN. Complex: a / |a|, each part within 0.5001 ulp.";
  static constexpr Kinds kinds = kAllKinds;
  static constexpr cx::Function complex_form = cx::Function::sign;
  static constexpr MatlabRules matlab{.integers = MatlabRules::Integers::kept};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.sign(a);
  }
  template <class W, class A>
  static constexpr auto saturating(const W& w, const A& a) {
    return w.sign(a);
  }
};

}  // namespace hadamard::op
