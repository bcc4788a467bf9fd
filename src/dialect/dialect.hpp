// A dialect: whose rules hold. A set of policies and of words; never arithmetic.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"

namespace hadamard::dialect {

// What a request can violate.
enum class Violation { shape, type, unsupported_type, zero_divisor, unsupported_op };

// The operators that a dialect has: all, or those that have a name there.
enum class OpSet : std::uint8_t { all, onnx, matlab, paddle };

struct Rules {
  Dialect id;
  Broadcast broadcast;
  IntDivision int_division;
  OpSet ops;
  std::span<const DType> types;  // those that the dialect's specification has; empty: all
  bool has_op(Op op) const noexcept;
  bool has_type(DType type) const noexcept;
  std::string_view a = "A", b = "B";  // what its users call the operands
  // The id of the violated requirement in the dialect's specification, or empty.
  std::string (*requirement)(Violation violation, Op op, DType type);
};

const Rules& sonnx();
const Rules& onnx();
const Rules& native();
const Rules& matlab_rules();
const Rules& paddle_rules();
const Rules& rules(Dialect dialect);

// What a call leaves to its dialect.
struct Policy {
  IntDivision int_division;
  Broadcast rule;
  int axis;  // of Broadcast::paddle
};
// Checks an operator of one type and its operands' types against the dialect, and settles every
// policy; of one operand `b` is `a`. Throws bad_argument (an operator that the dialect has not),
// unsupported_type, type_mismatch; unavailable where dialect matlab needs more than one step.
Policy settle(Op op, const Layout& a, const Layout& b, const Options& options);
// Throws shape_mismatch, or bad_argument for an axis, in the dialect's words and with the violated
// requirement.
void require_broadcast(Op op, const Policy& policy, const Layout& a, const Layout& b,
                       const Options& options);
// Throw bad_argument where the operator or an option is outside its enumeration.
void require_listed(Op op);
void require_listed(const Options& options);

// Throws an error with the requirement of the dialect's specification that is violated, if any.
[[noreturn]] void fail_violation(Dialect dialect, Violation violation, Op op, DType type,
                                 ErrorCode code, std::string message);

}  // namespace hadamard::dialect
