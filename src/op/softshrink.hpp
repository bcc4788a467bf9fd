#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Softshrink {
  static constexpr OpNames names{
      .id = "softshrink", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "softshrink"};
  static constexpr std::string_view doc =
      "a - 0.5 above 0.5, a + 0.5 below -0.5, otherwise 0: correctly rounded.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.sub(a, w.max(w.min(a, w.template ratio<1, 2>(a)), w.template ratio<-1, 2>(a)));
  }
};

}  // namespace hadamard::op
