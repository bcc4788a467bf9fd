// The reference: a program node by node, element by element, by the oracle.
#pragma once

#include <memory>

#include "exec/executable.hpp"

namespace hadamard::exec {

std::unique_ptr<const Executable> ref_executable(std::shared_ptr<const plan::Plan> plan);

}  // namespace hadamard::exec
