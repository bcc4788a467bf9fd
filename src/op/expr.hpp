// The world of expressions: applying an operator here gives not a value but its formula, as a type.
//
// Backends that cannot call the operator's own code (a SIMD target whose instructions may only
// appear in functions compiled for it, a device with its own language) evaluate the formula with
// code of theirs.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "num/dtype.hpp"
#include "op/opdef.hpp"

// The one list of primitives that a world offers and an operator may use: X(Name, method). Beside
// them there are two that have numbers of their own, w.template ratio<5, 2>(a), which is 2.5, of
// a's type, and w.template divided<50>(a), which is a / 50, rounded once, also where the type has
// no 50; and w.template function<Exp>(a), which computes the function that a record defines by its
// oracle.
#define HADAMARD_PRIMITIVES(X)                                \
  X(Add, add)                                                 \
  X(Sub, sub)                                                 \
  X(Mul, mul)                                                 \
  X(Div, div)                                                 \
  X(Pow, pow)                                                 \
  X(Max, max)                                                 \
  X(Min, min)                                                 \
  X(Zero, zero) /* of its operand's type, whatever that is */ \
  X(One, one)                                                 \
  X(Identity, identity)                                       \
  X(Neg, neg)                                                 \
  X(Abs, abs)                                                 \
  X(Sign, sign)                                               \
  X(Sqrt, sqrt)                                               \
  X(Floor, floor)                                             \
  X(Ceil, ceil)                                               \
  X(Round, round)                                             \
  X(Trunc, trunc)                                             \
  X(Mod, mod)                                                 \
  X(Rem, rem)                                                 \
  X(IfAtMost, if_at_most) /* (a, b, x, y): a <= b ? x : y */  \
  X(Fma, fma)                                                 \
  X(Eq, eq)                                                   \
  X(Lt, lt)                                                   \
  X(Le, le)                                                   \
  X(LogicalAnd, logical_and)                                  \
  X(LogicalOr, logical_or)                                    \
  X(LogicalXor, logical_xor)                                  \
  X(LogicalNot, logical_not)                                  \
  X(IsNan, isnan)                                             \
  X(IsInf, isinf)                                             \
  X(IsFinite, isfinite)                                       \
  X(Select, select)   /* (c, x, y): c ? x : y */              \
  X(Convert, convert) /* to the type of the result */         \
  X(SaturatingConvert, saturating_convert)                    \
  X(Real, real)                                               \
  X(Imag, imag)                                               \
  X(Conj, conj)                                               \
  X(FromParts, from_parts)                                    \
  X(ComplexHypot, complex_hypot)                              \
  X(SaturatingAdd, saturating_add)                            \
  X(SaturatingSub, saturating_sub)                            \
  X(SaturatingMul, saturating_mul)                            \
  X(SaturatingDiv, saturating_div)                            \
  X(SaturatingPow, saturating_pow)                            \
  X(TrueDiv, true_div)

namespace hadamard::op {

namespace prim {
// By a whole number. It has few bits, so that computing in wider lanes and rounding again does no
// harm.
template <int divisor>
struct DividedBy {
  static_assert(0 < divisor && divisor < 1000);
};
// What the record says, correctly rounded.
template <class Record>
struct Function {};
#define HADAMARD_PRIMITIVE_TAG(Name, method) \
  struct Name {};
HADAMARD_PRIMITIVES(HADAMARD_PRIMITIVE_TAG)
#undef HADAMARD_PRIMITIVE_TAG
}  // namespace prim

template <std::size_t index>
struct Arg {};

template <class Primitive, class... Operands>
struct Call {};

// A number that every floating type has: no rounding hides in it.
template <int numerator, int denominator>
struct Ratio {
  static_assert(every_float_has(numerator), "a floating type has too few bits for this number");
  static_assert(0 < denominator && denominator <= 256 && (denominator & (denominator - 1)) == 0,
                "the denominator has to be a power of two");
};

struct ExprWorld {
  template <int numerator, int denominator = 1, class X>
  constexpr Ratio<numerator, denominator> ratio(X) const {
    return {};
  }
  template <int divisor, class X>
  constexpr Call<prim::DividedBy<divisor>, X> divided(X) const {
    return {};
  }
  template <class Record, class... Operands>
  constexpr Call<prim::Function<Record>, Operands...> function(Operands...) const {
    static_assert(has_oracle<Record>, "the record of a function needs its oracle");
    static_assert(has_estimate<Record>, "the record of a function needs its estimate");
    return {};
  }
#define HADAMARD_PRIMITIVE_CALL(Name, method)                         \
  template <class... Operands>                                        \
  constexpr Call<prim::Name, Operands...> method(Operands...) const { \
    return {};                                                        \
  }
  HADAMARD_PRIMITIVES(HADAMARD_PRIMITIVE_CALL)
#undef HADAMARD_PRIMITIVE_CALL
};

// How many operands an operator has: as many as its definition takes.
template <class Operator>
inline constexpr int arity_of = requires {
  Operator::apply(ExprWorld{}, Arg<0>{});
}
? 1 : requires { Operator::apply(ExprWorld{}, Arg<0>{}, Arg<1>{}); }
? 2 : 3;

// Whether it has one or two operands, and a result of their type.
template <class Operator>
inline constexpr bool is_plain_operator = arity_of<Operator> <= 2 &&
                                          type_rule_of<Operator>() == TypeRule::same;

// An operator's definition, of as many of two values as it has operands.
template <class Operator, class World, class T>
constexpr auto apply_to(const World& world, const T& a, const T& b) {
  if constexpr (arity_of<Operator> == 2) {
    return Operator::apply(world, a, b);
  } else {
    return Operator::apply(world, a);
  }
}

namespace detail {
template <class Operator, class Indices = std::make_index_sequence<arity_of<Operator>>>
struct FormulaOf;
template <class Operator, std::size_t... index>
struct FormulaOf<Operator, std::index_sequence<index...>> {
  using Type = decltype(Operator::apply(ExprWorld{}, Arg<index>{}...));
};
}  // namespace detail

// The formula of an operator: Formula<Div> is Call<prim::Div, Arg<0>, Arg<1>>.
template <class Operator>
using Formula = typename detail::FormulaOf<Operator>::Type;

// Whether a world has all that a formula asks for, for values of type V.
template <class World, class V, class Expression>
struct Offers {
  static constexpr bool value = true;
};
#define HADAMARD_PRIMITIVE_OFFERED(Name, method)             \
  template <class World, class V, class... X>                \
  struct Offers<World, V, Call<prim::Name, X...>> {          \
    template <class, class As>                               \
    using Same = As;                                         \
    static constexpr bool value = requires(const World& w) { \
      w.method(std::declval<const Same<X, V>&>()...);        \
    }                                                        \
    &&(Offers<World, V, X>::value && ... && true);           \
  };
HADAMARD_PRIMITIVES(HADAMARD_PRIMITIVE_OFFERED)
#undef HADAMARD_PRIMITIVE_OFFERED
template <class World, class V, int numerator, int denominator>
struct Offers<World, V, Ratio<numerator, denominator>> {
  static constexpr bool value = requires(const World& w, const V& v) {
    w.template ratio<numerator, denominator>(v);
  };
};
template <class World, class V, int divisor, class X>
struct Offers<World, V, Call<prim::DividedBy<divisor>, X>> {
  static constexpr bool value = requires(const World& w, const V& v) {
    w.template divided<divisor>(v);
  }
  &&Offers<World, V, X>::value;
};
template <class World, class V, class Record, class... X>
struct Offers<World, V, Call<prim::Function<Record>, X...>> {
  template <class, class As>
  using Same = As;
  static constexpr bool value = requires(const World& w) {
    w.template function<Record>(std::declval<const Same<X, V>&>()...);
  }
  &&(Offers<World, V, X>::value&&... && true);
};
template <class World, class V, class Operator>
inline constexpr bool offers = Offers<World, V, Formula<Operator>>::value;

}  // namespace hadamard::op
