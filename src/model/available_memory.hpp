// How much memory a process may still take, before it is killed for it.
#pragma once

#include <cstdint>
#include <string>

namespace hadamard::model {

// The least of what the machine has left (MemAvailable and free swap), of what the control groups
// of this process (v1 or v2, and those that they lie in) have left, page cache counted as free, and
// of its own limit of addresses (ulimit -v). 2^64-1 where nothing is known. `root` is where /proc
// and /sys/fs/cgroup are looked for.
std::uint64_t available_memory(const std::string& root = "");

}  // namespace hadamard::model
