// What is to be computed, as a value: shapes made one, dimensions collapsed, the kind of loop
// chosen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "plan/loops.hpp"

namespace hadamard::plan {

// Indices into the arrays below.
enum Operand : std::size_t { kA = 0, kB = 1, kY = 2 };

struct Plan {
  Op op{};
  DType dtype{};
  IntDivision int_division{};
  Broadcast rule{};
  int axis = -1;                       // of Broadcast::paddle
  std::optional<Op> then;              // applied to each result before it is stored
  std::array<Dims, 3> operand_shapes;  // as they came, for a person
  Dims shape;                          // of the result
  std::int64_t count = 0;              // its elements
  std::array<Dims, 3> strides;         // of A, B and Y over `shape`; 0 where stretched
  Loops loops;                         // the same work, collapsed
};

struct Request {
  Op op;
  IntDivision int_division;
  Broadcast rule;
  int axis;
  std::optional<Op> then{};
};

// The shape of the result. Throws as plan::broadcast does.
Dims result_shape(const Request& request, const Layout& a, const Layout& b);

// Throws shape_mismatch (operands, or an output of another shape), type_mismatch (the three types
// differ), overlap (an output two of whose indices may be the same element).
Plan make_plan(const Request& request, const Layout& a, const Layout& b, const Layout& y);

// Bytes that running the plan reads and writes, each once. An operand counts with the elements that
// it has, not with those that it is stretched to.
std::int64_t bytes_moved(const Plan& plan) noexcept;

std::string to_text(const Plan& plan);  // several lines, for a person

}  // namespace hadamard::plan
