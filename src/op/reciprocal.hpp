#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Reciprocal {
  static constexpr OpNames names{
      .id = "reciprocal", .symbol = {}, .onnx = "Reciprocal", .matlab = {}, .paddle = "reciprocal"};
  static constexpr std::string_view doc = "1 / a. Floats: correctly rounded. real: exact.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::exact);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.div(w.one(a), a);
  }
};

}  // namespace hadamard::op
