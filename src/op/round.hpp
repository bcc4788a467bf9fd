#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Round {
  static constexpr OpNames names{
      .id = "round", .symbol = {}, .onnx = "Round", .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc = "The nearest whole number; of two the even one.";
  static constexpr Kinds kinds = kinds_of(Kind::floating, Kind::integer);
  static constexpr OnnxIntegers onnx_integers = OnnxIntegers::none;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.round(a);
  }
};

}  // namespace hadamard::op
