// A nest of loops over any number of operands, with as few dimensions as possible.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hadamard/tensor.hpp"

namespace hadamard::plan {

// The kinds of loop that a provider has to know.
//   empty         nothing to do
//   contiguous    all operands run through memory in one line
//   scalar_left   of two operands the first is one element, the rest are one line
//   scalar_right  the second is
//   row           lines, with an operand that is the same line again or that starts elsewhere
//   column        lines, with an operand that is constant along each line
//   tiled         lines, and an operand that runs across them (a transposed one): its elements are
//                 contiguous along the last loop but one
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

// Outermost first, with each operand's stride in elements. `start` is the element where each
// operand begins, relative to its element (0,…,0): reversed dimensions begin at their end.
struct Loops {
  Dims extents;
  std::vector<Dims> strides;
  std::vector<std::int64_t> start;
  LoopKind kind = LoopKind::empty;
};

// Loops over `shape`; each operand's strides are over it, 0 where it is broadcast. The last operand
// is the one that is written: its strides decide the order of the loops.
Loops make_loops(const Dims& shape, std::span<const Dims> strides);

}  // namespace hadamard::plan
