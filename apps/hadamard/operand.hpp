// An operand of the command line: a .npy file, a literal or a number.
#pragma once

#include <optional>
#include <string>

#include "hadamard/tensor.hpp"
#include "io/npy.hpp"

namespace hadamard::app {

// `text` is a literal where it begins with '[' or is a number, else a file ("-" is standard input).
bool is_literal(const std::string& text);

struct Operands {
  io::LoadedTensor a;
  io::LoadedTensor b;
};

// Reads one. Literals are fp64 where `type` is not given. Errors say which operand (`role`).
io::LoadedTensor read_operand(const std::string& text, std::optional<DType> type,
                              const std::string& role);

// Reads both. Without `type`, a literal takes the type of the other operand's file.
Operands read_operands(const std::string& a, const std::string& b, std::optional<DType> type);
// Those of an operator: where it has one operand, `b` is not looked at and B is A.
Operands read_operands(Op op, const std::string& a, const std::string& b,
                       std::optional<DType> type);
// The same as MATLAB reads them: a literal is double whatever the other operand is, and '[1 2 3]'
// one row.
Operands read_matlab_operands(Op op, const std::string& a, const std::string& b,
                              std::optional<DType> type);

}  // namespace hadamard::app
