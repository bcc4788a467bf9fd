#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Clip {
  static constexpr OpNames names{
      .id = "clip", .symbol = {}, .onnx = "Clip", .matlab = {}, .paddle = "clip"};
  static constexpr std::string_view doc =
      "a, but not below low and not above high; high where low is above it.";
  static constexpr Kinds kinds = kOrdered;
  static constexpr bool is_composed = true;

  template <class W, class A, class L, class H>
  static constexpr auto apply(const W& w, const A& a, const L& low, const H& high) {
    return w.min(w.max(a, low), high);
  }
};

}  // namespace hadamard::op
