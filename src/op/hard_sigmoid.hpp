#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct HardSigmoid {
  static constexpr OpNames names{
      .id = "hard_sigmoid", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "hard_sigmoid"};
  static constexpr std::string_view doc =
      "slope a + offset, at least 0 and at most 1. With the defaults within 1.5 ULP, otherwise "
      "correctly rounded.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;
  static constexpr AttributeInfo attributes[] = {{"slope", "0.2"}, {"offset", "0.5"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    // a + 2.5 is exact where it is small. Its rounding is at most 0.8 ULP of the quotient.
    const auto line = w.div(w.add(a, w.template ratio<5, 2>(a)), w.template ratio<5>(a));
    return w.min(w.max(line, w.zero(a)), w.one(a));
  }

  template <class W, class A>
  static auto apply_with(const W& w, const A& a, const A& slope, const A& offset) {
    return w.min(w.max(w.add(w.mul(slope, a), offset), w.zero(a)), w.one(a));
  }
};

}  // namespace hadamard::op
