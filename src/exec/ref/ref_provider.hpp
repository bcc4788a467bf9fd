// The reference: one element at a time, in index order, every type. Slow, and obviously right.
#pragma once

#include "exec/provider.hpp"

namespace hadamard::exec {

const Provider& ref_provider();

}  // namespace hadamard::exec
