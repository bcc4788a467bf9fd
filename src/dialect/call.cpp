#include "dialect/call.hpp"

#include <string>
#include <vector>

#include "base/fail.hpp"
#include "dialect/dialect.hpp"
#include "dialect/lowering.hpp"
#include "op/ops.hpp"

namespace hadamard::dialect {

plan::Lowered lower_call(Op op, std::span<const Layout> operands, const Options& options,
                         DType to) {
  require_listed(op);
  require_listed(options);
  if (static_cast<int>(operands.size()) != op::arity(op)) {
    fail(ErrorCode::bad_argument, "{} expects {} operand{}, got {}", name(op), op::arity(op),
         op::arity(op) == 1 ? "" : "s", operands.size());
  }
  if (op::is_plain_for(op, operands.front().dtype)) {
    const Policy policy = settle(op, operands.front(), operands.back(), options);
    if (operands.size() == 2) require_broadcast(op, policy, operands[0], operands[1], options);
  } else if (options.then) {
    fail(ErrorCode::bad_argument, "nothing can be applied to each result of {}: use two calls",
         name(op));
  }
  if (!options.then && !options.then_attributes.empty()) {
    fail(ErrorCode::bad_argument, "then_attributes need an operator that follows: set `then`");
  }
  const Rules& r = rules(options.dialect);
  const std::string_view names[] = {r.a, r.b, "C"};
  Lowering lowering(options);
  std::vector<LoweredOperand> values;
  for (const Layout& operand : operands) {
    values.emplace_back(lowering.input(std::string(names[values.size()]), operand));
  }
  program::ValueId value = lowering.apply(op, values, {}, to, options.attributes);
  if (options.then) {
    const LoweredOperand result(value);
    value = lowering.apply(*options.then, {&result, 1}, {}, {}, options.then_attributes);
  }
  lowering.output("Y", value);
  plan::Lowered lowered = lowering.finish();
  lowered.is_call = true;
  return lowered;
}

}  // namespace hadamard::dialect
