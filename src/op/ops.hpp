// The one list of operators, as types. A new operator: its record <id>.hpp beside this file, and
// its row in HADAMARD_OPERATORS (hadamard/lists.h). The build makes op/records.hpp, which includes
// the records of all rows (cmake/OperatorIncludes.cmake).
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "hadamard/types.hpp"
#include "op/formula.hpp"
#include "op/records.hpp"

namespace hadamard::op {

// Calls f(std::type_identity<Add>{}) and so on for the operator's struct.
template <class F>
decltype(auto) with_op(Op op, F&& f) {
  switch (op) {
#define HADAMARD_WITH_OP(id, Name, arity) \
  case Op::id:                            \
    return std::forward<F>(f)(std::type_identity<Name>{});
    HADAMARD_OPERATORS(HADAMARD_WITH_OP)
#undef HADAMARD_WITH_OP
  }
  __builtin_unreachable();
}

inline constexpr Op kAllOps[] = {
#define HADAMARD_OP_VALUE(id, Name, arity) Op::id,
    HADAMARD_OPERATORS(HADAMARD_OP_VALUE)
#undef HADAMARD_OP_VALUE
};
// The operator whose struct this is.
template <class Operator>
inline constexpr Op op_of = Op{};
#define HADAMARD_OP_OF(id, Name, arity) \
  template <>                           \
  inline constexpr Op op_of<Name> = Op::id;
HADAMARD_OPERATORS(HADAMARD_OP_OF)
#undef HADAMARD_OP_OF
inline constexpr int kOpCount = static_cast<int>(std::size(kAllOps));

inline constexpr TypeRule kTypeRules[] = {
#define HADAMARD_TYPE_RULE(id, Name, arity) type_rule_of<Name>(),
    HADAMARD_OPERATORS(HADAMARD_TYPE_RULE)
#undef HADAMARD_TYPE_RULE
};
constexpr TypeRule type_rule(Op op) noexcept { return kTypeRules[static_cast<std::size_t>(op)]; }

inline constexpr int kArities[] = {
#define HADAMARD_ARITY_OF(id, Name, arity) arity,
    HADAMARD_OPERATORS(HADAMARD_ARITY_OF)
#undef HADAMARD_ARITY_OF
};
constexpr int arity(Op op) noexcept { return kArities[static_cast<std::size_t>(op)]; }

// Those of one or two operands, whose result has their type.
constexpr bool is_plain(Op op) { return arity(op) <= 2 && type_rule(op) == TypeRule::same; }
namespace detail {
inline constexpr std::size_t kPlainCount = [] {
  std::size_t count = 0;
  for (const Op op : kAllOps) count += is_plain(op) ? 1 : 0;
  return count;
}();
}  // namespace detail
inline constexpr std::array<Op, detail::kPlainCount> kPlainOps = [] {
  std::array<Op, detail::kPlainCount> ops{};
  std::size_t i = 0;
  for (const Op op : kAllOps) {
    if (is_plain(op)) ops[i++] = op;
  }
  return ops;
}();

// Whether programs compute it of complex operands by its parts (`of_complex`).
template <class Operator>
inline constexpr bool goes_by_parts = requires {
  Operator::of_complex(ExprWorld{}, Arg<0>{});
}
|| requires { Operator::of_complex(ExprWorld{}, Arg<0>{}, Arg<1>{}); };
inline constexpr bool kGoesByParts[] = {
#define HADAMARD_GOES_BY_PARTS(id, Name, arity) goes_by_parts<Name>,
    HADAMARD_OPERATORS(HADAMARD_GOES_BY_PARTS)
#undef HADAMARD_GOES_BY_PARTS
};
// Whether the operands of this type are computed by a plan of the operator alone.
constexpr bool is_plain_for(Op op, DType type) noexcept {
  const bool is_complex = type == DType::complex64 || type == DType::complex128;
  return is_plain(op) && !(is_complex && kGoesByParts[static_cast<std::size_t>(op)]);
}

#define HADAMARD_CHECK_ARITY(id, Name, arity) \
  static_assert(arity_of<Name> == arity, "the arity in the list is not that of " #Name "::apply");
HADAMARD_OPERATORS(HADAMARD_CHECK_ARITY)
#undef HADAMARD_CHECK_ARITY

inline const OpNames& names(Op op) {
  return with_op(op, [](auto o) -> const OpNames& { return decltype(o)::type::names; });
}
inline std::string_view doc(Op op) {
  return with_op(op, [](auto o) { return decltype(o)::type::doc; });
}
inline std::span<const AttributeInfo> attributes(Op op) {
  return with_op(op, [](auto o) { return attributes_of<typename decltype(o)::type>(); });
}
// Whether the operator is defined for a type.
inline bool is_defined(Op op, DType type) {
  return with_op(op, [&](auto o) {
    using Operator = typename decltype(o)::type;
    return contains(kinds_for<Operator>(), kind(type)) && bits(type) >= least_bits_of<Operator>();
  });
}
inline const MatlabRules& matlab_rules(Op op) {
  static constexpr MatlabRules kRules[] = {
#define HADAMARD_MATLAB_RULES(id, Name, arity) matlab_rules_of<Name>(),
      HADAMARD_OPERATORS(HADAMARD_MATLAB_RULES)
#undef HADAMARD_MATLAB_RULES
  };
  return kRules[static_cast<std::size_t>(op)];
}
// Whether ONNX has the operator for a type (its 4-bit integers count as the others).
bool onnx_takes(Op op, DType type);
inline OnnxOperands onnx_operands(Op op) {
  return with_op(op, [](auto o) { return onnx_operands_of<typename decltype(o)::type>(); });
}
inline SonnxDocument sonnx_document(Op op) {
  return with_op(op, [](auto o) { return sonnx_document_of<typename decltype(o)::type>(); });
}
// "A ./ B", "max(A, B)", "neg(A)", "fma(A, B, C)"
std::string notation(Op op);
// The operator of so many operands whose symbol this is; nothing for an empty one.
std::optional<Op> op_from_symbol(std::string_view symbol, int operands);
// Whether the policy of integer division matters to it.
inline bool rounds_quotients(Op op) {
  return with_op(op, [](auto o) { return has_quotient<typename decltype(o)::type>; });
}
inline Divisor divisor(Op op) {
  return with_op(op, [](auto o) { return divisor_of<typename decltype(o)::type>; });
}

}  // namespace hadamard::op
