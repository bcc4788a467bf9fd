#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Identity {
  static constexpr OpNames names{
      .id = "identity", .symbol = {}, .onnx = "Identity", .matlab = {}, .paddle = "assign"};
  static constexpr std::string_view doc = "a itself. NaN becomes the canonical one.";

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.identity(a);
  }
};

}  // namespace hadamard::op
