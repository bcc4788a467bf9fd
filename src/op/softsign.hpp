#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Softsign {
  static constexpr OpNames names{
      .id = "softsign", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "softsign"};
  static constexpr std::string_view doc =
      "a / (1 + |a|), correctly rounded as a whole. 1 for inf, -1 for -inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Softsign>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return isinf(a) ? copysign(X(1), a) : a / (1 + abs(a));
  }
  template <class F>
  static F estimate(F a) {
    return std::isinf(a) ? std::copysign(F{1}, a) : a / (1 + std::fabs(a));
  }
};

}  // namespace hadamard::op
