#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Gamma {
  static constexpr OpNames names{
      .id = "gamma", .symbol = {}, .onnx = {}, .matlab = "gamma", .paddle = {}};
  static constexpr std::string_view doc =
      "The gamma function of a, which is (a - 1)! for whole a, correctly rounded. inf for negative "
      "whole numbers, inf with the sign of a for zeros, NaN for -inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr MatlabRules matlab{.help = "the gamma function"};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Gamma>(a);
  }

  // Beyond 200 it is above 2^1200, and below -200 less than 2^-1200: of no format.
  template <class X>
  static X oracle(const X& a) {
    if (a < 0 && !isinf(a) && fmod(a, X(1)) == 0) return X(1) / X(0);
    if (isinf(a) || !(a < -200)) return gamma(at_most(a, 200));  // NaN too
    return fmod(a, X(2)) > -1 ? -X(0) : X(0);
  }
  template <class F>
  static F estimate(F a) {
    constexpr F kInfinity = std::numeric_limits<F>::infinity();
    if (a == 0) return std::copysign(kInfinity, a);
    if (!(a < 0)) return a > 200 ? kInfinity : std::tgamma(a);
    if (std::isinf(a)) return std::numeric_limits<F>::quiet_NaN();
    if (a == std::trunc(a)) return kInfinity;
    if (a < -200) return std::fmod(std::floor(a), F{2}) == 0 ? F{0} : -F{0};
    return std::tgamma(a);
  }
};

}  // namespace hadamard::op
