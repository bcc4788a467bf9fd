#include "base/memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace hadamard {
namespace {

constexpr std::size_t kMiB = 1 << 20;
constexpr std::size_t kDefaultLimit = 256 * kMiB;

class Memory : public testing::Test {
 protected:
  void SetUp() override { release_memory(); }
  void TearDown() override {
    set_kept_memory_limit(kDefaultLimit);
    release_memory();
  }
};

TEST_F(Memory, IsAlignedAndWritable) {
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{63}, std::size_t{4096}, kMiB - 1, kMiB, 3 * kMiB + 17}) {
    void* const block = take_memory(bytes);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % kMemoryAlignment, 0U) << bytes;
    std::memset(block, 0x5A, bytes);
    give_memory(block, bytes);
  }
}

TEST_F(Memory, ALargeBlockComesBack) {
  void* const first = take_memory(5 * kMiB);
  give_memory(first, 5 * kMiB);
  void* const second = take_memory(5 * kMiB);
  EXPECT_EQ(first, second);
  void* const third = take_memory(5 * kMiB);
  EXPECT_NE(second, third);  // nobody shares
  give_memory(second, 5 * kMiB);
  give_memory(third, 5 * kMiB);
  EXPECT_EQ(release_memory(), 10 * kMiB);
  EXPECT_EQ(release_memory(), 0U);
}

TEST_F(Memory, NoMoreIsKeptThanTheLimit) {
  set_kept_memory_limit(8 * kMiB);
  std::vector<void*> blocks;
  for (int i = 0; i < 5; ++i) blocks.push_back(take_memory(3 * kMiB));
  for (void* block : blocks) give_memory(block, 3 * kMiB);
  EXPECT_EQ(release_memory(), 6 * kMiB);
  give_memory(take_memory(9 * kMiB), 9 * kMiB);  // larger than the limit
  EXPECT_EQ(release_memory(), 0U);
  give_memory(take_memory(2 * kMiB), 2 * kMiB);
  set_kept_memory_limit(0);
  EXPECT_EQ(release_memory(), 0U);
}

TEST_F(Memory, ManyBlocksOfManySizes) {
  for (std::size_t i = 0; i < 100; ++i) give_memory(take_memory((i + 1) * kMiB), (i + 1) * kMiB);
  EXPECT_LE(release_memory(), kDefaultLimit);
}

TEST_F(Memory, AbsurdSizesAreRefused) {
  EXPECT_EQ(take_memory(std::size_t{1} << 62), nullptr);
  EXPECT_EQ(take_memory(static_cast<std::size_t>(-1)), nullptr);
  give_memory(nullptr, 5);
}

TEST_F(Memory, ThreadsDoNotMeet) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 200; ++i) {
        const std::size_t bytes = (1 + static_cast<std::size_t>(i % 3)) * kMiB;
        auto* const block = static_cast<unsigned char*>(take_memory(bytes));
        block[0] = block[bytes - 1] = static_cast<unsigned char>(t);
        std::this_thread::yield();
        EXPECT_EQ(block[0], t);
        EXPECT_EQ(block[bytes - 1], t);
        give_memory(block, bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace hadamard
