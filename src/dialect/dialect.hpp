// A dialect: whose rules hold. A set of policies and of words; never arithmetic.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "exec/provider.hpp"
#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "plan/plan.hpp"

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

// Checks operator and types against the dialect and settles every policy. Throws bad_argument (an
// operator that the dialect has not), unsupported_type, type_mismatch; unavailable where dialect
// matlab needs more than one step.
plan::Request settle(Op op, const Layout& a, const Layout& b, const Options& options);

// plan::result_shape and plan::make_plan, with the violated requirement in their errors.
Dims result_shape(const plan::Request& request, const Layout& a, const Layout& b,
                  const Options& options);
plan::Plan make_plan(const plan::Request& request, const Layout& a, const Layout& b,
                     const Layout& y, const Options& options);

// Throws an error with the requirement of the dialect's specification that is violated, if any.
[[noreturn]] void fail_violation(Dialect dialect, Violation violation, Op op, DType type,
                                 ErrorCode code, std::string message);

// Throws zero_divisor for the first zero divisor.
[[noreturn]] void fail_zero_divisor(Dialect dialect, const plan::Plan& plan,
                                    const exec::Places& places);

}  // namespace hadamard::dialect
