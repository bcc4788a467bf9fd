// The one list of operators, as types. A new operator: its header, its include here, and its row in
// HADAMARD_OPERATORS (hadamard/lists.h).
#pragma once

#include <iterator>
#include <type_traits>
#include <utility>

#include "hadamard/types.hpp"
#include "op/add.hpp"
#include "op/div.hpp"
#include "op/expr.hpp"
#include "op/mul.hpp"
#include "op/sub.hpp"

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
inline constexpr int kOpCount = static_cast<int>(std::size(kAllOps));

inline const OpNames& names(Op op) {
  return with_op(op, [](auto o) -> const OpNames& { return decltype(o)::type::names; });
}
inline std::string_view doc(Op op) {
  return with_op(op, [](auto o) { return decltype(o)::type::doc; });
}
inline Divisor divisor(Op op) {
  return with_op(op, [](auto o) { return divisor_of<typename decltype(o)::type>; });
}

}  // namespace hadamard::op
