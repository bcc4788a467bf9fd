// A program on the CPU: groups of one node by their line kernels, the others in blocks.
#pragma once

#include <memory>
#include <string>

#include "exec/cpu/target.hpp"
#include "exec/executable.hpp"

namespace hadamard::exec::cpu {

// Null, with the reason in `why`, where a node has no kernel.
std::unique_ptr<const Executable> make_executable(std::shared_ptr<const plan::Plan> plan,
                                                  const ChosenTarget& target, std::string& why);

}  // namespace hadamard::exec::cpu
