#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Log2 {
  static constexpr OpNames names{
      .id = "log2", .symbol = {}, .onnx = {}, .matlab = "log2", .paddle = "log2"};
  static constexpr std::string_view doc =
      "The logarithm of a to base 2, correctly rounded; -inf for 0, NaN below.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Log2>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return log2(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::log2(a);
  }
};

}  // namespace hadamard::op
