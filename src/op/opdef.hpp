// What an operator says about itself.
//
// An operator is a struct with
//   names    its names in the worlds that call it
//   doc      one line for help texts and the reference
//   type_rule  how the types of operands and result depend on each other; left out: all one type
//   kinds    the kinds of element that it is defined for; left out: all
//   is_composed  a program computes it by nodes of the operators that `apply` asks for
//   onnx_integers  which integers ONNX has it for; left out: all that it is defined for
//   apply    its whole definition: a template over the world W that it is computed in
//
// A world knows how to add, subtract, multiply, divide … *its* kind of value (the list of what it
// may be asked for is HADAMARD_PRIMITIVES in op/expr.hpp): a machine scalar (exec/ref), a SIMD
// vector (exec/cpu), an exact rational. A world's operations round as its element type says, wrap
// where it is an integer, and note a zero divisor where it has no answer for one.
#pragma once

#include <cstdint>
#include <string_view>

#include "num/dtype.hpp"

namespace hadamard::op {

struct OpNames {
  std::string_view id;      // CLI verb, C++ and Python function, C ABI: "div"
  std::string_view symbol;  // "./"; empty: written as a function
  std::string_view onnx;    // "Div"
  std::string_view matlab;  // "rdivide"
  std::string_view paddle;  // "elementwise_div"
};

// A set of kinds.
enum class Kinds : unsigned {};
template <class... K>
constexpr Kinds kinds_of(K... kinds) {
  return static_cast<Kinds>(((1U << static_cast<unsigned>(kinds)) | ... | 0U));
}
constexpr bool contains(Kinds set, Kind kind) {
  return (static_cast<unsigned>(set) >> static_cast<unsigned>(kind) & 1U) != 0;
}
inline constexpr Kinds kAllKinds =
    kinds_of(Kind::exact, Kind::floating, Kind::integer, Kind::complex, Kind::boolean);
inline constexpr Kinds kOrdered =
    kinds_of(Kind::exact, Kind::floating, Kind::integer, Kind::boolean);

// How the element types of operands and result depend on each other. The type of the last operand
// selects the kernel.
//   same     all are one type
//   to_bool  operands of one type, the result is bool
//   select   the first operand is bool, the others and the result are one type
//   convert  the result has any type, which the node names
enum class TypeRule : std::uint8_t { same, to_bool, select, convert };

template <class Operator>
constexpr TypeRule type_rule_of() {
  if constexpr (requires { Operator::type_rule; }) {
    return Operator::type_rule;
  } else {
    return TypeRule::same;
  }
}

template <class Operator>
inline constexpr bool is_composed = requires {
  Operator::is_composed;
};

// `negative`: those with negative numbers; `wide`: int32 and int64.
enum class OnnxIntegers : std::uint8_t { all, negative, wide, none };

template <class Operator>
constexpr OnnxIntegers onnx_integers_of() {
  if constexpr (requires { Operator::onnx_integers; }) {
    return Operator::onnx_integers;
  } else {
    return OnnxIntegers::all;
  }
}

template <class Operator>
constexpr Kinds kinds_for() {
  if constexpr (requires { Operator::kinds; }) {
    return Operator::kinds;
  } else {
    return kAllKinds;
  }
}

// Whether the operator is defined for elements of type T.
template <class Operator, class T>
inline constexpr bool defined_for = contains(kinds_for<Operator>(), Element<T>::kKind);

}  // namespace hadamard::op
