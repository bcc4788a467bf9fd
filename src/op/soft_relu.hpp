#pragma once

#include <algorithm>

#include "op/opdef.hpp"
#include "op/softplus.hpp"

namespace hadamard::op {

struct SoftRelu {
  static constexpr OpNames names{
      .id = "soft_relu", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "soft_relu"};
  static constexpr std::string_view doc =
      "log(1 + e^a), a at least -40 and at most 40: correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<SoftRelu>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return Softplus::oracle(at_most(at_least(a, -40), 40));
  }
  template <class F>
  static F estimate(F a) {
    return Softplus::estimate(std::clamp(a, F{-40}, F{40}));
  }
};

}  // namespace hadamard::op
