// A node's value by the oracle, line by line: for folding constants and for the reference.
#pragma once

#include <cstdint>
#include <span>

#include "program/program.hpp"

namespace hadamard::program {

// Elements of memory: element i is `first + i * stride` elements behind `data`.
struct ElementLine {
  const void* data = nullptr;
  std::int64_t first = 0;
  std::int64_t stride = 0;
};

enum class Failure : std::uint8_t { none, zero_divisor, not_finite };

// What went wrong, and at which element first.
struct Evaluated {
  Failure failure = Failure::none;
  std::int64_t at = 0;
};

// Computes n elements of an operation; operands of the types `operands`. Ends at the first element
// that has no result. Needs the default floating-point environment.
Evaluated evaluate(const Node& node, std::span<const DType> types,
                   std::span<const ElementLine> operands, const ElementLine& result,
                   std::int64_t n);

}  // namespace hadamard::program
