#pragma once

#include "op/opdef.hpp"

namespace hadamard::op {

struct Log {
  static constexpr OpNames names{
      .id = "log", .symbol = {}, .onnx = "Log", .matlab = "log", .paddle = "log"};
  static constexpr std::string_view doc =
      "The natural logarithm of a, correctly rounded; -inf for 0, NaN below.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Log>(a);
  }

  template <class X>
  static X oracle(const X& a) {
    return log(a);
  }
  template <class F>
  static F estimate(F a) {
    return std::log(a);
  }
};

}  // namespace hadamard::op
