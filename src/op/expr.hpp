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
  X(IfAtMost, if_at_most) /* (a, b, x, y): a <= b ? x : y */

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
  Operator::apply(ExprWorld{}, Arg<0>{}, Arg<1>{});
}
? 2 : 1;

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
template <class Operator, int arity = arity_of<Operator>>
struct FormulaOf {
  using Type = decltype(Operator::apply(ExprWorld{}, Arg<0>{}, Arg<1>{}));
};
template <class Operator>
struct FormulaOf<Operator, 1> {
  using Type = decltype(Operator::apply(ExprWorld{}, Arg<0>{}));
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

// By what a formula divides, for types that have no answer for a zero divisor.
enum class Divisor { none, a, b, computed };

namespace detail {

constexpr Divisor either(Divisor x, Divisor y) {
  if (x == Divisor::none || x == y) return y;
  return y == Divisor::none ? x : Divisor::computed;
}

template <class Expression>
struct IsRatio : std::false_type {};
template <int numerator, int denominator>
struct IsRatio<Ratio<numerator, denominator>> : std::bool_constant<numerator != 0> {};

template <class Expression>
struct DivisorOf {
  static constexpr Divisor value = Divisor::none;
};
template <class Primitive, class... X>
constexpr Divisor divisor_here() {
  if constexpr (std::is_same_v<Primitive, prim::Div> || std::is_same_v<Primitive, prim::Mod> ||
                std::is_same_v<Primitive, prim::Rem>) {
    using B = std::tuple_element_t<1, std::tuple<X...>>;
    return std::is_same_v<B, Arg<0>>   ? Divisor::a
           : std::is_same_v<B, Arg<1>> ? Divisor::b
           : IsRatio<B>::value         ? Divisor::none
                                       : Divisor::computed;
  } else if constexpr (std::is_same_v<Primitive, prim::Pow>) {
    return Divisor::computed;  // of a negative power: the base, of the others none
  } else {
    return Divisor::none;
  }
}
template <class Primitive, class... X>
struct DivisorOf<Call<Primitive, X...>> {
  static constexpr Divisor value = [] {
    Divisor all = divisor_here<Primitive, X...>();
    ((all = either(DivisorOf<X>::value, all)), ...);
    return all;
  }();
};

// Whether an expression is made of sums and differences alone.
template <class Expression>
struct IsSum {
  static constexpr bool value = true;
};
template <class Primitive, class... X>
struct IsSum<Call<Primitive, X...>> {
  static constexpr bool value = (std::is_same_v<Primitive, prim::Add> ||
                                 std::is_same_v<Primitive, prim::Sub>)&&(IsSum<X>::value && ...);
};

}  // namespace detail

template <class Operator>
inline constexpr bool is_sum = detail::IsSum<Formula<Operator>>::value;

// Whether the operator is a / b and nothing else.
template <class Operator>
inline constexpr bool is_quotient =
    std::is_same_v<Formula<Operator>, Call<prim::Div, Arg<0>, Arg<1>>>;
// Whether there is a quotient in it.
namespace detail {
template <class Expression>
struct HasQuotient : std::false_type {};
template <class Primitive, class... X>
struct HasQuotient<Call<Primitive, X...>>
    : std::bool_constant<std::is_same_v<Primitive, prim::Div> || (HasQuotient<X>::value || ...)> {};
}  // namespace detail
template <class Operator>
inline constexpr bool has_quotient = detail::HasQuotient<Formula<Operator>>::value;
// Whether a and b are only divided; what follows takes the quotient alone.
template <class Operator>
inline constexpr bool begins_with_quotient = is_quotient<Operator>;

// Whether an operator is made of + - * / alone.
namespace detail {
template <class Expression>
struct IsArithmetic {
  static constexpr bool value = true;
};
template <class Primitive, class... X>
struct IsArithmetic<Call<Primitive, X...>> {
  static constexpr bool value =
      (std::is_same_v<Primitive, prim::Add> || std::is_same_v<Primitive, prim::Sub> ||
       std::is_same_v<Primitive, prim::Mul> ||
       std::is_same_v<Primitive, prim::Div>)&&(IsArithmetic<X>::value && ...);
};
}  // namespace detail
template <class Operator>
inline constexpr bool is_arithmetic = detail::IsArithmetic<Formula<Operator>>::value;

// Whether a primitive gives one of its operands, or a number that every type has: nothing to round.
template <class Primitive>
inline constexpr bool chooses =
    std::is_same_v<Primitive, prim::Max> || std::is_same_v<Primitive, prim::Min> ||
    std::is_same_v<Primitive, prim::IfAtMost> || std::is_same_v<Primitive, prim::Zero> ||
    std::is_same_v<Primitive, prim::One>;

// Whether the value of a formula is a rational number wherever its operands are.
namespace detail {
template <class Primitive>
inline constexpr bool divides_by_number = false;
template <int divisor>
inline constexpr bool divides_by_number<prim::DividedBy<divisor>> = true;
template <class Expression>
struct IsRational {
  static constexpr bool value = true;
};
template <class Primitive, class... X>
struct IsRational<Call<Primitive, X...>> {
  static constexpr bool value =
      (chooses<Primitive> || IsArithmetic<Call<Primitive>>::value || divides_by_number<Primitive> ||
       std::is_same_v<Primitive, prim::Identity> || std::is_same_v<Primitive, prim::Neg> ||
       std::is_same_v<Primitive, prim::Abs>)&&(IsRational<X>::value && ...);
};
}  // namespace detail
template <class Operator>
inline constexpr bool is_rational = detail::IsRational<Formula<Operator>>::value;

// Whether the operator is a * b and nothing else.
template <class Operator>
inline constexpr bool is_product =
    std::is_same_v<Formula<Operator>, Call<prim::Mul, Arg<0>, Arg<1>>>;

template <class Operator>
inline constexpr Divisor divisor_of = detail::DivisorOf<Formula<Operator>>::value;

}  // namespace hadamard::op
