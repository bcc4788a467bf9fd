// The one list of operators, as types. A new operator: its header, its include here, and its row in
// HADAMARD_OPERATORS (hadamard/lists.h).
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "hadamard/types.hpp"
#include "op/abs.hpp"
#include "op/add.hpp"
#include "op/atan2.hpp"
#include "op/brelu.hpp"
#include "op/cast.hpp"
#include "op/ceil.hpp"
#include "op/clip.hpp"
#include "op/cos.hpp"
#include "op/div.hpp"
#include "op/elu.hpp"
#include "op/eq.hpp"
#include "op/exp.hpp"
#include "op/exp2.hpp"
#include "op/expm1.hpp"
#include "op/expr.hpp"
#include "op/floor.hpp"
#include "op/fma.hpp"
#include "op/ge.hpp"
#include "op/gt.hpp"
#include "op/hard_shrink.hpp"
#include "op/hard_sigmoid.hpp"
#include "op/hypot.hpp"
#include "op/identity.hpp"
#include "op/isfinite.hpp"
#include "op/isinf.hpp"
#include "op/isnan.hpp"
#include "op/le.hpp"
#include "op/leaky_relu.hpp"
#include "op/log.hpp"
#include "op/log10.hpp"
#include "op/log1p.hpp"
#include "op/log2.hpp"
#include "op/logical_and.hpp"
#include "op/logical_not.hpp"
#include "op/logical_or.hpp"
#include "op/logical_xor.hpp"
#include "op/logsigmoid.hpp"
#include "op/lt.hpp"
#include "op/max.hpp"
#include "op/min.hpp"
#include "op/mod.hpp"
#include "op/mul.hpp"
#include "op/ne.hpp"
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
#include "op/where.hpp"

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
