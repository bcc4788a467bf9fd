// Gathering and transposing, for every size of element and every pattern, against the definition.
// The memory that is read ends with the last element, so that a sanitizer sees any step beyond it.
#include "exec/cpu/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "exec/cpu/test_kernels.hpp"

namespace hadamard::exec::cpu {
namespace {

// Different bytes in every element.
std::unique_ptr<std::byte[]> memory_of(std::size_t bytes) {
  auto memory = std::make_unique<std::byte[]>(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    memory[i] = static_cast<std::byte>((i * 167 + i / 256 * 31) & 0xFF);
  }
  return memory;
}

constexpr std::size_t kSizes[] = {1, 2, 4, 8, 16};
constexpr auto kGuard = std::byte{0xEE};

void check_gather(const Packers& packers, std::size_t size, std::int64_t stride, std::int64_t n) {
  const auto span = static_cast<std::size_t>(n > 0 ? std::abs(stride) * (n - 1) + 1 : 0);
  const auto memory = memory_of(span * size);
  const std::byte* const first =
      memory.get() + (stride < 0 ? static_cast<std::size_t>(-stride * (n - 1)) * size : 0);
  const auto bytes = static_cast<std::size_t>(n) * size;
  std::vector<std::byte> packed(bytes + 64, kGuard);
  packers.gather(size)(first, stride, n, packed.data());
  for (std::int64_t i = 0; i < n; ++i) {
    const std::byte* const element = first + i * stride * static_cast<std::int64_t>(size);
    ASSERT_EQ(std::memcmp(packed.data() + static_cast<std::size_t>(i) * size, element, size), 0)
        << "size " << size << ", stride " << stride << ", element " << i << " of " << n;
  }
  for (std::size_t i = bytes; i < packed.size(); ++i) ASSERT_EQ(packed[i], kGuard);
}

TEST(Packing, GathersEveryStride) {
  for (const std::int64_t target : targets_here()) {
    const Packers* const all = packers(target);
    ASSERT_NE(all, nullptr);
    for (const std::size_t size : kSizes) {
      for (std::int64_t stride = -5; stride <= 6; ++stride) {
        for (std::int64_t n = 1; n < 140; ++n) {
          check_gather(*all, size, stride, n);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

void check_transpose(const Packers& packers, std::size_t size, const Grid& grid) {
  const std::int64_t down = (grid.rows - 1) * grid.row_step;
  const std::int64_t across = (grid.columns - 1) * grid.column_step;
  const auto span = static_cast<std::size_t>(std::abs(down) + std::abs(across) + 1);
  const auto memory = memory_of(span * size);
  const std::int64_t first = -std::min<std::int64_t>(down, 0) - std::min<std::int64_t>(across, 0);
  std::vector<std::byte> packed(static_cast<std::size_t>(grid.rows * grid.line) * size, kGuard);
  packers.transpose(size)(memory.get() + static_cast<std::size_t>(first) * size, grid,
                          packed.data());
  for (std::int64_t r = 0; r < grid.rows; ++r) {
    for (std::int64_t c = 0; c < grid.line; ++c) {
      const std::byte* const out =
          packed.data() + static_cast<std::size_t>(r * grid.line + c) * size;
      if (c < grid.columns) {
        const auto at =
            static_cast<std::size_t>(first + r * grid.row_step + c * grid.column_step) * size;
        ASSERT_EQ(std::memcmp(out, memory.get() + at, size), 0)
            << "size " << size << ", row " << r << " of " << grid.rows << ", column " << c << " of "
            << grid.columns;
      } else {
        ASSERT_EQ(*out, kGuard);
      }
    }
  }
}

TEST(Packing, TransposesEveryGrid) {
  for (const std::int64_t target : targets_here()) {
    const Packers* const all = packers(target);
    ASSERT_NE(all, nullptr);
    for (const std::size_t size : kSizes) {
      for (std::int64_t rows = 1; rows <= 19; ++rows) {
        for (std::int64_t columns = 1; columns <= 35; ++columns) {
          check_transpose(*all, size, {rows, columns, 1, rows + 2, columns + 3, 0});
          check_transpose(*all, size, {rows, columns, 2, 2 * rows + 1, columns, 1});
          check_transpose(*all, size, {rows, columns, -1, rows + 1, columns, 0});
          check_transpose(*all, size, {rows, columns, 1, -rows, columns, 0});
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hadamard::exec::cpu
