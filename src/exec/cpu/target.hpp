// The instruction set that a plan is bound to.
#pragma once

#include <cstdint>
#include <string_view>

namespace hadamard::exec::cpu {

struct ChosenTarget {
  std::string_view name;  // "avx2"
  std::int64_t number;    // Highway's
};

}  // namespace hadamard::exec::cpu
