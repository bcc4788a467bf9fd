#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct ThresholdedRelu {
  static constexpr OpNames names{.id = "thresholded_relu",
                                 .symbol = {},
                                 .onnx = {},
                                 .matlab = {},
                                 .paddle = "thresholded_relu"};
  static constexpr std::string_view doc =
      "a where it is above threshold, otherwise 0: exact. NaN for NaN.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr AttributeInfo attributes[] = {{"threshold", "1"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.if_at_most(a, w.one(a), w.zero(a), a);
  }

  template <class W, class A>
  static auto apply_with(const W& w, const A& a, const A& threshold) {
    return w.if_at_most(a, threshold, w.zero(a), a);
  }
};

}  // namespace hadamard::op
