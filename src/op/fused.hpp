// Two operators as one: the second is applied to each result of the first.
#pragma once

#include "op/formula.hpp"
#include "op/opdef.hpp"

namespace hadamard::op {

template <class First, class Then>
struct Fused {
  static constexpr Kinds kinds = kinds_for<Then>();

  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return Then::apply(w, First::apply(w, a, b));
  }
};

// Its loop is that of the first one, which reads and writes as much.
template <class First, class Then>
inline constexpr bool is_arithmetic<Fused<First, Then>> = is_arithmetic<First>;
template <class First, class Then>
inline constexpr bool begins_with_quotient<Fused<First, Then>> = is_quotient<First>;

}  // namespace hadamard::op
