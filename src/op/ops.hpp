// The one list of operators, as types. A new operator: its header, its include here, and its row in
// HADAMARD_OPERATORS (hadamard/lists.h).
#pragma once

#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "hadamard/types.hpp"
#include "op/abs.hpp"
#include "op/add.hpp"
#include "op/atan2.hpp"
#include "op/brelu.hpp"
#include "op/ceil.hpp"
#include "op/cos.hpp"
#include "op/div.hpp"
#include "op/elu.hpp"
#include "op/exp.hpp"
#include "op/exp2.hpp"
#include "op/expm1.hpp"
#include "op/expr.hpp"
#include "op/floor.hpp"
#include "op/hard_shrink.hpp"
#include "op/hard_sigmoid.hpp"
#include "op/hypot.hpp"
#include "op/identity.hpp"
#include "op/leaky_relu.hpp"
#include "op/log.hpp"
#include "op/log10.hpp"
#include "op/log1p.hpp"
#include "op/log2.hpp"
#include "op/logsigmoid.hpp"
#include "op/max.hpp"
#include "op/min.hpp"
#include "op/mod.hpp"
#include "op/mul.hpp"
#include "op/neg.hpp"
#include "op/pow.hpp"
#include "op/reciprocal.hpp"
#include "op/relu.hpp"
#include "op/relu6.hpp"
#include "op/rem.hpp"
#include "op/round.hpp"
#include "op/sigmoid.hpp"
#include "op/sign.hpp"
#include "op/sin.hpp"
#include "op/soft_relu.hpp"
#include "op/softplus.hpp"
#include "op/softshrink.hpp"
#include "op/softsign.hpp"
#include "op/sqrt.hpp"
#include "op/stanh.hpp"
#include "op/sub.hpp"
#include "op/swish.hpp"
#include "op/tanh.hpp"
#include "op/tanh_shrink.hpp"
#include "op/thresholded_relu.hpp"
#include "op/trunc.hpp"

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
