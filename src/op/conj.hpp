#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Conj {
  static constexpr OpNames names{
      .id = "conj", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "The conjugate of a, which is complex.";
  static constexpr Kinds kinds = kinds_of(Kind::complex);

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.conj(a);
  }
};

}  // namespace hadamard::op
