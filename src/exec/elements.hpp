// Operators that move elements rather than compute: to another type.
#pragma once

#include "hadamard/tensor.hpp"

namespace hadamard::exec {

// Each element of `from` as one of the type of `to`, by op::Cast. Same shapes, no overlap. Throws
// unsupported_type for a conversion that is not defined.
void convert(const ConstView& from, const View& to);

}  // namespace hadamard::exec
