// Where a tensor's elements are.
#pragma once

#include <cstdint>

namespace hadamard::exec {

// A pointer to the element (0,…,0), plus whole elements for packed types.
struct Place {
  const void* data = nullptr;
  std::int64_t offset = 0;
};

}  // namespace hadamard::exec
