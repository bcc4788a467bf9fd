#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Stanh {
  static constexpr OpNames names{
      .id = "stanh", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "stanh"};
  static constexpr std::string_view doc = "1.7159 tanh(0.67 a), correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.stanh(a);
  }
};

}  // namespace hadamard::op
