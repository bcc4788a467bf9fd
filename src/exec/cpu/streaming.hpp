// How much work is worth a second thread, and when outputs are written past the cache.
#pragma once

#include <cstdint>

namespace hadamard::exec::cpu {

// Measured, as bytes read and written in all. Below kParallelBytes a second thread costs more than
// it brings; above it, threads fetch chunks of kChunkBytes.
inline constexpr std::int64_t kParallelBytes = 1 << 20;
inline constexpr std::int64_t kChunkBytes = 128 << 10;

// Measured in the same way: from kStreamBytes on, an output is larger than what a
// cache keeps for its next reader, and writing past the cache saves reading it. A line of it that
// is shorter than kStreamLineBytes would leave too many half-written cache lines at its ends.
inline constexpr std::int64_t kStreamBytes = 24 << 20;
inline constexpr std::int64_t kStreamLineBytes = 4 << 10;
// Of the output, which are written in one way only (simd_loop-inl.h).
inline constexpr std::uintptr_t kCacheLine = 64;

}  // namespace hadamard::exec::cpu
