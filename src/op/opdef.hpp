// What an operator says about itself.
//
// An operator is a struct with
//   names    its names in the worlds that call it
//   doc      one line for help texts and the reference
//   type_rule  how the types of operands and result depend on each other; left out: all one type
//   kinds    the kinds of element that it is defined for; left out: all
//   least_bits  of the narrowest type that it is defined for; left out: of any
//   is_composed  a program computes it by nodes of the operators that `apply` asks for
//   of_complex  for complex operands, which `kinds` leaves out, what programs compute: a template
//            over their arithmetic, whose result has the type of the operands' parts
//   onnx_integers  which integers ONNX has it for; left out: all that it is defined for
//   onnx_operands  what other operands ONNX lets it have; left out: none
//   sonnx    its document in the profile SONNX; left out: it has none
//   monotone   how results follow operands, which tells their ranges (src/bound); left out: what
//              interval arithmetic makes of `apply`, and of a function that nothing is known
//   results  between what all results lie; left out: anywhere
//   gradient  the derivatives by each operand, times g, that of the result y; left out: it has none
//   matlab   what MATLAB's rules are for it; left out: those of MatlabRules
//   saturating  on integers that saturate, as a program: MATLAB's classes
//   in_matlab  on real floats, as a program, where MATLAB's answer is another one
//   apply    its whole definition: a template over the world W that it is computed in
//
// What is left out is always safe: a range that is too wide, a gradient that does not compile.
//
// A function that is correctly rounded has beside these
//   oracle    its true value, as a formula of numbers of any precision that know how they were
//             rounded (num/precise_value.hpp: +, -, *, / and what MPFR has). One operation on exact
//             operands is always right. Where more than one rounds, the formula must be within 16
//             units of the last place, for every operand and precision, infinities and zeros too,
//             and no float or middle of two floats may be so near to the value that no precision
//             separates them (just_above is for such places).
//   estimate  an approximation by the C library, in double and in long double, within 16 units of
//             the last place; where that does not tell how to round, the oracle is asked
//   one_operation  left out by most: where one operation of type F, which rounds once, gives the
//             result, that; it may take the estimate's place
//   complex_form  left out by those that have none: the function of num/complex_functions.hpp that
//            it is on complex numbers, with the error bounds that are said there
// and, for vectors, an estimate in exec/cpu/functions/<id>-inl.h; without one it is computed
// element by element.
//
// An operator of one operand that takes attributes declares them,
//   attributes  their names and defaults, exact decimals: {{"alpha", "0.02"}}
// and what is computed with other values than those (apply has the defaults); the exact formula
// with the exact attributes, rounded once. Either, of a rational formula,
//   apply_with     as apply, with the attributes behind the operand: for numbers that are exact, or
//                  know what they lack (op/attributed.hpp)
// or, of any other, the oracle and an estimate:
//   oracle_with    as oracle. Operands and attributes have 64 bits more than are asked for, so what
//                  a rounded attribute does to the result needs no thought, but for results that
//                  are exact: 0, infinities, and limits that no precision tells from the value
//   estimate_with  as estimate, and how good it is: Estimated, of an operand that is not NaN
//   simplify_with  left out by most: other operands with the same result, for exact results
// In all of these an attribute of 0 is +0, and the operand is not NaN.
//
// A world knows how to add, subtract, multiply, divide … *its* kind of value (the list of what it
// may be asked for is HADAMARD_PRIMITIVES in op/expr.hpp): a machine scalar (exec/ref), a SIMD
// vector (exec/cpu), an exact rational. A world's operations round as its element type says, wrap
// where it is an integer, and note a zero divisor where it has no answer for one.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include "num/complex_functions.hpp"
#include "num/dtype.hpp"
#include "op/attribute_values.hpp"
#include "op/matlab_rules.hpp"

namespace hadamard::op {

struct OpNames {
  std::string_view id;      // CLI verb, C++ and Python function, C ABI: "div"
  std::string_view symbol;  // "./"; empty: written as a function
  std::string_view onnx;    // "Div"
  std::string_view matlab;  // "rdivide"
  std::string_view paddle;  // "elementwise_div"
};

template <class Record>
inline constexpr bool has_oracle = requires {
  &Record::template oracle<double>;
};
template <class Record>
inline constexpr bool has_one_operation = requires {
  &Record::template one_operation<double>;
};
template <class Record>
inline constexpr bool has_estimate = requires {
  &Record::template estimate<double>;
};

template <class Record>
inline constexpr bool has_attributes = requires {
  Record::attributes;
};
template <class Record>
constexpr std::span<const AttributeInfo> attributes_of() {
  if constexpr (has_attributes<Record>) {
    return Record::attributes;
  } else {
    return {};
  }
}
template <class Record>
inline constexpr bool has_oracle_with = requires {
  &Record::template oracle_with<double>;
  &Record::template estimate_with<double>;
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
// selects the kernel, but for `saturating`.
//   same     all are one type
//   to_bool  operands of one type, the result is bool
//   select   the first operand is bool, the others and the result are one type
//   convert  the result has any type, which the node names
//   to_part  complex operands of one type, the result is of the type of their parts
//   from_parts  floats of one type, the result is complex
//   to_fp64  operands of one type, the result is fp64
//   saturating  an integer type, and for one of the operands also fp64; the result is of the
//            integer type
enum class TypeRule : std::uint8_t {
  same,
  to_bool,
  select,
  convert,
  to_part,
  from_parts,
  to_fp64,
  saturating
};

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

//   as_here      of one type, and no more than it has here
//   any_number   one or more, from left to right
//   mixed_types  the second's type may be another
enum class OnnxOperands : std::uint8_t { as_here, any_number, mixed_types };

template <class Operator>
constexpr OnnxOperands onnx_operands_of() {
  if constexpr (requires { Operator::onnx_operands; }) {
    return Operator::onnx_operands;
  } else {
    return OnnxOperands::as_here;
  }
}

// An operator without a document of its own is held to the profile's general restrictions.
struct SonnxDocument {
  bool exists = false;
  std::string_view same_floats = "R2";  // its clause that wants floats of one type
};

template <class Operator>
constexpr SonnxDocument sonnx_document_of() {
  if constexpr (requires { Operator::sonnx; }) {
    return Operator::sonnx;
  } else {
    return {};
  }
}

// How the results of floats follow growing operands, wherever there are results; those of -0 and 0
// are one number. NaN may come out outside of one interval only.
//   unknown     in no order, or none is claimed
//   increasing  of one operand: never smaller for a larger one
//   with_size   of any number of operands: never smaller where one is larger in size
enum class Monotone : std::uint8_t { unknown, increasing, with_size };

template <class Operator>
constexpr Monotone monotone_of() {
  if constexpr (requires { Operator::monotone; }) {
    return Operator::monotone;
  } else {
    return Monotone::unknown;
  }
}

// Rounded to the type, they hold for each number; of finite ones NaN does not come out.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};
template <class Operator>
inline constexpr bool has_bounds = requires {
  Operator::results;
};

template <class Operator>
constexpr Kinds kinds_for() {
  if constexpr (requires { Operator::kinds; }) {
    return Operator::kinds;
  } else {
    return kAllKinds;
  }
}

template <class Operator>
constexpr int least_bits_of() {
  if constexpr (requires { Operator::least_bits; }) {
    return Operator::least_bits;
  } else {
    return 0;
  }
}

// Whether the operator is defined for elements of type T.
template <class Operator, class T>
inline constexpr bool defined_for =
    contains(kinds_for<Operator>(), Element<T>::kKind) && Element<T>::kBits
                                                              >= least_bits_of<Operator>();

// The type of the result, where the last operand's type T decides it.
namespace detail {
template <class T>
struct PartOf {
  using Type = T;
};
template <class F>
struct PartOf<std::complex<F>> {
  using Type = F;
};
template <TypeRule rule, class T>
struct ResultOf {
  using Type = T;
};
template <class T>
struct ResultOf<TypeRule::to_bool, T> {
  using Type = bool;
};
template <class T>
struct ResultOf<TypeRule::to_part, T> : PartOf<T> {};
template <class T>
struct ResultOf<TypeRule::from_parts, T> {
  using Type = std::complex<T>;
};
template <class T>
struct ResultOf<TypeRule::to_fp64, T> {
  using Type = double;
};
}  // namespace detail
template <class Operator, class T>
using ResultOf = typename detail::ResultOf<type_rule_of<Operator>(), T>::Type;

// Of a function: its form on complex numbers.
template <class Record>
inline constexpr bool has_complex_form = requires {
  Record::complex_form;
};

// Below it e^a differs from 0, and beside 1 from nothing, by less than any float shows, even one
// with an attribute of 8192 bits.
inline constexpr int kBesideLimits = -20000;

// The bits of the shortest significand in the list of types.
template <class T>
constexpr int significand_bits() {
  if constexpr (Element<T>::kKind == Kind::floating) {
    return Element<T>::kFormat.precision;
  } else {
    return 64;
  }
}
inline constexpr int kFewestBits = std::min({
#define HADAMARD_SIGNIFICAND_BITS(id, Type) significand_bits<Type>(),
    HADAMARD_TYPES(HADAMARD_SIGNIFICAND_BITS)
#undef HADAMARD_SIGNIFICAND_BITS
});
constexpr bool every_float_has(int whole) {
  while (whole != 0 && whole % 2 == 0) whole /= 2;
  return -(1 << kFewestBits) < whole && whole < 1 << kFewestBits;
}

}  // namespace hadamard::op
