// Lines as kernels see them: any length, any alignment, past the cache or not, in place. Every way
// gives the same bits and writes nothing beside the line.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <random>
#include <vector>

#include "base/float_env.hpp"
#include "exec/cpu/test_kernels.hpp"
#include "num/dtype.hpp"

namespace hadamard::exec::cpu {
namespace {

constexpr std::size_t kGuard = 64;

// Numbers without zeros where integers are divided, and without NaN: their bits are compared.
std::vector<std::byte> random_bytes(std::int64_t n, std::size_t size, std::mt19937& random) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(n) * size + 2 * kGuard);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>((random() & 0x37) | 1);
  return bytes;
}

void check(std::int64_t target, Op op, DType type, std::int64_t n, std::size_t shift,
           std::mt19937& random) {
  const Kernel kernel = kernel_of(target, op, type);
  ASSERT_NE(kernel, nullptr);
  const auto size = static_cast<std::size_t>(std::max(1, bits(type) / 8));
  const std::size_t bytes = static_cast<std::size_t>(n) * size;
  const auto a = random_bytes(n + 8, size, random);
  const auto b = random_bytes(n + 8, size, random);
  const std::byte* const pa = a.data() + kGuard;
  const std::byte* const pb = b.data() + kGuard;
  alignas(64) static std::byte memory[1 << 16];
  std::vector<std::byte> expected(bytes);
  for (const int scalar : {0, 1, 2}) {
    if (scalar != 0 && op::arity(op) == 1) continue;
    bool first = true;
    for (const bool stream : {false, true}) {
      for (const bool in_place : {false, true}) {
        std::byte* const y = memory + kGuard + shift * alignment_of(type);
        std::memset(memory, 0xEE, static_cast<std::size_t>(y - memory) + bytes + kGuard);
        if (in_place) std::memcpy(y, pa, bytes);
        const std::byte* const from = in_place && scalar != 1 ? y : pa;
        kernel(Line{from, pb, y, n, scalar == 1, scalar == 2, stream, n % 3 == 1, n % 3 == 2});
        if (first) std::memcpy(expected.data(), y, bytes);
        first = false;
        ASSERT_EQ(std::memcmp(expected.data(), y, bytes), 0)
            << name(op) << " " << name(type) << " n=" << n << " shift=" << shift
            << " stream=" << stream << " in place=" << in_place << " scalar=" << scalar;
        for (const std::byte* p = memory; p < y; ++p) ASSERT_EQ(*p, std::byte{0xEE});
        for (const std::byte* p = y + bytes; p < y + bytes + kGuard; ++p) {
          ASSERT_EQ(*p, std::byte{0xEE});
        }
      }
    }
  }
}

TEST(Lines, EveryLengthAndAlignmentIsTheSame) {
  const ScopedFloatEnv env;
  std::mt19937 random(3);
  for (const std::int64_t target : targets_here()) {
    for (int t = 0; t < kTypeCount; ++t) {
      const auto type = static_cast<DType>(t);
      if (type == DType::real) continue;
      for (const Op op : op::kPlainOps) {
        if (!op::is_defined(op, type)) continue;
        for (const std::int64_t n : {1, 2, 3, 7, 8, 9, 15, 16, 31, 33, 64, 65, 129, 200, 517}) {
          for (const std::size_t shift : {0, 1, 3, 7, 8, 13})
            check(target, op, type, n, shift, random);
        }
      }
    }
  }
}

// Operands and the output begin or end where memory does: nothing beside them is read or written,
// and asking for what lies behind does no harm.
TEST(Lines, NothingBesideThemIsTouched) {
  const ScopedFloatEnv env;
  constexpr std::size_t kBytes = 3 << 16;
  std::byte* ends[3];
  for (std::byte*& end : ends) {
    void* const memory = mmap(nullptr, 3 * kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    std::byte* const begin = static_cast<std::byte*>(memory) + kBytes;
    ASSERT_EQ(mprotect(begin, kBytes, PROT_READ | PROT_WRITE), 0);
    std::fill_n(reinterpret_cast<double*>(begin), kBytes / sizeof(double), 1.5);
    end = begin + kBytes;
  }
  const auto run = [&](Kernel kernel, std::size_t n, std::size_t size, int scalar, bool near,
                       bool at_begin) {
    const auto at = [&](int k) {
      return at_begin ? ends[k] - kBytes : ends[k] - (scalar == k ? size : n * size);
    };
    kernel(Line{.a = at(0),
                .b = at(1),
                .y = at(2),
                .n = static_cast<std::int64_t>(n),
                .a_is_scalar = scalar == 0,
                .b_is_scalar = scalar == 1,
                .stream = true,
                .b_is_near = near});
  };
  for (const std::int64_t target : targets_here()) {
    for (const DType type : {DType::fp32, DType::fp64, DType::int16, DType::int32}) {
      const auto size = static_cast<std::size_t>(bits(type) / 8);
      for (const Op op : {Op::add, Op::div}) {
        for (const std::size_t n : {std::size_t{17}, std::size_t{1000}, kBytes / size - 3}) {
          for (const int scalar : {0, 1, 2}) {  // 2: none
            for (const bool at_begin : {false, true}) {
              run(kernel_of(target, op, type), n, size, scalar == 2 ? -1 : scalar, n == 1000,
                  at_begin);
            }
          }
        }
      }
    }
  }
  for (std::byte* const end : ends) munmap(end - 2 * kBytes, 3 * kBytes);
}

}  // namespace
}  // namespace hadamard::exec::cpu
