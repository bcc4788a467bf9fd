#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct IsInf {
  static constexpr OpNames names{
      .id = "isinf", .symbol = {}, .onnx = "IsInf", .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "Whether a is infinite; of a complex number, whether a part is.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::complex);
  static constexpr TypeRule type_rule = TypeRule::to_bool;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.isinf(a);
  }
};

}  // namespace hadamard::op
