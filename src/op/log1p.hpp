#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Log1p {
  static constexpr OpNames names{
      .id = "log1p", .symbol = {}, .onnx = {}, .matlab = "log1p", .paddle = "log1p"};
  static constexpr std::string_view doc =
      "The natural logarithm of 1 + a, correctly rounded as a whole; -inf for -1, NaN below. "
      "Complex: each part within 0.5001 ulp.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr cx::Function complex_form = cx::Function::log1p;
  static constexpr MatlabRules matlab{.help = "log(1 + a), correctly rounded; complex below -1",
                                      .least = -1};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Log1p>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return log1p(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::log1p(a);
  }
};

}  // namespace hadamard::op
