#include "base/memory.hpp"

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HADAMARD_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HADAMARD_ASAN 1
#endif
#ifdef HADAMARD_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace hadamard {
namespace {

// Blocks from this size on are made of huge pages and kept. malloc keeps the smaller ones itself.
constexpr std::size_t kLarge = 1 << 20;
constexpr std::size_t kSizeUnit = 64 << 10;  // of large blocks: whole pages on every machine
constexpr std::size_t kDefaultLimit = 256 << 20;
constexpr std::size_t kMostBytes = std::size_t{1} << 62;  // rounding up stays a number

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

struct Block {
  void* address = nullptr;
  std::size_t size = 0;
};

// malloc's block lies before ours, and its address in the word before it: aligned_alloc does not
// use malloc's cache of small blocks and takes ten times as long.
void* small_take(std::size_t bytes) {
  void* const block = std::malloc(bytes + kMemoryAlignment);
  if (block == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const std::size_t skip = kMemoryAlignment - address % kMemoryAlignment;  // at least malloc's 16
  static_assert(alignof(std::max_align_t) >= sizeof(void*));
  void** const ours = reinterpret_cast<void**>(static_cast<std::byte*>(block) + skip);
  ours[-1] = block;
  return ours;
}
void small_give(void* block) { std::free(static_cast<void**>(block)[-1]); }

#ifdef HADAMARD_ASAN
// AddressSanitizer watches what malloc gave, and what is kept is nobody's to touch.
void* system_take(std::size_t size) { return std::aligned_alloc(kMemoryAlignment, size); }
void system_give(Block block) { std::free(block.address); }
void forbid(Block block) { ASAN_POISON_MEMORY_REGION(block.address, block.size); }
void allow(Block block) { ASAN_UNPOISON_MEMORY_REGION(block.address, block.size); }
#else
constexpr std::size_t kHugePage = 2 << 20;

// Aligned to huge pages: mapped with room to spare, and the spare room given back.
void* system_take(std::size_t size) {
  const std::size_t room = size + kHugePage;
  void* mapped = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(mapped);
  const std::size_t before =
      (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size, room - before - size);
  madvise(begin + before, size, MADV_HUGEPAGE);  // a wish: all is well without it
  return begin + before;
}
void system_give(Block block) { munmap(block.address, block.size); }
void forbid(Block) {}
void allow(Block) {}
#endif

// The freed large blocks, oldest first.
class Keeper {
 public:
  // One of that size, or null.
  void* take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = count_; i-- > 0;) {  // the newest first: it is likeliest to be in a cache
      if (blocks_[i].size == size) return remove(i).address;
    }
    return nullptr;
  }
  // Makes room by returning the oldest ones. False where the block is not to be kept.
  bool keep(Block block) {
    const std::lock_guard lock(mutex_);
    if (block.size > limit_) return false;
    shrink(limit_ - block.size);
    if (count_ == blocks_.size()) system_give(remove(0));
    forbid(block);
    blocks_[count_++] = block;
    total_ += block.size;
    return true;
  }
  void set_limit(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    limit_ = bytes;
    shrink(limit_);
  }
  std::size_t release() {
    const std::lock_guard lock(mutex_);
    const std::size_t released = total_;
    shrink(0);
    return released;
  }

 private:
  void shrink(std::size_t most) {
    while (total_ > most) system_give(remove(0));
  }
  Block remove(std::size_t index) {
    const Block block = blocks_[index];
    for (std::size_t i = index + 1; i < count_; ++i) blocks_[i - 1] = blocks_[i];
    --count_;
    total_ -= block.size;
    allow(block);
    return block;
  }

  std::mutex mutex_;
  std::array<Block, 32> blocks_{};
  std::size_t count_ = 0;
  std::size_t total_ = 0;
  std::size_t limit_ = kDefaultLimit;
};

// Never destroyed: a static tensor may be freed later than any static of ours.
Keeper& keeper() {
  static Keeper& only = *new Keeper;
  return only;
}

}  // namespace

void* take_memory(std::size_t bytes) noexcept {
  if (bytes < kLarge) return small_take(bytes);
  if (bytes > kMostBytes) return nullptr;
  const std::size_t size = round_up(bytes, kSizeUnit);
  if (void* kept = keeper().take(size)) return kept;
  void* block = system_take(size);
  if (block == nullptr && release_memory() > 0) block = system_take(size);
  return block;
}

void give_memory(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return;
  if (bytes < kLarge) return small_give(block);
  const Block large{block, round_up(bytes, kSizeUnit)};
  if (!keeper().keep(large)) system_give(large);
}

void set_kept_memory_limit(std::size_t bytes) noexcept { keeper().set_limit(bytes); }

std::size_t release_memory() noexcept { return keeper().release(); }

}  // namespace hadamard
