#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Pow {
  static constexpr OpNames names{
      .id = "pow", .symbol = ".^", .onnx = "Pow", .matlab = "power", .paddle = "elementwise_pow"};
  static constexpr std::string_view doc =
      "a to the power b. Floats: correctly rounded. Integers: modulo 2^n; 1/a^-b, truncated, for "
      "negative b. Complex: each part within 0.5 ulp and 2^-100 of the size.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer, Kind::complex);
  static constexpr OnnxIntegers onnx_integers = OnnxIntegers::wide;
  static constexpr OnnxOperands onnx_operands = OnnxOperands::mixed_types;
  static constexpr MatlabRules matlab{
      .symbol = ".^", .integers = MatlabRules::Integers::by_rule, .is_power = true};

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.pow(a, b);
  }
  template <class W, class A, class B>
  static constexpr auto saturating(const W& w, const A& a, const B& b) {
    return w.saturating_pow(a, b);
  }

  template <class X>
  static X oracle(const X& a, const X& b) {
    return pow(a, b);
  }
  template <class F>
  static F estimate(F a, F b) {
    return std::pow(a, b);
  }
  // Halves are squared and divided in double and rounded again, which does no harm (53 >= 2*11+2).
  template <class F>
  static std::optional<F> one_operation(F a, F b) {
    if (b == 2) return a * a;
    if (b == 1) return a;
    if (b == -1) return 1 / a;
    return std::nullopt;
  }
};

}  // namespace hadamard::op
