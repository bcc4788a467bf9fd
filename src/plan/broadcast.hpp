// The four rules by which two shapes become one.
#pragma once

#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"

namespace hadamard::plan {

// The common shape, and each operand's strides over it (0 along a dimension that it is stretched
// in).
struct Aligned {
  Dims shape;
  Dims a_strides;
  Dims b_strides;
};

// Throws shape_mismatch, naming both shapes and the first dimension that does not fit; bad_argument
// for an `axis` that Broadcast::paddle has no place for.
Aligned broadcast(Broadcast rule, int axis, const Layout& a, const Layout& b);

}  // namespace hadamard::plan
