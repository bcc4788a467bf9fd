#include "base/threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "hadamard/error.hpp"

namespace hadamard {
namespace {

class Threads : public testing::Test {
 protected:
  void TearDown() override { set_thread_limit(0); }
};

TEST_F(Threads, TheLimitIsWhatWasSaid) {
  EXPECT_GE(thread_limit(), 1);
  set_thread_limit(3);
  EXPECT_EQ(thread_limit(), 3);
  EXPECT_THROW(set_thread_limit(-1), Error);
  EXPECT_THROW(set_thread_limit(1 << 20), Error);
  EXPECT_EQ(thread_limit(), 3);
}

TEST_F(Threads, EveryUnitIsDoneOnce) {
  for (const int limit : {1, 2, 5}) {
    set_thread_limit(limit);
    for (const std::int64_t count : {0, 1, 7, 1000, 100001}) {
      for (const std::int64_t grain : {1, 3, 1000, 5000}) {
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
        for_chunks(count, grain, [&](std::int64_t begin, std::int64_t end) {
          EXPECT_LE(0, begin);
          EXPECT_LE(end, count);
          for (std::int64_t i = begin; i < end; ++i) ++done[static_cast<std::size_t>(i)];
        });
        EXPECT_TRUE(std::all_of(done.begin(), done.end(), [](const auto& n) { return n == 1; }))
            << count << " by " << grain;
      }
    }
  }
}

// Callers that are threads themselves: they do not each bring a whole set of threads.
TEST_F(Threads, CallersShareOneAccount) {
  constexpr int kCallers = 4;
  constexpr int kLimit = 2;
  set_thread_limit(kLimit);
  std::atomic<int> working{0};
  std::atomic<int> most{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < kCallers; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        for_chunks(64, 1, [&](std::int64_t, std::int64_t) {
          const int now = ++working;
          int seen = most.load();
          while (seen < now && !most.compare_exchange_weak(seen, now)) {
          }
          std::this_thread::yield();
          --working;
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_LE(most.load(), kCallers + kLimit - 1);
  EXPECT_GE(most.load(), 1);
}

// A call from within a call (the caller's work runs on our threads) ends, and is whole.
TEST_F(Threads, CallsWithinCalls) {
  set_thread_limit(4);
  std::atomic<std::int64_t> sum{0};
  for_chunks(32, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      for_chunks(100, 10, [&](std::int64_t from, std::int64_t to) { sum += to - from; });
    }
  });
  EXPECT_EQ(sum.load(), 3200);
}

}  // namespace
}  // namespace hadamard
