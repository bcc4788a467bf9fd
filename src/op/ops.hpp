// The one list of operators, as types. A new operator: its record <id>.hpp beside this file, and
// its row in HADAMARD_OPERATORS (hadamard/lists.h). The build makes op/records.hpp, which includes
// the records of all rows (cmake/OperatorIncludes.cmake).
#pragma once

#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "hadamard/types.hpp"
#include "op/expr.hpp"
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
inline int arity(Op op) {
  return with_op(op, [](auto o) { return arity_of<typename decltype(o)::type>; });
}
// Whether the operator is defined for a type.
inline bool is_defined(Op op, DType type) {
  return with_op(
      op, [&](auto o) { return contains(kinds_for<typename decltype(o)::type>(), kind(type)); });
}
// Whether ONNX has the operator for a type (its 4-bit integers count as the others).
bool onnx_takes(Op op, DType type);
// "A ./ B", "max(A, B)", "neg(A)"
std::string notation(Op op);
// Whether the policy of integer division matters to it.
inline bool rounds_quotients(Op op) {
  return with_op(op, [](auto o) { return has_quotient<typename decltype(o)::type>; });
}
inline Divisor divisor(Op op) {
  return with_op(op, [](auto o) { return divisor_of<typename decltype(o)::type>; });
}

}  // namespace hadamard::op
