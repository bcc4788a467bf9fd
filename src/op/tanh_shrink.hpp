#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct TanhShrink {
  static constexpr OpNames names{
      .id = "tanh_shrink", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "tanh_shrink"};
  static constexpr std::string_view doc = "a - tanh(a), correctly rounded as a whole. -0 for -0.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.tanh_shrink(a);
  }
};

}  // namespace hadamard::op
