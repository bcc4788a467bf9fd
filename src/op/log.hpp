#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Log {
  static constexpr OpNames names{
      .id = "log", .symbol = {}, .onnx = "Log", .matlab = "log", .paddle = "log"};
  static constexpr std::string_view doc =
      "The natural logarithm of a, correctly rounded; -inf for 0, NaN below. Complex: each part "
      "within 0.5001 ulp.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr cx::Function complex_form = cx::Function::log;
  static constexpr MatlabRules matlab{
      .help = "the logarithm to base e, correctly rounded; complex below 0", .least = 0};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Log>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return log(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::log(a);
  }
};

}  // namespace hadamard::op
