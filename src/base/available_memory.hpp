// How much memory a process may still take, before it is killed for it.
#pragma once

#include <cstdint>
#include <string>

namespace hadamard {

// The least of what the machine has left (MemAvailable and free swap), of what the control groups
// of this process (v1 or v2, and those that they lie in) have left, page cache counted as free, and
// of its own limit of addresses (ulimit -v). 2^64-1 where nothing is known. `root` is where /proc
// and /sys/fs/cgroup are looked for.
std::uint64_t available_memory(const std::string& root = "");

// To ask takes a third of a millisecond: so few bytes more are not worth it.
inline constexpr std::uint64_t kUnaskedBytes = 64 << 20;

// Throws too_large where `elements` of that many bits do not fit into what is available, after
// memory that is kept for later was given back. The system grants such memory all the same, and
// kills the process when it is written to. `what` is what they are: "the result, fp64 (3,4)".
// Returns what is available.
std::uint64_t require_memory(std::int64_t elements, unsigned bits, const std::string& what);

}  // namespace hadamard
