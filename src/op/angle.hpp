#pragma once

#include "op/atan2.hpp"
#include "op/opdef.hpp"

namespace hadamard::op {

struct Angle {
  static constexpr OpNames names{
      .id = "angle", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "The angle of a, which is complex, from -pi to pi, correctly rounded.";
  static constexpr Kinds kinds = kinds_of(Kind::complex);
  static constexpr TypeRule type_rule = TypeRule::to_part;
  static constexpr bool is_composed = true;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Atan2>(w.imag(a), w.real(a));
  }
};

}  // namespace hadamard::op
