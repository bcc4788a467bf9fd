#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct IsFinite {
  static constexpr OpNames names{
      .id = "isfinite", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "Whether a is neither infinite nor NaN; of a complex number, whether both parts are finite.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr TypeRule type_rule = TypeRule::to_bool;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.isfinite(a);
  }
};

}  // namespace hadamard::op
