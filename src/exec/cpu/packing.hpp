// Bringing elements side by side that lie apart, for kernels, which take only lines.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace hadamard::exec::cpu {

// rows x columns elements, of which [r][c] lies at r*row_step + c*column_step.
struct Grid {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t row_step;
  std::int64_t column_step;
  std::int64_t line;   // elements from one line of the copy to the next
  std::int64_t ahead;  // elements from here to the grid that comes next, to be asked for; or 0
};

// For elements of 1, 2, 4, 8 and 16 bytes.
struct Packers {
  using Gather = void (*)(const void* data, std::int64_t stride, std::int64_t n, void* to);
  using Transpose = void (*)(const void* data, const Grid& grid, void* to);
  Gather gathers[5];
  Transpose transposes[5];

  // n elements that lie `stride` apart, into a line.
  Gather gather(std::size_t bytes) const { return gathers[std::bit_width(bytes) - 1]; }
  // A grid, row by row, into lines.
  Transpose transpose(std::size_t bytes) const { return transposes[std::bit_width(bytes) - 1]; }
};

// Null where the target is not compiled. `target` is Highway's number.
const Packers* packers(std::int64_t target);

}  // namespace hadamard::exec::cpu
