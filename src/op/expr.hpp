// The world of expressions: applying an operator here gives not a value but its formula, as a type.
//
// Backends that cannot call the operator's own code (a SIMD target whose instructions may only
// appear in functions compiled for it, a device with its own language) evaluate the formula with
// code of theirs.
#pragma once

#include <cstddef>

namespace hadamard::op {

// The primitives that a world offers and an operator may use. Each is also the name of the world's
// method.
namespace prim {
struct Add {};
struct Sub {};
struct Mul {};
struct Div {};
}  // namespace prim

template <std::size_t index>
struct Arg {};

template <class Primitive, class... Operands>
struct Call {};

struct ExprWorld {
  template <class A, class B>
  constexpr Call<prim::Add, A, B> add(A, B) const {
    return {};
  }
  template <class A, class B>
  constexpr Call<prim::Sub, A, B> sub(A, B) const {
    return {};
  }
  template <class A, class B>
  constexpr Call<prim::Mul, A, B> mul(A, B) const {
    return {};
  }
  template <class A, class B>
  constexpr Call<prim::Div, A, B> div(A, B) const {
    return {};
  }
};

// The formula of a binary operator: Formula<Div> is Call<prim::Div, Arg<0>, Arg<1>>.
template <class Operator>
using Formula = decltype(Operator::apply(ExprWorld{}, Arg<0>{}, Arg<1>{}));

}  // namespace hadamard::op
