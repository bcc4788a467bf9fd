#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Rem {
  static constexpr OpNames names{
      .id = "rem", .symbol = {}, .onnx = {}, .matlab = "rem", .paddle = {}};
  static constexpr std::string_view doc =
      "a - trunc(a/b) * b, with the sign of a, exact. Floats: NaN where b is 0.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer);
  static constexpr MatlabRules matlab{.help = "a - fix(a ./ b) .* b, exactly; rem(a, 0) is NaN",
                                      .integers = MatlabRules::Integers::by_rule,
                                      .computes_in_class = true};

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.rem(a, b);
  }
  // By 0, where doubles give NaN: 0.
  template <class W, class A, class B>
  static constexpr auto saturating(const W& w, const A& a, const B& b) {
    const auto is_zero = w.eq(b, w.zero(b));
    return w.select(is_zero, w.zero(a), w.rem(a, w.select(is_zero, w.one(b), b)));
  }

  template <class X>
  static X oracle(const X& a, const X& b) {
    return fmod(a, b);
  }
  template <class F>
  static std::optional<F> one_operation(F a, F b) {
    return std::fmod(a, b);  // exact
  }
};

}  // namespace hadamard::op
