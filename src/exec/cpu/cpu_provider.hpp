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
};
std::vector<CpuTarget> cpu_targets();

}  // namespace hadamard::exec
