// Running a model: a graph of element-wise nodes on tensors of the caller's.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "io/onnx.hpp"
#include "model/graph.hpp"

namespace hadamard::model {

// What a run gives and takes. The tensor may lie in somebody else's memory, which `keep` keeps.
struct Named {
  std::string name;
  ConstView view;
  std::shared_ptr<const void> keep;
};

class Session {
 public:
  // Throws for the first structural problem of the model (graph.hpp), with the requirement that it
  // violates. `options` may say provider and CPU target; its dialect, sonnx or onnx, is the
  // profile.
  Session(io::OnnxModel model, const Options& options);
  ~Session();
  Session(Session&&) noexcept;

  // An input that the caller has to give, or may (it has an initializer).
  struct Input {
    std::string name;
    std::optional<DType> dtype;  // as declared
    bool required;
  };
  std::vector<Input> inputs() const;

  // All outputs, in the order of the model. An output that is an input or a constant is that tensor
  // itself. Throws for inputs that are missing, unknown or not as declared, for types and shapes
  // that the nodes do not take, and zero_divisor; the message names node and tensor.
  std::vector<Named> run(const std::vector<Named>& inputs) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The result of a node all of whose inputs are constants, by the rules of the graph's profile.
// Throws as a run would.
std::shared_ptr<const Tensor> compute_constant(const Graph& graph, const Node& node);

}  // namespace hadamard::model
