#pragma once

#include "op/hypot.hpp"
#include "op/opdef.hpp"

namespace hadamard::op {

struct Abs {
  static constexpr OpNames names{
      .id = "abs", .symbol = {}, .onnx = "Abs", .matlab = "abs", .paddle = "abs"};
  static constexpr std::string_view doc =
      "The size of a. Integers: modulo 2^n, so that the smallest stays as it is. Complex: the "
      "modulus, correctly rounded, of the type of the parts.";
  static constexpr Kinds kinds = kOrdered;
  static constexpr MatlabRules matlab{
      .help = "the absolute value; of complex numbers the modulus; of integers saturated",
      .integers = MatlabRules::Integers::kept};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.abs(a);
  }
  template <class W, class A>
  static constexpr auto saturating(const W& w, const A& a) {
    return w.max(a, w.saturating_sub(w.zero(a), a));
  }
  template <class W, class A>
  static constexpr auto of_complex(const W& w, const A& a) {
    return w.template function<Hypot>(w.real(a), w.imag(a));
  }
};

}  // namespace hadamard::op
