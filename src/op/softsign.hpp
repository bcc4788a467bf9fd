#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Softsign {
  static constexpr OpNames names{
      .id = "softsign", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "softsign"};
  static constexpr std::string_view doc =
      "a / (1 + |a|), correctly rounded as a whole. 1 for inf, -1 for -inf.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.softsign(a);
  }
};

}  // namespace hadamard::op
