#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Neg {
  static constexpr OpNames names{
      .id = "neg", .symbol = "-", .onnx = "Neg", .matlab = "uminus", .paddle = {}};
  static constexpr std::string_view doc =
      "-a. Integers: modulo 2^n, so that the smallest stays as it is.";
  static constexpr OnnxIntegers onnx_integers = OnnxIntegers::negative;
  static constexpr MatlabRules matlab{.integers = MatlabRules::Integers::by_rule,
                                      .stays_complex = true};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.neg(a);
  }
  template <class W, class A>
  static constexpr auto saturating(const W& w, const A& a) {
    return w.saturating_sub(w.zero(a), a);
  }
};

}  // namespace hadamard::op
