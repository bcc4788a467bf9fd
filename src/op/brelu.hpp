#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Brelu {
  static constexpr OpNames names{
      .id = "brelu", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "brelu"};
  static constexpr std::string_view doc =
      "The larger of a and t_min, at most t_max: correctly rounded. NaN for NaN.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr AttributeInfo attributes[] = {{"t_min", "0"}, {"t_max", "24"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.min(w.max(a, w.zero(a)), w.template ratio<24>(a));
  }

  template <class W, class A>
  static auto apply_with(const W& w, const A& a, const A& t_min, const A& t_max) {
    return w.min(w.max(a, t_min), t_max);
  }
};

}  // namespace hadamard::op
