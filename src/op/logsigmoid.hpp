#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Logsigmoid {
  static constexpr OpNames names{
      .id = "logsigmoid", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "logsigmoid"};
  static constexpr std::string_view doc =
      "log(1 / (1 + e^-a)), correctly rounded as a whole. -0 for inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.logsigmoid(a);
  }
};

}  // namespace hadamard::op
