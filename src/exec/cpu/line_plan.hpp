// One operator with one or two operands, maybe with another one behind it, over one nest of loops:
// what line kernels run.
#pragma once

#include <cstdint>
#include <optional>

#include "exec/place.hpp"
#include "hadamard/options.hpp"
#include "hadamard/types.hpp"
#include "plan/loops.hpp"

namespace hadamard::exec::cpu {

// Indices into the loops' operands. Of an operator with one operand B is A.
enum Operand : std::size_t { kA = 0, kB = 1, kY = 2 };

struct LinePlan {
  Op op{};
  DType type{};
  IntDivision int_division{};
  std::optional<Op> then;    // applied to each result before it is stored
  std::int64_t count = 0;    // elements of the result
  std::int64_t traffic = 0;  // bytes read and written, each once
  plan::Loops loops;         // of A, B and Y
};

struct Places {
  Place a;
  Place b;
  Place y;
};

}  // namespace hadamard::exec::cpu
