// Finds the kernel of a node for a CPU target.
#pragma once

#include <cstdint>
#include <string_view>

#include "exec/cpu/kernel.hpp"
#include "program/program.hpp"

namespace hadamard::exec::cpu {

// A family of kernels that only programs ask for: comparisons, isnan and its like, where, of fp32
// and fp64. `target` is Highway's number.
const KernelSet* truth_kernels(std::int64_t target);

// The first family that has a kernel for an operator of a type; null where none has.
const KernelSet* find_set(Op op, DType type, IntDivision rounding, std::int64_t target);
inline Kernel kernel_of(const KernelTable& table, Op op, DType type, IntDivision rounding) {
  return table[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)]
              [static_cast<std::size_t>(rounding)];
}

// A kernel and what it was compiled for.
struct FoundKernel {
  Kernel kernel = nullptr;
  std::string_view target;
};
// `first` and `from` are the types of the first and of the last operand, `to` is that of the
// result. A kernel for attributes that are not the defaults finds them in its Line.
FoundKernel find_kernel(Op op, DType first, DType from, DType to,
                        const program::Attributes& attributes, std::int64_t target);

}  // namespace hadamard::exec::cpu
