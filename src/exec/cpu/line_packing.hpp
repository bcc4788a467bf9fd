// Lines that are not contiguous, put side by side and back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exec/cpu/packing.hpp"
#include "exec/place.hpp"
#include "hadamard/types.hpp"
#include "plan/loops.hpp"

namespace hadamard::exec::cpu {

// A line in memory: where its elements are, in elements of the tensor's own storage.
struct Strided {
  const void* data;
  std::int64_t first;
  std::int64_t stride;
};

inline std::size_t bytes_of(DType type) { return static_cast<std::size_t>(bits(type)) / 8; }
inline const void* address(DType type, const Strided& line) {
  return static_cast<const std::byte*>(line.data) + line.first * (bits(type) / 8);
}

// n elements of a line, as a kernel takes them (a 4-bit integer is a byte), and back.
void gather(DType type, const Packers& packers, const Strided& from, std::int64_t n, void* to);
void scatter(DType type, const void* from, std::int64_t n, const Strided& to);

// `count` times the element of `size` bytes, a power of two up to 16.
void repeat(const std::byte* element, std::size_t size, std::int64_t count, std::byte* to);

// Elements [begin, begin + n) of operand `k`, counted in loop order, side by side. Its step along
// the last loop is 0 or 1.
void gather_lines(const plan::Loops& loops, std::size_t k, const Place& place, std::size_t size,
                  std::int64_t begin, std::int64_t n, std::byte* to);

}  // namespace hadamard::exec::cpu
