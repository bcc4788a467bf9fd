// Which element types an operator takes, and which it gives.
#pragma once

#include <span>
#include <string>

#include "hadamard/types.hpp"

namespace hadamard::op {

// The type of the result, or what is wrong with the operands' types. `to` is what the node of a
// conversion names; other operators do not look at it.
struct Signature {
  DType result{};
  std::string problem;  // empty where they fit
};
Signature signature(Op op, std::span<const DType> operands, DType to = {});

// The kinds of element that the operator is defined for, as a list of types: "fp16, bf16, fp32".
std::string defined_types(Op op);

}  // namespace hadamard::op
