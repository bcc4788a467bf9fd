#include "model/node_kind.hpp"

#include <algorithm>
#include <limits>

#include "num/dtype.hpp"
#include "op/cast.hpp"
#include "op/clip.hpp"
#include "op/ops.hpp"
#include "op/where.hpp"

namespace hadamard::model {
namespace {

using Form = NodeKind::Form;
constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

NodeKind of_operator(Op op) {
  const std::string_view onnx = op::names(op).onnx;
  const bool is_identity =
      op::with_op(op, [](auto o) { return op::is_identity<typename decltype(o)::type>; });
  if (is_identity) return {onnx, Form::identity, op, 1, 1, {}};
  if (op::onnx_operands(op) == op::OnnxOperands::any_number) {
    return {onnx, Form::of_many, op, 1, kAny, {}};
  }
  if (op::arity(op) == 1) return {onnx, Form::of_one, op, 1, 1, {}};
  return {onnx, Form::of_two, op, 2, 2, {}};
}

std::vector<NodeKind> make_kinds() {
  std::vector<NodeKind> kinds;
  for (const Op op : op::kPlainOps) {
    if (!op::names(op).onnx.empty()) kinds.push_back(of_operator(op));
  }
  kinds.push_back({op::Cast::names.onnx, Form::cast, Op{}, 1, 1, {"to", "saturate"}});
  kinds.push_back({op::Where::names.onnx, Form::where, Op{}, 3, 3, {}});
  kinds.push_back({op::Clip::names.onnx, Form::clip, Op{}, 1, 3, {"min", "max"}});
  kinds.push_back({"Constant",
                   Form::constant,
                   Op{},
                   0,
                   0,
                   {"value", "sparse_value", "value_float", "value_floats", "value_int",
                    "value_ints", "value_string", "value_strings"}});
  std::sort(kinds.begin(), kinds.end(),
            [](const NodeKind& a, const NodeKind& b) { return a.onnx < b.onnx; });
  return kinds;
}

const std::vector<NodeKind>& kinds() {
  static const std::vector<NodeKind> all = make_kinds();
  return all;
}

}  // namespace

bool NodeKind::allows(DType type) const noexcept {
  const Kind k = kind(type);
  if (k == Kind::exact) return false;
  if (form == Form::identity || form == Form::where || form == Form::constant) return true;
  if (form == Form::cast) return k != Kind::complex;
  if (k != Kind::floating && k != Kind::integer) return false;
  if (form == Form::clip) return true;
  return op::onnx_takes(op, type);
}

std::string NodeKind::allowed_types() const {
  std::string names;
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    if (!allows(type)) continue;
    if (!names.empty()) names += ", ";
    names += name(type);
  }
  return names;
}

const NodeKind* find_node_kind(std::string_view onnx) {
  for (const NodeKind& kind : kinds()) {
    if (kind.onnx == onnx) return &kind;
  }
  return nullptr;
}

std::string all_node_kinds() {
  std::string names;
  for (const NodeKind& kind : kinds()) {
    if (!names.empty()) names += ", ";
    names += kind.onnx;
  }
  return names;
}

}  // namespace hadamard::model
