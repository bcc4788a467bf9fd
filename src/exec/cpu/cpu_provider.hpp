// The CPU provider: SIMD kernels chosen at run time, threads by oneTBB.
#pragma once

#include <vector>

#include "exec/provider.hpp"

namespace hadamard::exec {

const Provider& cpu_provider();

// The instruction sets that kernels were compiled for, best first, and whether this CPU has them.
struct CpuTarget {
  std::string_view name;  // "avx2", as HADAMARD_CPU spells it
  bool supported;
  std::int64_t number;  // Highway's
};
std::vector<CpuTarget> cpu_targets();

// Throws unavailable where no target has that name, or this CPU lacks it. Empty is fine.
void require_cpu_target(std::string_view name);

}  // namespace hadamard::exec
