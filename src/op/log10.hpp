#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Log10 {
  static constexpr OpNames names{
      .id = "log10", .symbol = {}, .onnx = {}, .matlab = "log10", .paddle = "log10"};
  static constexpr std::string_view doc =
      "The logarithm of a to base 10, correctly rounded; -inf for 0, NaN below. Complex: each part "
      "within 0.5001 ulp.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr cx::Function complex_form = cx::Function::log10;
  static constexpr MatlabRules matlab{
      .help = "the logarithm to base 10, correctly rounded; complex below 0", .least = 0};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Log10>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return log10(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::log10(a);
  }
};

}  // namespace hadamard::op
