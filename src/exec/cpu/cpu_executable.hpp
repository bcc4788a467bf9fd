// A program on the CPU: groups of one node by their line kernels, the others in blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "exec/executable.hpp"
#include "exec/provider.hpp"

namespace hadamard::exec::cpu {

struct ChosenTarget {
  std::string_view name;
  std::int64_t number;  // Highway's
};

// Null, with the reason in `why`, where a node has no kernel. `lines` binds plans of one node.
std::unique_ptr<const Executable> make_executable(const plan::ProgramPlan& plan,
                                                  const ChosenTarget& target, const Provider& lines,
                                                  std::string& why);

}  // namespace hadamard::exec::cpu
