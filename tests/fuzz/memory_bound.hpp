// What a reader may allocate: at most 8 times its input and 64 MiB at any moment. Counted under
// AddressSanitizer, which is what fuzzers are built with; without it nothing is checked.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HADAMARD_COUNTS_MEMORY
#endif
#endif

#if defined(HADAMARD_COUNTS_MEMORY)

#include <sanitizer/allocator_interface.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace hadamard::fuzz {

inline std::atomic<long long> live{0}, peak{0};

inline void on_malloc(const volatile void*, std::size_t size) {
  const long long now = live.fetch_add(static_cast<long long>(size)) + static_cast<long long>(size);
  long long highest = peak.load();
  while (now > highest && !peak.compare_exchange_weak(highest, now)) {
  }
}
inline void on_free(const volatile void* data) {
  if (data == nullptr) return;
  live.fetch_sub(
      static_cast<long long>(__sanitizer_get_allocated_size(const_cast<const void*>(data))));
}

// For the time of one input.
class MemoryBound {
 public:
  explicit MemoryBound(std::size_t input)
      : most_(8 * static_cast<long long>(input) + (64LL << 20)), before_(start()) {}
  ~MemoryBound() {
    const long long taken = peak.load() - before_;
    if (taken <= most_) return;
    std::fprintf(stderr, "%lld bytes of memory were allocated; at most %lld are justified\n", taken,
                 most_);
    std::abort();
  }
  MemoryBound(const MemoryBound&) = delete;
  MemoryBound& operator=(const MemoryBound&) = delete;

 private:
  static long long start() {
    static const bool counts = [] {
      if (__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) == 0) return false;
      const long long before = live.load();
      void* volatile block = std::malloc(1 << 20);
      const bool counted = live.load() - before == 1 << 20;
      std::free(block);
      return counted && live.load() == before;
    }();
    if (!counts) {
      std::fputs("allocations are not counted\n", stderr);
      std::abort();
    }
    peak.store(live.load());
    return live.load();
  }

  long long most_;
  long long before_;
};

}  // namespace hadamard::fuzz

#else

namespace hadamard::fuzz {
struct MemoryBound {
  explicit MemoryBound(std::size_t) {}
  ~MemoryBound() {}
};
}  // namespace hadamard::fuzz

#endif
