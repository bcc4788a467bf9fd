// Operators that move elements rather than compute: to another type, and from one of two tensors.
#pragma once

#include "hadamard/tensor.hpp"

namespace hadamard::exec {

// Each element of `from` as one of the type of `to`, by op::Cast. Same shapes, no overlap. Throws
// unsupported_type for a conversion that is not defined.
void convert(const ConstView& from, const View& to);

// op::Where. All four have one shape (extents that are stretched have stride 0), the last three one
// type, `condition` is bool. No overlap.
void select(const ConstView& condition, const ConstView& a, const ConstView& b, const View& to);

}  // namespace hadamard::exec
