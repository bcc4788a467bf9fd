#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Softplus {
  static constexpr OpNames names{
      .id = "softplus", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "softplus"};
  static constexpr std::string_view doc = "log(1 + e^a), correctly rounded as a whole.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.softplus(a);
  }
};

}  // namespace hadamard::op
