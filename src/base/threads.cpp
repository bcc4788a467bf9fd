#include "base/threads.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/fail.hpp"
#include "base/float_env.hpp"

namespace hadamard {
namespace {

constexpr int kMostThreads = 4096;
constexpr std::int64_t kMostChunksAtOnce = 32;

std::atomic<int> demanded_limit{0};  // 0: nobody demanded one
std::atomic<int> busy{0};            // threads in for_chunks now, callers included

int default_limit() {
  const char* text = std::getenv("HADAMARD_THREADS");
  if (text == nullptr || *text == '\0') return tbb::info::default_concurrency();
  int count = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, count);
  if (error != std::errc() || rest != end || count < 0 || count > kMostThreads) {
    fail(ErrorCode::bad_argument,
         "HADAMARD_THREADS is '{}'; it takes a number from 0 (as many as there are cores) to {}",
         text, kMostThreads);
  }
  return count > 0 ? count : tbb::info::default_concurrency();
}

// This call's threads, the caller among them.
class Share {
 public:
  Share(int limit, std::int64_t useful) {
    const int others = busy.fetch_add(1);
    const auto most = static_cast<int>(std::min<std::int64_t>(useful, limit));
    threads_ = std::max(1, std::min(most, limit - others));
    busy.fetch_add(threads_ - 1);
  }
  ~Share() { busy.fetch_sub(threads_); }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
  int threads() const noexcept { return threads_; }

 private:
  int threads_;
};

}  // namespace

int thread_limit() {
  const int demanded = demanded_limit.load(std::memory_order_relaxed);
  if (demanded > 0) return demanded;
  static const int limit = default_limit();
  return limit;
}

void set_thread_limit(int count) {
  if (count < 0 || count > kMostThreads) {
    fail(ErrorCode::bad_argument, "the number of threads is {}; it takes 0 (as at the start) to {}",
         count, kMostThreads);
  }
  demanded_limit.store(count, std::memory_order_relaxed);
}

void detail::run_chunks(std::int64_t count, std::int64_t grain, ChunkWork work, void* context) {
  const std::int64_t chunks = (count + grain - 1) / grain;
  const Share share(thread_limit(), chunks);
  if (share.threads() == 1) return work(context, 0, count);
  const ScopedFloatEnv env;  // oneTBB loses the caller's sticky flags
  // Each thread fetches the next chunks when it is done with some: a thread that comes late, or
  // whose core has other work, holds nobody up. Many at first, because memory is quickest where it
  // is read on and on; one at a time in the end, so that all are done at the same time.
  std::atomic<std::int64_t> next{0};
  const std::int64_t shares = 2 * share.threads();
  const auto fetch = [&] {
    std::int64_t begin = next.load(std::memory_order_relaxed), end;
    do {
      const std::int64_t left = chunks - begin;
      end = begin + std::clamp(left / shares, std::min<std::int64_t>(left, 1), kMostChunksAtOnce);
    } while (begin != end && !next.compare_exchange_weak(begin, end, std::memory_order_relaxed));
    return std::pair(begin, end);
  };
  // A context of our own: if the caller's tasks are cancelled, ours are not, and all gets computed.
  tbb::task_group_context tasks(tbb::task_group_context::isolated);
  tbb::parallel_for(
      0, share.threads(),
      [&](int) {
        for (auto [begin, end] = fetch(); begin != end; std::tie(begin, end) = fetch()) {
          work(context, begin * grain, std::min(end * grain, count));
        }
      },
      tbb::simple_partitioner(), tasks);
}

}  // namespace hadamard
