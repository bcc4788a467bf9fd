#include "model/check.hpp"

#include <fmt/format.h>

#include "model/graph.hpp"
#include "model/session.hpp"

namespace hadamard::model {
namespace {

std::string_view role(const Value& v) {
  return v.is_input ? "the input" : v.is_output ? "the output" : "the tensor";
}

// [R1] and [R2]: what is not told by the model itself. ONNX demands types, not shapes.
void check_explicit(const Value& v, bool with_shape, Problems& problems) {
  using Form = io::OnnxType::Form;
  const auto add = [&](ErrorCode code, std::string requirement, std::string found,
                       std::string demanded) {
    problems.add({code, std::move(requirement), "", std::string(v.name), std::move(found),
                  std::move(demanded)});
  };
  const io::OnnxType* type = v.declared;
  if (type != nullptr && (type->form == Form::sparse_tensor || type->form == Form::other)) {
    if (!v.is_input) {  // of inputs the graph has said so
      add(ErrorCode::unsupported_type, type->form == Form::sparse_tensor ? "SONNX-GR1" : "SONNX-R2",
          fmt::format("{} is declared as no dense tensor", role(v)), "tensors are dense");
    }
    return;
  }
  if (type == nullptr || type->form == Form::missing || type->elem_type == 0) {
    add(ErrorCode::bad_file, "SONNX-R2", fmt::format("{} has no type", role(v)),
        "types must be explicit");
  } else if (!io::dtype_from_onnx(type->elem_type)) {
    add(ErrorCode::unsupported_type, "SONNX-R2",
        fmt::format("{} is {}", role(v), io::onnx_type_name(type->elem_type)),
        "the type must be one of the profile's");
  }
  if (!with_shape) return;
  if (type == nullptr || !type->has_shape) {
    add(ErrorCode::bad_file, "SONNX-R1", fmt::format("{} has no shape", role(v)),
        "shapes must be explicit");
    return;
  }
  for (const io::OnnxDim& dim : type->dims) {
    if (dim.extent && *dim.extent >= 0) continue;
    add(ErrorCode::bad_file, "SONNX-R1",
        fmt::format("{} has the shape {}", role(v), to_text(type->dims)),
        "shapes must be explicit: every extent a number that is not negative");
    return;
  }
  try {
    element_count(*declared_fact(*type).shape);
  } catch (const Error& error) {
    add(ErrorCode::too_large, "SONNX-R1", error.what(), "a tensor must fit into a memory");
  }
}

// Whether every input of a node is a constant that no caller can override.
bool has_constant_inputs(const Graph& graph, const Node& node) {
  for (const std::size_t at : node.inputs) {
    if (at == kNone) continue;
    const Value& v = graph.values()[at];
    if (!v.constant || v.is_input) return false;
  }
  return true;
}

// Constants that are computed take no more than this together: a small file can ask for any number
// of large ones. What is left out counts with its range.
constexpr std::int64_t kMostFoldedElements = std::int64_t{1} << 24;

// What follows from constants alone is computed, so that it is looked at as a constant.
void fold_constants(Graph& graph, const Facts& facts, Problems& problems) {
  std::int64_t left = kMostFoldedElements;
  for (const Node& node : graph.nodes()) {
    if (!node.sound || node.kind->form == NodeKind::Form::constant || node.output == kNone ||
        !has_constant_inputs(graph, node)) {
      continue;
    }
    const Fact& out = facts[node.output];
    if (!out.dtype || !out.shape) continue;  // something is wrong with it, and was told
    try {
      const std::int64_t count = element_count(*out.shape);
      if (count > left) continue;
      left -= count;
      graph.set_constant(node.output, compute_constant(graph, node));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::zero_divisor) continue;  // check_ranges tells
      problems.add({error.code(), error.requirement(), node.label,
                    std::string(graph.values()[node.output].name), error.what(),
                    "a node must have a result"});
    }
  }
}

}  // namespace

Problems check(const io::OnnxModel& model, const CheckOptions& options) {
  Problems problems(options.profile);
  Graph graph(model, options.profile, problems);
  const bool with_shape = options.profile == Dialect::sonnx || options.strict;
  for (const Value& v : graph.values()) {
    const bool between = !v.is_input && !v.is_output;
    if (between && (!options.strict || v.constant || !v.is_defined)) continue;
    if (!v.constant || v.is_input || v.is_output) check_explicit(v, with_shape, problems);
  }
  if (problems.violations() > Problems::kMostKept) return problems;
  Facts facts = graph.first_facts();
  graph.infer(facts, problems);
  fold_constants(graph, facts, problems);
  check_ranges(graph, facts, options.ranges, options.all_values, problems);
  return problems;
}

}  // namespace hadamard::model
