#pragma once

#include "op/opdef.hpp"
#include "op/softplus.hpp"

namespace hadamard::op {

struct Logsigmoid {
  static constexpr OpNames names{
      .id = "logsigmoid", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "logsigmoid"};
  static constexpr std::string_view doc =
      "log(1 / (1 + e^-a)), correctly rounded as a whole. -0 for inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Logsigmoid>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return -Softplus::oracle(-a);
  }
  template <class F>
  static F estimate(F a) {
    return -Softplus::estimate(-a);
  }
};

}  // namespace hadamard::op
