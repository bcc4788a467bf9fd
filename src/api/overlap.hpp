// Whether an output shares memory with an operand, and whether that is harmless.
#pragma once

#include "exec/provider.hpp"
#include "plan/plan.hpp"

namespace hadamard {

enum class Overlap {
  none,      // no element in common
  in_place,  // each element of the output is the operand's element of the same index
  partial    // possibly an element in common at different indices
};

// Of the output with operand `k` (plan::kA or plan::kB) of a plan, at these places.
Overlap overlap(const plan::Plan& plan, std::size_t k, const exec::Place& operand,
                const exec::Place& output) noexcept;

}  // namespace hadamard
