// A model as a graph of values: names resolved, nodes in an order in which they can be computed,
// types and shapes inferred.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "io/onnx.hpp"
#include "model/node_kind.hpp"
#include "model/problem.hpp"

namespace hadamard::model {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A tensor of the graph.
struct Value {
  std::string_view name;                   // the model's own
  const io::OnnxType* declared = nullptr;  // by an input, an output or value_info
  std::shared_ptr<const Tensor> constant;  // an initializer or a Constant
  bool is_input = false;
  bool is_output = false;
  bool is_defined = false;  // has a producer, is an input or a constant
};

// What is known of a value. Nothing where it cannot be told; what follows from it is then not told
// either.
struct Fact {
  std::optional<DType> dtype;
  std::optional<Dims> shape;
};
using Facts = std::vector<Fact>;  // by value

struct Node {
  const io::OnnxNode* source = nullptr;
  const NodeKind* kind = nullptr;   // null: not one of ours
  std::vector<std::size_t> inputs;  // values; kNone where one is left out
  std::size_t output = kNone;
  std::string label;  // "node 3 'd' (Div)"
  bool sound = true;  // nothing is wrong with it: it can be computed
};

class Graph {
 public:
  // Finds every structural problem: unknown operators, names that nothing defines, names defined
  // twice, cycles, wrong numbers of inputs, attributes, sparse tensors. `model` must outlive the
  // graph. Profiles are the dialects sonnx and onnx.
  Graph(const io::OnnxModel& model, Dialect profile, Problems& problems);

  const io::OnnxModel& model() const noexcept { return model_; }
  Dialect profile() const noexcept { return profile_; }
  const std::vector<Value>& values() const noexcept { return values_; }
  const std::vector<Node>& nodes() const noexcept { return nodes_; }  // as they are computed
  const std::vector<std::size_t>& inputs() const noexcept { return inputs_; }
  const std::vector<std::size_t>& outputs() const noexcept { return outputs_; }
  std::size_t find(std::string_view name) const noexcept;  // kNone where there is none

  void set_constant(std::size_t value, std::shared_ptr<const Tensor> constant) {
    values_[value].constant = std::move(constant);
  }

  // What is declared of inputs and known of constants, as the start of infer().
  Facts first_facts() const;
  // Infers type and shape of every value from those of inputs and constants, and checks them
  // against the nodes, the profile and what is declared.
  void infer(Facts& facts, Problems& problems) const;

 private:
  std::size_t value(std::string_view name);
  void add_declarations(Problems& problems);
  void declare(std::size_t at, const io::OnnxType& type, Problems& problems);
  void add_nodes(Problems& problems);
  void add_node(const io::OnnxNode& source, std::size_t number, Problems& problems);
  void sort(Problems& problems);

  const io::OnnxModel& model_;
  Dialect profile_;
  std::vector<Value> values_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> inputs_, outputs_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

// What a declaration says, where it is a tensor: its type, and its shape where all extents are
// numbers.
Fact declared_fact(const io::OnnxType& type);
std::string to_text(const std::vector<io::OnnxDim>& dims);  // "(2,N,?)"

// The value of a Constant node; null where it is none that we have (a sparse one, text).
std::shared_ptr<const Tensor> constant_value(const io::OnnxNode& node);

}  // namespace hadamard::model
