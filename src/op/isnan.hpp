#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct IsNan {
  static constexpr OpNames names{
      .id = "isnan", .symbol = {}, .onnx = "IsNaN", .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "Whether a is NaN; of a complex number, whether a part is.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr TypeRule type_rule = TypeRule::to_bool;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.isnan(a);
  }
};

}  // namespace hadamard::op
