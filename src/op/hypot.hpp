#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Hypot {
  static constexpr OpNames names{
      .id = "hypot", .symbol = {}, .onnx = {}, .matlab = "hypot", .paddle = {}};
  static constexpr std::string_view doc =
      "The root of a^2 + b^2, correctly rounded as a whole; inf if one is infinite. Complex: of "
      "the "
      "moduli, of the type of the parts.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::with_size;

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.template function<Hypot>(a, b);
  }

  template <class W, class A, class B>
  static constexpr auto of_complex(const W& w, const A& a, const B& b) {
    return w.complex_hypot(a, b);
  }

  template <class X>
  static X oracle(const X& a, const X& b) {
    return hypot(a, b);
  }
  template <class F>
  static F estimate(F a, F b) {
    // Also beside a signalling NaN, where C libraries differ.
    return std::isinf(a) || std::isinf(b) ? std::numeric_limits<F>::infinity() : std::hypot(a, b);
  }
};

}  // namespace hadamard::op
