// A dialect: whose rules hold. A set of policies and of words; never arithmetic.
#pragma once

#include <string>

#include "exec/provider.hpp"
#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "plan/plan.hpp"

namespace hadamard::dialect {

// What a request can violate.
enum class Violation { shape, type, unsupported_type, zero_divisor };

struct Rules {
  Dialect id;
  Broadcast broadcast;
  IntDivision int_division;
  bool (*has_type)(DType type) noexcept;
  std::string_view types;  // those types, for a message
  // The id of the violated requirement in the dialect's specification, or empty.
  std::string (*requirement)(Violation violation, Op op, DType type);
};

const Rules& sonnx();
const Rules& onnx();
const Rules& native();
const Rules& rules(Dialect dialect);

// Checks the operands' types against the dialect and settles every policy. Throws unsupported_type,
// type_mismatch.
plan::Request settle(Op op, const Layout& a, const Layout& b, const Options& options);

// plan::result_shape and plan::make_plan, with the violated requirement in their errors.
Dims result_shape(const plan::Request& request, const Layout& a, const Layout& b,
                  const Options& options);
plan::Plan make_plan(const plan::Request& request, const Layout& a, const Layout& b,
                     const Layout& y, const Options& options);

// Throws zero_divisor for the first zero of B.
[[noreturn]] void fail_zero_divisor(Dialect dialect, const plan::Plan& plan, const exec::Place& b);

}  // namespace hadamard::dialect
