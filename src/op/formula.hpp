// What an operator's formula tells about it: by what it divides, whether it is a sum, a quotient, a
// product, a rational number.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "op/expr.hpp"

namespace hadamard::op {

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

// Whether it is a to the power b, a itself, and nothing else.
template <class Operator>
inline constexpr bool is_power = std::is_same_v<Formula<Operator>, Call<prim::Pow, Arg<0>, Arg<1>>>;
template <class Operator>
inline constexpr bool is_identity = std::is_same_v<Formula<Operator>, Call<prim::Identity, Arg<0>>>;

// Whether it makes its operand a whole number, which every floating type has.
namespace detail {
template <class Expression>
struct IsWhole : std::false_type {};
template <class Primitive>
struct IsWhole<Call<Primitive, Arg<0>>>
    : std::bool_constant<
          std::is_same_v<Primitive, prim::Floor> || std::is_same_v<Primitive, prim::Ceil> ||
          std::is_same_v<Primitive, prim::Round> || std::is_same_v<Primitive, prim::Trunc>> {};
}  // namespace detail
template <class Operator>
inline constexpr bool is_whole = detail::IsWhole<Formula<Operator>>::value;

template <class Operator>
inline constexpr Divisor divisor_of = detail::DivisorOf<Formula<Operator>>::value;

}  // namespace hadamard::op
