// How large a value may be. The system grants memory that it does not have and kills the process
// when it is written to: so it is asked before a value is made that is larger than its operands.
#pragma once

#include <cstdint>

#include "hadamard/tensor.hpp"

namespace hadamard::matlab {

struct Room {
  std::int64_t most_elements = std::int64_t{1} << 33;

  // Throws Fault MATLAB:nomem where there is none for an array of that size, or for so many of
  // them.
  void require(const Dims& size, DType type, int count = 1) const;
};

}  // namespace hadamard::matlab
