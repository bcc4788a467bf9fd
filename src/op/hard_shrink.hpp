#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct HardShrink {
  static constexpr OpNames names{
      .id = "hard_shrink", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "hard_shrink"};
  static constexpr std::string_view doc =
      "a where |a| is above threshold, otherwise 0: exact. NaN for NaN.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr AttributeInfo attributes[] = {{"threshold", "0.5"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.if_at_most(w.abs(a), w.template ratio<1, 2>(a), w.zero(a), a);
  }

  template <class W, class A>
  static auto apply_with(const W& w, const A& a, const A& threshold) {
    return w.if_at_most(w.abs(a), threshold, w.zero(a), a);
  }
};

}  // namespace hadamard::op
