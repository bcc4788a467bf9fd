// Whether an output's indices are different elements.
#pragma once

#include "hadamard/tensor.hpp"

namespace hadamard::plan {

// Throws overlap where two indices may be one element. Sufficient, and true for every layout that
// slicing and transposing can make: each stride steps over all that the smaller ones span.
void require_distinct_elements(const Layout& y);

}  // namespace hadamard::plan
