#include "program/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "num/text.hpp"
#include "op/ops.hpp"
#include "program/hash.hpp"
#include "tensor/element.hpp"

namespace hadamard::program {
namespace {

// FNV-1a over 64-bit words, with a last mixing of the high bits.
class Hash {
 public:
  Hash& add(std::uint64_t word) noexcept {
    state_ = (state_ ^ word) * 0x100000001B3;
    state_ ^= state_ >> 29;
    return *this;
  }
  Hash& add_bytes(const void* data, std::size_t n) noexcept {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < n; ++i) add(bytes[i]);
    return *this;
  }
  std::uint64_t value() const noexcept { return state_; }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325;
};

std::string constant_text(const Tensor& constant) {
  return with_type(constant.dtype(), [&](auto t) {
    using T = typename decltype(t)::type;
    return text::format(load_element<T>(constant.data(), 0));
  });
}

std::string call_of(const Program& program, const Node& node) {
  std::string text = fmt::format("{}(", name(node.op));
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", value_name(program, node.operands[i]));
  }
  if (node.attributes.values) text += op::to_text(node.op, *node.attributes.values);
  const bool converts = op::type_rule(node.op) == op::TypeRule::convert;
  return text + (converts ? fmt::format(", '{}')", name(node.type)) : ")");
}

// Beside the type: how integers divide.
std::string remark_of(const Program& program, const Node& node) {
  const bool divides =
      op::rounds_quotients(node.op) && kind(program.node(node.operands[0]).type) == Kind::integer;
  return divides ? fmt::format("  {}", name(node.attributes.int_division)) : std::string();
}

}  // namespace

std::uint64_t hash_of(const Node& node) noexcept {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(node.kind))
      .add(static_cast<std::uint64_t>(node.op))
      .add(static_cast<std::uint64_t>(node.type))
      .add(static_cast<std::uint64_t>(node.attributes.int_division));
  if (node.attributes.values) hash.add(node.attributes.values->hash());
  for (const ValueId id : node.operands) hash.add(id);
  return hash.value();
}

std::uint64_t hash_of(const Tensor& constant) {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(constant.dtype()));
  if (constant.dtype() == DType::real) {
    const std::string text = constant.at<Real>({}).to_string();
    return hash.add_bytes(text.data(), text.size()).value();
  }
  return hash.add_bytes(constant.data(), constant.size_bytes()).value();
}

std::size_t Program::operation_count() const noexcept {
  return static_cast<std::size_t>(std::count_if(
      nodes_.begin(), nodes_.end(), [](const Node& n) { return n.kind == Node::Kind::operation; }));
}

std::uint64_t Program::hash() const noexcept {
  Hash hash;
  for (const Node& node : nodes_) {
    hash.add(node.kind == Node::Kind::constant ? hash_of(constants_[node.index]) : hash_of(node));
    if (node.kind == Node::Kind::input) hash.add(node.index);
  }
  for (const Output& output : outputs_) hash.add(output.value);
  return hash.value();
}

std::string value_name(const Program& program, ValueId id) {
  const Node& node = program.node(id);
  if (node.kind == Node::Kind::input) return program.inputs()[node.index].name;
  if (node.kind == Node::Kind::constant) return constant_text(program.constant(node));
  return fmt::format("%{}", id);
}

std::string to_text(const Program& program) {
  std::string text;
  const auto line = [&](std::string_view what, std::string_view is, std::string_view of) {
    text += fmt::format("{:<6} {:<24} {}\n", what, is, of);
  };
  for (const Input& input : program.inputs()) {
    line(input.name, "input", name(program.node(input.value).type));
  }
  for (ValueId id = 0; id < program.nodes().size(); ++id) {
    const Node& node = program.node(id);
    if (node.kind != Node::Kind::operation) continue;
    line(value_name(program, id), call_of(program, node),
         fmt::format("{}{}", name(node.type), remark_of(program, node)));
  }
  for (const Output& output : program.outputs()) {
    line(output.name, fmt::format("output {}", value_name(program, output.value)),
         name(program.node(output.value).type));
  }
  return text;
}

}  // namespace hadamard::program
