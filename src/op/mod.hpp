#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Mod {
  static constexpr OpNames names{
      .id = "mod", .symbol = {}, .onnx = {}, .matlab = "mod", .paddle = "elementwise_mod"};
  static constexpr std::string_view doc =
      "a - floor(a/b) * b, with the sign of b. Floats: exact, then rounded once; NaN where b is 0. "
      "Integers: exact.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer);
  static constexpr MatlabRules matlab{.help = "a - floor(a ./ b) .* b, exactly; mod(a, 0) is a",
                                      .integers = MatlabRules::Integers::by_rule,
                                      .computes_in_class = true};

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.mod(a, b);
  }
  // By 0 the dividend.
  template <class W, class A, class B>
  static constexpr auto saturating(const W& w, const A& a, const B& b) {
    const auto is_zero = w.eq(b, w.zero(b));
    return w.select(is_zero, a, w.mod(a, w.select(is_zero, w.one(b), b)));
  }
  template <class W, class A, class B>
  static constexpr auto in_matlab(const W& w, const A& a, const B& b) {
    // Of two zeros the divisor.
    const auto dividend = w.select(w.eq(a, w.zero(a)), b, a);
    return w.select(w.eq(b, w.zero(b)), dividend, w.mod(a, b));
  }

  template <class X>
  static X oracle(const X& a, const X& b) {
    const X r = fmod(a, b);  // exact
    if (r == 0) return copysign(r, b);
    return signbit(r) == signbit(b) || isnan(r) ? r : r + b;
  }
  // C's fmod is exact: a where b is infinite, NaN where it is 0. The sum is the one rounding; for
  // halves it is made in double and rounded again, which does no harm to a sum (53 >= 2*11+2).
  template <class F>
  static std::optional<F> one_operation(F a, F b) {
    const F r = std::fmod(a, b);
    if (r == 0) return std::copysign(r, b);
    return std::signbit(r) == std::signbit(b) || std::isnan(r) ? r : r + b;
  }
};

}  // namespace hadamard::op
