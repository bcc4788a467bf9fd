// From a nest of loops to lines that a kernel can take: walking, and packing what is not a line.
#pragma once

#include <cstdint>

#include "exec/cpu/kernel.hpp"
#include "exec/provider.hpp"
#include "plan/plan.hpp"

namespace hadamard::exec::cpu {

// Runs `kernel` over the elements [begin, end) of the plan's loops, counted in loop order. Uses no
// memory but a few KiB of stack. Lines of the output are written past the cache where `stream`
// says so. Returns whether a divisor was zero.
bool run_range(const plan::Plan& plan, Kernel kernel, const Places& places, std::int64_t begin,
               std::int64_t end, bool stream);

}  // namespace hadamard::exec::cpu
