// The types of ONNX nodes that a graph may hold, derived from the list of operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hadamard/types.hpp"

namespace hadamard::model {

struct NodeKind {
  enum class Form : std::uint8_t {
    of_one,    // an operator of the list with one operand
    of_two,    // with two
    of_many,   // Max, Min: one or more, from left to right
    identity,  // the same tensor again
    cast,
    where,
    clip,
    constant
  };
  std::string_view onnx;  // "Div"
  Form form;
  Op op;                // of the first three forms
  std::size_t inputs;   // at least
  std::size_t at_most;  // at most
  // Names of the attributes that the node may have.
  std::vector<std::string_view> attributes;

  bool is_operator() const noexcept { return form <= Form::of_many; }
  // Whether ONNX has the node for elements of this type (INT4 and UINT4 count as the other
  // integers).
  bool allows(DType type) const noexcept;
  std::string allowed_types() const;  // "fp16, bf16, …"
};

// Null where there is none.
const NodeKind* find_node_kind(std::string_view onnx);
std::string all_node_kinds();  // "Abs, Add, …"

}  // namespace hadamard::model
