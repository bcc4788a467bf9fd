#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Relu6 {
  static constexpr OpNames names{
      .id = "relu6", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "relu6"};
  static constexpr std::string_view doc =
      "The larger of a and 0, at most threshold: correctly rounded. 0 for -0, NaN for NaN.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr AttributeInfo attributes[] = {{"threshold", "6"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.min(w.max(a, w.zero(a)), w.template ratio<6>(a));
  }

  template <class W, class A>
  static auto apply_with(const W& w, const A& a, const A& threshold) {
    return w.min(w.max(a, w.zero(a)), threshold);
  }
};

}  // namespace hadamard::op
