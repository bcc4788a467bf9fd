#include "matlab/room.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/available_memory.hpp"
#include "base/int128.hpp"
#include "hadamard/error.hpp"
#include "matlab/fault.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

void Room::require(const Dims& size, DType type, int count) const {
  uint128 elements = 1;
  bool is_empty = false;
  for (const std::int64_t extent : size) {
    is_empty = is_empty || extent == 0;
    elements = std::min<uint128>(elements * static_cast<uint128>(extent), uint128{1} << 63);
  }
  if (is_empty) return;
  if (elements > static_cast<uint128>(most_elements)) {
    throw Fault{"MATLAB:nomem",
                fmt::format("out of memory: an array of {} is too large", size_text(size))};
  }
  const auto each = static_cast<unsigned>(bits(type) * count);
  if (elements * each / 8 <= kUnaskedBytes) return;
  try {
    require_memory(static_cast<std::int64_t>(elements), each,
                   fmt::format("an array of {}", size_text(size)));
  } catch (const Error& error) {
    throw Fault{"MATLAB:nomem", error.what()};
  }
}

}  // namespace hadamard::matlab
