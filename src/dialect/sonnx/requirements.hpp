// The requirements of SONNX and of ONNX that are checked or shown: one list, for the words of
// errors, the tests and the table in docs/semantics/sonnx.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hadamard::dialect {

struct Requirement {
  std::string_view id;  // "SONNX-DIV-INT-C3"
  std::string_view
      statement;              // what the specification says, corrected where docs/semantics says so
  std::string_view enforced;  // by what part of Hadamard
  // Why no .case can show it: it is of graphs and files, and the tests of models show it. Empty: a
  // .case must.
  std::string_view no_case = {};
};

std::span<const Requirement> requirements();

// "SONNX-DIV-INT-C3" of "SONNX", "Div" and "INT-C3".
std::string requirement_id(std::string_view specification, std::string_view op,
                           std::string_view clause);

// The statement of a requirement; empty for an id that is none. Ids of the form SONNX-<OP>-TYPES
// and SONNX-<OP>-INT-OVERFLOW exist for every operator.
std::string_view statement(std::string_view id);

}  // namespace hadamard::dialect
