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

namespace hadamard::plan {

// The kinds of loop that a provider has to know.
//   empty         nothing to do
//   contiguous    all three run through memory in one line
//   scalar_left   A is one element, B and Y are one line
//   scalar_right  B is one element, A and Y are one line
//   row           lines, with an operand that is the same line again or that starts elsewhere
//   column        lines, with an operand that is constant along each line
//   tiled         lines, and an operand that runs across them (a transposed one): its elements lie
//                 side by side along the last loop but one
//   strided       anything else
enum class LoopKind : std::uint8_t {
  empty,
  contiguous,
  scalar_left,
  scalar_right,
  row,
  column,
  tiled,
  strided
};
std::string_view name(LoopKind kind) noexcept;

// Indices into the arrays below.
enum Operand : std::size_t { kA = 0, kB = 1, kY = 2 };

// A nest of loops, outermost first, with each operand's stride in elements. `start` is the element
// where each operand begins, relative to its element (0,…,0): reversed dimensions begin at their
// end.
struct Loops {
  Dims extents;
  std::array<Dims, 3> strides;
  std::array<std::int64_t, 3> start{};
  LoopKind kind = LoopKind::empty;
};

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
