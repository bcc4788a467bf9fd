// The world of expressions: applying an operator here gives not a value but its formula, as a type.
//
// Backends that cannot call the operator's own code (a SIMD target whose instructions may only
// appear in functions compiled for it, a device with its own language) evaluate the formula with
// code of theirs.
#pragma once

#include <cstddef>
#include <type_traits>

// The one list of primitives that a world offers and an operator may use: X(Name, method).
#define HADAMARD_PRIMITIVES(X) \
  X(Add, add)                  \
  X(Sub, sub)                  \
  X(Mul, mul)                  \
  X(Div, div)

namespace hadamard::op {

namespace prim {
#define HADAMARD_PRIMITIVE_TAG(Name, method) \
  struct Name {};
HADAMARD_PRIMITIVES(HADAMARD_PRIMITIVE_TAG)
#undef HADAMARD_PRIMITIVE_TAG
}  // namespace prim

template <std::size_t index>
struct Arg {};

template <class Primitive, class... Operands>
struct Call {};

struct ExprWorld {
#define HADAMARD_PRIMITIVE_CALL(Name, method)           \
  template <class A, class B>                           \
  constexpr Call<prim::Name, A, B> method(A, B) const { \
    return {};                                          \
  }
  HADAMARD_PRIMITIVES(HADAMARD_PRIMITIVE_CALL)
#undef HADAMARD_PRIMITIVE_CALL
};

// The formula of a binary operator: Formula<Div> is Call<prim::Div, Arg<0>, Arg<1>>.
template <class Operator>
using Formula = decltype(Operator::apply(ExprWorld{}, Arg<0>{}, Arg<1>{}));

// By what a formula divides, for types that have no answer for a zero divisor.
enum class Divisor { none, a, b, computed };

namespace detail {

constexpr Divisor either(Divisor x, Divisor y) {
  if (x == Divisor::none || x == y) return y;
  return y == Divisor::none ? x : Divisor::computed;
}

template <class Expression>
struct DivisorOf {
  static constexpr Divisor value = Divisor::none;
};
template <class Primitive, class A, class B>
struct DivisorOf<Call<Primitive, A, B>> {
  static constexpr Divisor inner = either(DivisorOf<A>::value, DivisorOf<B>::value);
  static constexpr Divisor here = !std::is_same_v<Primitive, prim::Div> ? Divisor::none
                                  : std::is_same_v<B, Arg<0>>           ? Divisor::a
                                  : std::is_same_v<B, Arg<1>>           ? Divisor::b
                                                                        : Divisor::computed;
  static constexpr Divisor value = either(inner, here);
};

// Whether an expression is made of sums and differences alone.
template <class Expression>
struct IsSum {
  static constexpr bool value = true;
};
template <class Primitive, class A, class B>
struct IsSum<Call<Primitive, A, B>> {
  static constexpr bool value = (std::is_same_v<Primitive, prim::Add> ||
                                 std::is_same_v<Primitive, prim::Sub>)&&IsSum<A>::value &&
                                IsSum<B>::value;
};

}  // namespace detail

template <class Operator>
inline constexpr bool is_sum = detail::IsSum<Formula<Operator>>::value;

// Whether the operator is a / b and nothing else.
template <class Operator>
inline constexpr bool is_quotient =
    std::is_same_v<Formula<Operator>, Call<prim::Div, Arg<0>, Arg<1>>>;

// Whether the operator is a * b and nothing else.
template <class Operator>
inline constexpr bool is_product =
    std::is_same_v<Formula<Operator>, Call<prim::Mul, Arg<0>, Arg<1>>>;

template <class Operator>
inline constexpr Divisor divisor_of = detail::DivisorOf<Formula<Operator>>::value;

}  // namespace hadamard::op
