#include "program/builder.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "op/ops.hpp"
#include "op/oracle_numbers.hpp"
#include "op/signature.hpp"
#include "program/evaluate.hpp"
#include "program/hash.hpp"
#include "program/node_arithmetic.hpp"

namespace hadamard::program {
namespace {

// Bit by bit: 0 and -0 are two constants, and every NaN of ours is the same one.
bool same_constant(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype()) return false;
  if (a.dtype() == DType::real) return a.at<Real>({}) == b.at<Real>({});
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// Whether types that do not fit differ, rather than being ones that the operator does not have.
bool is_mismatch(Op op, std::span<const DType> types) {
  if (op::type_rule(op) == op::TypeRule::select && types[0] != DType::bool_) return true;
  for (const DType type : types) {
    if (type != types.back()) return true;
  }
  return false;
}

struct Nodes {
  Builder& builder;
  const Attributes& attributes;
  SourceRange source;
  ValueId apply(Op op, const Operands& operands) const {
    return builder.apply(op, operands, attributes, source);
  }
  ValueId number(int value, ValueId like) const {
    return with_type(builder.type(like), [&](auto t) {
      return builder.constant(Tensor::scalar(op::oracle::number<typename decltype(t)::type>(value)),
                              source);
    });
  }
};

// The value of a composed operator; nothing for one that is a node itself.
std::optional<ValueId> composed(Op op, const Nodes& nodes, const Operands& operands) {
  const NodeArithmetic<Nodes> w{nodes};
  const bool is_complex = kind(nodes.builder.type(operands[0])) == Kind::complex;
  return op::with_op(op, [&](auto o) -> std::optional<ValueId> {
    using Operator = typename decltype(o)::type;
    return [&]<std::size_t... index>(std::index_sequence<index...>)->std::optional<ValueId> {
      if constexpr (op::is_composed<Operator>) {
        return Operator::apply(w, operands[index]...);
      } else if constexpr (op::goes_by_parts<Operator>) {
        if (is_complex) return Operator::of_complex(w, operands[index]...);
      }
      return std::nullopt;
    }
    (std::make_index_sequence<op::arity_of<Operator>>());
  });
}

}  // namespace

ValueId Builder::add(Node node) {
  if (program_.nodes_.size() >= kMostNodes) {
    fail(ErrorCode::too_large, "a program has at most {} nodes; split it", kMostNodes);
  }
  program_.nodes_.push_back(std::move(node));
  return static_cast<ValueId>(program_.nodes_.size() - 1);
}

ValueId Builder::input(std::string name, DType type) {
  Node node;
  node.kind = Node::Kind::input;
  node.type = type;
  node.index = static_cast<std::uint32_t>(program_.inputs_.size());
  const ValueId id = add(node);
  program_.inputs_.push_back({std::move(name), id});
  return id;
}

ValueId Builder::constant(Tensor value, SourceRange source) {
  Node node;
  node.kind = Node::Kind::constant;
  node.type = value.dtype();
  node.source = source;
  const std::uint64_t key = hash_of(value);
  const auto [begin, end] = known_.equal_range(key);
  for (auto it = begin; it != end; ++it) {
    const Node& known = program_.nodes_[it->second];
    if (known.kind == Node::Kind::constant && same_constant(program_.constant(known), value)) {
      return it->second;
    }
  }
  node.index = static_cast<std::uint32_t>(program_.constants_.size());
  const ValueId id = add(node);
  program_.constants_.push_back(std::move(value));
  known_.emplace(key, id);
  return id;
}

// Operands that are all constants. Not exact numbers, which may grow without a limit.
bool Builder::folds(const Node& node) const {
  if (node.type == DType::real) return false;
  for (const ValueId id : node.operands) {
    const Node& operand = program_.nodes_[id];
    if (operand.kind != Node::Kind::constant || operand.type == DType::real) return false;
  }
  return true;
}

ValueId Builder::shared(Node node) {
  const std::uint64_t key = hash_of(node);
  const auto [begin, end] = known_.equal_range(key);
  for (auto it = begin; it != end; ++it) {
    const Node& known = program_.nodes_[it->second];
    if (known.kind == Node::Kind::operation && known.op == node.op && known.type == node.type &&
        known.operands == node.operands && known.attributes == node.attributes) {
      return it->second;
    }
  }
  const ValueId id = add(std::move(node));
  known_.emplace(key, id);
  return id;
}

ValueId Builder::apply(Op op, const Operands& operands, const Attributes& attributes,
                       SourceRange source, DType to) {
  DType types[kMostOperands];
  for (std::size_t i = 0; i < operands.size(); ++i) types[i] = type(operands[i]);
  const std::span<const DType> given(types, operands.size());
  op::Signature signature = op::signature(op, given, to);
  if (!signature.problem.empty()) {
    const bool is_count = static_cast<int>(given.size()) != op::arity(op);
    throw Error(is_count                 ? ErrorCode::bad_argument
                : is_mismatch(op, given) ? ErrorCode::type_mismatch
                                         : ErrorCode::unsupported_type,
                std::move(signature.problem));
  }
  if (const auto value = composed(op, {*this, attributes, source}, operands)) return *value;
  Node node;
  node.op = op;
  node.type = signature.result;
  node.operands = operands;
  node.attributes = attributes;
  node.source = source;
  if (folds(node)) {
    const ScopedFloatEnv env;
    ElementLine lines[kMostOperands];
    for (std::size_t i = 0; i < operands.size(); ++i) {
      lines[i] = {constant_of(operands[i]).data(), 0, 0};
    }
    Tensor value(node.type, Dims{});
    const ElementLine result{value.data(), 0, 0};
    const Evaluated done = evaluate(node, given, {lines, operands.size()}, result, 1);
    // What has no result is a node, which fails where it is computed.
    if (done.failure == Failure::none) return constant(std::move(value), source);
  }
  return shared(std::move(node));
}

// Every output is an operation of its own: an input, a constant or another output is copied.
void Builder::output(std::string name, ValueId value) {
  const auto is_it = [&](const Output& output) { return output.value == value; };
  const bool is_output = std::any_of(program_.outputs_.begin(), program_.outputs_.end(), is_it);
  if (program_.nodes_[value].kind != Node::Kind::operation || is_output) {
    Node node;
    node.op = Op::identity;
    node.type = type(value);
    node.operands = {value};
    value = add(std::move(node));
  }
  program_.outputs_.push_back({std::move(name), value});
}

Program Builder::finish() {
  std::vector<bool> live(program_.nodes_.size(), false);
  for (const Output& output : program_.outputs_) live[output.value] = true;
  for (std::size_t i = program_.nodes_.size(); i-- > 0;) {
    const Node& node = program_.nodes_[i];
    if (node.kind == Node::Kind::input) live[i] = true;
    if (!live[i]) continue;
    for (const ValueId id : node.operands) live[id] = true;
  }
  Program kept;
  std::vector<ValueId> moved(program_.nodes_.size());
  for (std::size_t i = 0; i < program_.nodes_.size(); ++i) {
    if (!live[i]) continue;
    Node node = program_.nodes_[i];
    ValueId ids[kMostOperands];
    for (std::size_t k = 0; k < node.operands.size(); ++k) ids[k] = moved[node.operands[k]];
    node.operands = Operands(std::span<const ValueId>(ids, node.operands.size()));
    if (node.kind == Node::Kind::constant) {
      kept.constants_.push_back(std::move(program_.constants_[node.index]));
      node.index = static_cast<std::uint32_t>(kept.constants_.size() - 1);
    }
    moved[i] = static_cast<ValueId>(kept.nodes_.size());
    kept.nodes_.push_back(node);
  }
  for (Input& input : program_.inputs_) {
    kept.inputs_.push_back({std::move(input.name), moved[input.value]});
  }
  for (Output& output : program_.outputs_) {
    kept.outputs_.push_back({std::move(output.name), moved[output.value]});
  }
  program_ = {};
  known_.clear();
  return kept;
}

}  // namespace hadamard::program
