#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Softplus {
  static constexpr OpNames names{
      .id = "softplus", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "softplus"};
  static constexpr std::string_view doc = "log(1 + e^a), correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Softplus>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    const X x = at_least(a, -2000);  // below that it is 0 in every type
    const X small = log1p(exp(-abs(x)));
    return x > 0 ? x + small : small;
  }
  template <class F>
  static F estimate(F a) {
    return std::fmax(a, F{0}) + std::log1p(std::exp(-std::fabs(a)));
  }
};

}  // namespace hadamard::op
