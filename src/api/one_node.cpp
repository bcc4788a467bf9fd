// Operators of any number of operands and any types: programs of one node.
#include "api/program.hpp"
#include "base/fail.hpp"
#include "dialect/lowering.hpp"
#include "op/ops.hpp"

namespace hadamard {
namespace {

struct OneNode {
  std::shared_ptr<const PreparedProgram::Impl> impl;
  std::vector<exec::Place> inputs;
};

// `y` is null for a result that is still to be allocated.
OneNode one_node(Op op, const Layout* y, std::span<const ConstView> operands,
                 const Options& options) {
  if (static_cast<int>(op) >= op::kOpCount) {
    fail(ErrorCode::bad_argument, "no operator has the number {}", static_cast<int>(op));
  }
  const bool converts = op::type_rule(op) == op::TypeRule::convert;
  if (converts && y == nullptr) {
    fail(ErrorCode::bad_argument, "{} needs the type of its result: use cast(a, type)", name(op));
  }
  dialect::Lowering lowering(options);
  std::vector<dialect::LoweredOperand> values;
  std::vector<Layout> layouts;
  OneNode one;
  for (const ConstView& operand : operands) {
    values.emplace_back(
        lowering.input(std::string(1, static_cast<char>('A' + values.size())), operand.layout()));
    layouts.push_back(operand.layout());
    one.inputs.push_back({operand.data(), operand.offset()});
  }
  lowering.output("Y", lowering.apply(op, values, {}, converts ? y->dtype : DType{}));
  plan::Lowered lowered = lowering.finish();
  std::vector<Layout> outputs =
      y != nullptr ? std::vector<Layout>{*y} : result_layouts(lowered, options.order);
  one.impl = make_program_impl(std::move(lowered), std::move(layouts), std::move(outputs), options);
  return one;
}

}  // namespace

Tensor apply(Op op, std::span<const ConstView> operands, const Options& options) {
  const OneNode one = one_node(op, nullptr, operands, options);
  return std::move(run_fresh(*one.impl, one.inputs)[0]);
}

void apply_into(Op op, const View& y, std::span<const ConstView> operands, const Options& options) {
  const OneNode one = one_node(op, &y.layout(), operands, options);
  run_into_views(*one.impl, one.inputs, {&y, 1});
}

}  // namespace hadamard
