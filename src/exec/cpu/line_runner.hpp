// From a nest of loops to lines that a kernel can take: walking, and packing what is not a line.
#pragma once

#include <cstdint>

#include "exec/cpu/kernel.hpp"
#include "exec/cpu/line_plan.hpp"

namespace hadamard::exec::cpu {

// Runs the kernels over the elements [begin, end) of the plan's loops, counted in loop order. Uses
// no memory but a few KiB of stack. Lines of the output are written past the cache where `stream`
// says so. Returns whether a divisor was zero.
bool run_range(const LinePlan& plan, const Kernels& kernels, const Places& places,
               std::int64_t begin, std::int64_t end, bool stream);

// Whether the plan's lines are short and its output is one piece of memory. Then many lines are run
// at once, and may be written past the cache.
bool runs_in_groups(const LinePlan& plan);
bool run_groups(const LinePlan& plan, const Kernels& kernels, const Places& places,
                std::int64_t begin, std::int64_t end, bool stream);

// Plans with an operand that runs across the lines of the output are run in tiles instead, so that
// every cache line is read once. Tiles [begin, end) of tile_count(); `elements` counts up.
bool runs_in_tiles(const LinePlan& plan);
std::int64_t tile_count(const LinePlan& plan);
bool run_tiles(const LinePlan& plan, const Kernels& kernels, const Places& places,
               std::int64_t begin, std::int64_t end, std::int64_t& elements);

}  // namespace hadamard::exec::cpu
