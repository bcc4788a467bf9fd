// For tests: the kernels of every target that this CPU can run.
#pragma once

#include <cstdint>
#include <vector>

#include "base/int128.hpp"
#include "exec/cpu/cpu_provider.hpp"
#include "exec/cpu/kernel.hpp"
#include "exec/cpu/kernel_lookup.hpp"

namespace hadamard::exec::cpu {

// Highway's numbers.
inline std::vector<std::int64_t> targets_here() {
  std::vector<std::int64_t> numbers;
  for (const CpuTarget& target : cpu_targets()) {
    if (target.supported) numbers.push_back(target.number);
  }
  return numbers;
}

inline Kernel kernel_of(std::int64_t target, Op op, DType type,
                        IntDivision rounding = IntDivision::floor) {
  const KernelSet* const set = find_set(op, type, rounding, target);
  return set == nullptr ? nullptr : kernel_of(set->kernels, op, type, rounding);
}

// By division in 128 bits.
template <class T>
T quotient_of(T a, T b, IntDivision rounding) {
  const int128 x = a;
  const int128 y = b;
  int128 q = x / y;
  if (rounding == IntDivision::floor && q * y != x && (x < 0) != (y < 0)) --q;
  return static_cast<T>(static_cast<uint128>(q));
}

}  // namespace hadamard::exec::cpu
