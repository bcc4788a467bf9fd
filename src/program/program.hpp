// What is to be computed: a typed graph of element-wise nodes.
//
// A program has no shapes: those come with the operands (plan). A node's operands have smaller
// numbers than the node itself, so there are no cycles. `Builder` (program/builder.hpp) makes
// programs; nothing changes one afterwards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hadamard/tensor.hpp"
#include "hadamard/types.hpp"
#include "op/attribute_values.hpp"

namespace hadamard::program {

// The number of a value: of an input, a constant, or what an operator gives.
using ValueId = std::uint32_t;

inline constexpr std::size_t kMostOperands = 3;
// More nodes than a person or a model has; what is larger is an error, not a crash.
inline constexpr std::size_t kMostNodes = std::size_t{1} << 16;

// Bytes [begin, end) of the text that a node was written in; both 0 where there is none.
struct SourceRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

class Operands {
 public:
  Operands() = default;
  Operands(std::initializer_list<ValueId> ids)  // NOLINT: a list of operands
      : Operands(std::span(ids.begin(), ids.size())) {}
  explicit Operands(std::span<const ValueId> ids) : count_(static_cast<std::uint8_t>(ids.size())) {
    for (std::size_t i = 0; i < ids.size(); ++i) ids_.at(i) = ids[i];
  }
  std::size_t size() const noexcept { return count_; }
  ValueId operator[](std::size_t i) const noexcept { return ids_[i]; }
  const ValueId* begin() const noexcept { return ids_.data(); }
  const ValueId* end() const noexcept { return ids_.data() + count_; }
  friend bool operator==(const Operands&, const Operands&) = default;

 private:
  std::array<ValueId, kMostOperands> ids_{};
  std::uint8_t count_ = 0;
};

// What a node says beside its operands. (Of a cast, the type is that of the node.)
struct Attributes {
  IntDivision int_division = IntDivision::trunc;  // of operators that divide integers
  op::AttributesPtr values{};                     // null: the defaults
  friend bool operator==(const Attributes& a, const Attributes& b) {
    if (a.int_division != b.int_division || (a.values == nullptr) != (b.values == nullptr)) {
      return false;
    }
    return a.values == b.values || *a.values == *b.values;
  }
};

struct Node {
  enum class Kind : std::uint8_t { input, constant, operation };
  Kind kind = Kind::operation;
  Op op{};            // of an operation
  DType type{};       // of the value
  Operands operands;  // of an operation
  Attributes attributes;
  std::uint32_t index = 0;  // which input or constant
  SourceRange source;
};

struct Input {
  std::string name;
  ValueId value;
};
struct Output {
  std::string name;
  ValueId value;
};

class Program {
 public:
  std::span<const Node> nodes() const noexcept { return nodes_; }
  const Node& node(ValueId id) const noexcept { return nodes_[id]; }
  std::span<const Input> inputs() const noexcept { return inputs_; }
  std::span<const Output> outputs() const noexcept { return outputs_; }
  // Of rank 0.
  const Tensor& constant(const Node& node) const noexcept { return constants_[node.index]; }
  std::size_t operation_count() const noexcept;

  // The same for programs that compute the same in the same way, whatever their inputs' names.
  std::uint64_t hash() const noexcept;

 private:
  friend class Builder;
  std::vector<Node> nodes_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Tensor> constants_;
};

// "A", "0.5" or "%3": how a value is called in a listing.
std::string value_name(const Program& program, ValueId id);

// One line per input, node and output, for a person:
//   A    input        fp32
//   %2   sub(A, B)    fp32
//   Y    %2
std::string to_text(const Program& program);

}  // namespace hadamard::program
