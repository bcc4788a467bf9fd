// Plans as text, for a person.
#include "base/fail.hpp"
#include "op/ops.hpp"
#include "plan/plan.hpp"

namespace hadamard::plan {

using program::Node;
using program::Program;
using program::ValueId;

std::string to_text(const Plan& plan) {
  const Program& program = plan.lowered.program;
  std::string text = program::to_text(program);
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const Group& group = plan.groups[g];
    std::string values;
    for (const Step& step : group.steps) {
      values += fmt::format("{}{}", values.empty() ? "" : " ", value_name(program, step.value));
    }
    text += fmt::format("group {}  {} node{}: {}\n", g + 1, group.steps.size(),
                        group.steps.size() == 1 ? "" : "s", values);
    text += fmt::format("  loop   {} {}, {} block{}\n", name(group.loops.kind),
                        to_string(group.loops.extents), group.blocks, group.blocks == 1 ? "" : "s");
    text += fmt::format("  bytes  read {}, written {}\n", bytes_read(group), bytes_written(group));
  }
  if (plan.workspace_bytes > 0) {
    text += fmt::format("workspace {} bytes\n", plan.workspace_bytes);
  }
  return text;
}

namespace {

// "leaky_relu(A, alpha=0.2)"
std::string notation_of(const Node& node) {
  const op::AttributesPtr& values = node.attributes.values;
  return values == nullptr ? op::notation(node.op)
                           : fmt::format("{}(A{})", name(node.op), op::to_text(node.op, *values));
}

}  // namespace

// The operation that the output is, and the one before it where it only follows.
std::string call_text(const Plan& plan) {
  const Program& program = plan.lowered.program;
  const Group& group = plan.groups.front();
  const Node& node = program.node(group.steps.front().value);
  const Node& last = program.node(program.outputs()[0].value);
  std::string text;
  const auto line = [&text](std::string_view key, std::string_view value) {
    text += fmt::format("{:<10}{}\n", key, value);
  };
  line("operator", fmt::format("{}  ({})", name(node.op), notation_of(node)));
  if (&last != &node) {
    const bool is_plain = last.attributes.values == nullptr;
    line("then", is_plain ? std::string(name(last.op)) : notation_of(last));
  }
  const DType type = program.node(node.operands[node.operands.size() - 1]).type;
  line("type", type == node.type ? std::string(name(type))
                                 : fmt::format("{} -> {}", name(type), name(node.type)));
  if (op::rounds_quotients(node.op) && kind(type) == Kind::integer) {
    line("rounding", name(node.attributes.int_division));
  }
  constexpr std::string_view kLetters[] = {"A", "B", "C"};
  const auto operands = [&](auto dims_of) {
    std::string all;
    for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
      all += fmt::format("{}{} {}", i == 0 ? "" : "  ", kLetters[i], to_string(dims_of(i)));
    }
    return all;
  };
  const auto shape_of = [&](std::size_t i) { return plan.inputs[i].shape; };
  const auto strides_of = [&](std::size_t i) { return group.loops.strides[i]; };
  line("shapes", fmt::format("{}  ->  Y {}", operands(shape_of), to_string(plan.outputs[0].shape)));
  if (plan.inputs.size() > 1) {
    line("broadcast", plan.lowered.rule == Broadcast::paddle
                          ? fmt::format("{}, axis {}", name(plan.lowered.rule), plan.lowered.axis)
                          : std::string(name(plan.lowered.rule)));
  }
  line("loop", fmt::format("{} {}", name(group.loops.kind), to_string(group.loops.extents)));
  line("strides",
       fmt::format("{}  Y {}", operands(strides_of), to_string(group.loops.strides.back())));
  return text;
}

}  // namespace hadamard::plan
