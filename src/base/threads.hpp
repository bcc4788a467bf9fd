// How many threads a computation takes, in a process where others compute too.
#pragma once

#include <cstdint>
#include <memory>

namespace hadamard {

// What set_thread_limit said last, else HADAMARD_THREADS, else what the machine gives this process.
// Throws bad_argument where HADAMARD_THREADS is no number of threads.
int thread_limit();

// 0 takes the limit back to where it was at the start. Throws bad_argument below 0.
void set_thread_limit(int count);

namespace detail {
using ChunkWork = void (*)(void* context, std::int64_t begin, std::int64_t end);
void run_chunks(std::int64_t count, std::int64_t grain, ChunkWork work, void* context);
}  // namespace detail

// Calls work(begin, end) for all of [0, count) in chunks of `grain`, some of them at once, in any
// order and on several threads; on the caller's alone with [0, count) at once. Threads are taken
// from one account for the whole process: when callers already keep as many busy as the limit says,
// each of them works alone. `work` must not throw.
template <class Work>
void for_chunks(std::int64_t count, std::int64_t grain, Work work) {
  detail::run_chunks(
      count, grain,
      [](void* context, std::int64_t begin, std::int64_t end) {
        (*static_cast<Work*>(context))(begin, end);
      },
      std::addressof(work));
}

}  // namespace hadamard
