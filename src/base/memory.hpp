// Memory for the elements of tensors. Getting large blocks from the system costs more than
// computing into them (every page is faulted in and cleared), so freed ones are kept for the next
// result.
#pragma once

#include <cstddef>

namespace hadamard {

inline constexpr std::size_t kMemoryAlignment = 64;

// At least `bytes` (more than 0), aligned to kMemoryAlignment, with any content. Null where there
// is no memory.
void* take_memory(std::size_t bytes) noexcept;
// Back, with the number that was asked for.
void give_memory(void* block, std::size_t bytes) noexcept;

// How much freed memory is kept at most, over all threads; what is kept beyond goes back to the
// system.
void set_kept_memory_limit(std::size_t bytes) noexcept;
// Gives all that is kept back to the system; returns how many bytes that were.
std::size_t release_memory() noexcept;

}  // namespace hadamard
