// What no program can beat on this machine: reading the operands once and writing the result once,
// and the divider's throughput. Compiled for this machine's CPU.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "contender.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace bench {
namespace {

constexpr std::int64_t kLine = 64;  // bytes

// A second thread that is there already. It watches for work for a while after the last, then
// sleeps, so that it is in nobody's way.
class Helper {
 public:
  Helper() : thread_([this] { loop(); }) {}
  ~Helper() {
    work_ = nullptr;
    ++posted_;
    posted_.notify_one();
    thread_.join();
  }
  template <class Work>
  void both(const Work& work) {
    context_ = &work;
    work_ = [](const void* context) { (*static_cast<const Work*>(context))(1); };
    const int ticket = ++posted_;
    posted_.notify_one();
    work(0);
    while (done_.load(std::memory_order_acquire) != ticket) pause();
  }

 private:
  static void pause() {
#ifdef __AVX2__
    _mm_pause();
#endif
  }
  void loop() {
    for (int seen = 0;;) {
      for (int i = 0; i < 20000 && posted_.load(std::memory_order_acquire) == seen; ++i) pause();
      posted_.wait(seen);
      seen = posted_.load(std::memory_order_acquire);
      if (work_ == nullptr) return;
      work_(context_);
      done_.store(seen, std::memory_order_release);
    }
  }
  std::atomic<int> posted_{0}, done_{0};
  void (*work_)(const void*) = nullptr;
  const void* context_ = nullptr;
  std::thread thread_;
};

// One for all variants, so that it is there before its place is chosen (threads_placed in
// measure.py).
Helper& the_helper() {
  static Helper helper;
  return helper;
}

struct Streams {
  const char* a;
  const char* b;
  char* y;
  std::int64_t a_bytes, b_bytes, y_bytes;
};

#ifdef __AVX2__
using Vector = __m256i;
inline Vector load(const char* p) { return _mm256_loadu_si256(reinterpret_cast<const Vector*>(p)); }
template <bool kPast>
inline void store(char* p, Vector v) {
  if constexpr (kPast) {
    _mm256_stream_si256(reinterpret_cast<Vector*>(p), v);
  } else {
    _mm256_storeu_si256(reinterpret_cast<Vector*>(p), v);
  }
}
inline Vector mix(Vector a, Vector b) { return _mm256_xor_si256(a, b); }
template <int kAhead>
inline void fetch(const char* p) {
  if constexpr (kAhead > 0) _mm_prefetch(p + kAhead, _MM_HINT_NTA);
}
inline void settle_stores() { _mm_sfence(); }
#else
struct Vector {
  std::uint64_t v[4];
};
inline Vector load(const char* p) {
  Vector v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <bool kPast>
inline void store(char* p, Vector v) {
  std::memcpy(p, &v, sizeof v);
}
inline Vector mix(Vector a, Vector b) {
  for (int i = 0; i < 4; ++i) a.v[i] ^= b.v[i];
  return a;
}
template <int kAhead>
inline void fetch(const char* p) {
  if constexpr (kAhead > 0) __builtin_prefetch(p + kAhead, 0, 0);
}
inline void settle_stores() {}
#endif

// y = a ^ b, where there is a b, for whole blocks of kLines cache lines; returns the bytes done.
template <bool kPast, int kLines, int kAhead, bool kTwo>
std::int64_t blocks(const char* a, const char* b, char* y, std::int64_t bytes) {
  constexpr std::int64_t kBlock = kLines * kLine;
  constexpr std::int64_t kWidth = sizeof(Vector);
  std::int64_t i = 0;
  for (; i + kBlock <= bytes; i += kBlock) {
    for (std::int64_t j = 0; j < kBlock; j += kLine) {
      fetch<kAhead>(a + i + j);
      if constexpr (kTwo) fetch<kAhead>(b + i + j);
    }
    Vector v[kBlock / kWidth];
#pragma GCC unroll 16
    for (std::int64_t j = 0; j < kBlock / kWidth; ++j) {
      v[j] = load(a + i + j * kWidth);
      if constexpr (kTwo) v[j] = mix(v[j], load(b + i + j * kWidth));
    }
#pragma GCC unroll 16
    for (std::int64_t j = 0; j < kBlock / kWidth; ++j) store<kPast>(y + i + j * kWidth, v[j]);
  }
  return i;
}

// The same for whole words W of bytes [i, end); returns where it stopped.
template <class W, bool kTwo>
inline std::int64_t words(const char* a, const char* b, char* y, std::int64_t i, std::int64_t end) {
  for (; i + static_cast<std::int64_t>(sizeof(W)) <= end; i += sizeof(W)) {
    W v, w = 0;
    std::memcpy(&v, a + i, sizeof v);
    if constexpr (kTwo) std::memcpy(&w, b + i, sizeof w);
    v = static_cast<W>(v ^ w);
    std::memcpy(y + i, &v, sizeof v);
  }
  return i;
}

// Bytes [first, last) of y. The longer operand is read beside y; where the other has ended (it is
// broadcast, or a scalar), only one is left to read.
template <bool kPast, int kLines, int kAhead>
inline void copy(const Streams& s, std::int64_t first, std::int64_t last) {
  const bool swap = s.b_bytes > s.a_bytes;
  const char* longer = swap ? s.b : s.a;
  const char* shorter = swap ? s.a : s.b;
  const std::int64_t end_one = std::min(last, std::max(s.a_bytes, s.b_bytes));
  const std::int64_t end_two = std::clamp(std::min(s.a_bytes, s.b_bytes), first, end_one);
  std::int64_t i = first;
  i += blocks<kPast, kLines, kAhead, true>(longer + i, shorter + i, s.y + i, end_two - i);
  for (; i + 32 <= end_two; i += 32)
    store<false>(s.y + i, mix(load(longer + i), load(shorter + i)));
  i = words<std::uint64_t, true>(longer, shorter, s.y, i, end_two);
  i = words<std::uint32_t, true>(longer, shorter, s.y, i, end_two);
  i = words<std::uint8_t, true>(longer, shorter, s.y, i, end_two);
  const std::int64_t line = std::min(end_one, (i + kLine - 1) / kLine * kLine);
  i = words<std::uint8_t, false>(longer, nullptr, s.y, i, line);
  i += blocks<kPast, kLines, kAhead, false>(longer + i, nullptr, s.y + i, end_one - i);
  for (; i + 32 <= end_one; i += 32) store<false>(s.y + i, load(longer + i));
  i = words<std::uint64_t, false>(longer, nullptr, s.y, i, end_one);
  i = words<std::uint32_t, false>(longer, nullptr, s.y, i, end_one);
  words<std::uint8_t, false>(longer, nullptr, s.y, i, end_one);
  if constexpr (kPast) settle_stores();
}

// Bytes of the distinct elements of an operand.
std::int64_t bytes_of(const HbOperand& o, std::string_view type) {
  std::int64_t bits = 8;
  if (type.ends_with("128")) {
    bits = 128;
  } else if (type.ends_with("64")) {
    bits = 64;
  } else if (type.ends_with("32")) {
    bits = 32;
  } else if (type.ends_with("16")) {
    bits = 16;
  } else if (type.ends_with("4")) {
    bits = 4;
  }
  std::int64_t n = 1;
  for (std::int64_t i = 0; i < o.rank; ++i) {
    if (o.strides[i] != 0) n *= o.shape[i];
  }
  return (n * bits + 7) / 8;
}

// For a few elements: three arrays of one length, nothing unrolled, nothing to decide.
inline void copy_small(const Streams& s) {
  std::int64_t i = 0;
  for (; i + 32 <= s.y_bytes; i += 32) store<false>(s.y + i, mix(load(s.a + i), load(s.b + i)));
  for (; i + 4 <= s.y_bytes; i += 4) {
    std::uint32_t v, w;
    std::memcpy(&v, s.a + i, sizeof v);
    std::memcpy(&w, s.b + i, sizeof w);
    v ^= w;
    std::memcpy(s.y + i, &v, sizeof v);
    asm volatile("");  // at most seven words are left: not worth vectors
  }
  for (; i < s.y_bytes; ++i) {
    s.y[i] = static_cast<char>(s.a[i] ^ s.b[i]);
    asm volatile("");
  }
}

// A class per variant: at tiny sizes a call between two repetitions would be most of the time.
template <bool kPast, int kLines, int kAhead>
class Limit : public Contender {
 public:
  explicit Limit(const HbCase& c) : threads_(c.threads) {
    const auto pointer = [](const HbOperand& o) { return static_cast<char*>(o.data); };
    const std::string_view type = c.type;
    s_ = {pointer(c.a),        pointer(c.b),        pointer(c.y),
          bytes_of(c.a, type), bytes_of(c.b, type), bytes_of(c.y, type)};
  }
  static std::unique_ptr<Contender> make(const HbCase& c) { return std::make_unique<Limit>(c); }
  void run(std::int64_t calls) override {
    if (threads_ < 2) {
      repeat(calls, 0, s_.y_bytes);
      return;
    }
    const std::int64_t middle = s_.y_bytes / 2 / 4096 * 4096;
    the_helper().both([&](int which) {
      repeat(calls, which == 0 ? 0 : middle, which == 0 ? middle : s_.y_bytes);
    });
  }

 private:
  void repeat(std::int64_t calls, std::int64_t first, std::int64_t last) const {
    const Streams s = s_;
    for (std::int64_t i = 0; i < calls; ++i) {
      copy<kPast, kLines, kAhead>(s, first, last);
      keep_memory();
    }
  }
  std::int32_t threads_;
  Streams s_{};
};

class SmallLimit : public Contender {
 public:
  explicit SmallLimit(const HbCase& c)
      : s_{static_cast<char*>(c.a.data), static_cast<char*>(c.b.data), static_cast<char*>(c.y.data),
           bytes_of(c.a, c.type),        bytes_of(c.b, c.type),        bytes_of(c.y, c.type)} {
    if (s_.a_bytes != s_.y_bytes || s_.b_bytes != s_.y_bytes || c.threads > 1) {
      throw Unsupported{"three arrays of one length, one thread"};
    }
  }
  static std::unique_ptr<Contender> make(const HbCase& c) {
    return std::make_unique<SmallLimit>(c);
  }
  void run(std::int64_t calls) override {
    const Streams s = s_;
    for (std::int64_t i = 0; i < calls; ++i) {
      copy_small(s);
      keep_memory();
    }
  }

 private:
  Streams s_;
};

using Make = std::unique_ptr<Contender> (*)(const HbCase&);
constexpr std::pair<std::string_view, Make> kVariants[] = {
    {"small", SmallLimit::make},
    {"plain1", Limit<false, 1, 0>::make},
    {"plain2", Limit<false, 2, 0>::make},
    {"plain4", Limit<false, 4, 0>::make},
    {"plain2p512", Limit<false, 2, 512>::make},
    {"stream1", Limit<true, 1, 0>::make},
    {"stream1p512", Limit<true, 1, 512>::make},
    {"stream1p1024", Limit<true, 1, 1024>::make},
    {"stream2p512", Limit<true, 2, 512>::make},
    {"stream2p1024", Limit<true, 2, 1024>::make},
    {"stream2p2048", Limit<true, 2, 2048>::make},
    {"stream4p1024", Limit<true, 4, 1024>::make},
    {"stream4p2048", Limit<true, 4, 2048>::make},
};

// A call is kCount divisions, of each of two threads at the same time where the case has two: cores
// of a virtual machine may share a divider.
template <class T>
class Divider : public Contender {
 public:
  explicit Divider(const HbCase& c) : threads_(c.threads) {}
  void run(std::int64_t calls) override {
    if (threads_ < 2) {
      numbers_[0].divide(calls);
    } else {
      the_helper().both([&](int which) { numbers_[which].divide(calls); });
    }
  }

 private:
  static constexpr int kCount = 1024;
  struct Numbers {
    Numbers() {
      for (int j = 0; j < kCount; ++j) {
        a[j] = static_cast<T>(1 + j % 7) / static_cast<T>(3);
        b[j] = static_cast<T>(1 + j % 11) / static_cast<T>(7);
      }
    }
    void divide(std::int64_t calls) {
      for (std::int64_t i = 0; i < calls; ++i) {
        for (int j = 0; j < kCount; ++j) y[j] = a[j] / b[j];
        keep_memory();
      }
    }
    alignas(64) T a[kCount];
    alignas(64) T b[kCount];
    alignas(64) T y[kCount];
  };
  std::int32_t threads_;
  Numbers numbers_[2];
};

}  // namespace

const char* limit_variants() {
  static const std::string names = [] {
    std::string text;
    for (const auto& [name, make] : kVariants) text += std::string(name) + ' ';
    return text;
  }();
  return names.c_str();
}

std::unique_ptr<Contender> make_limit(std::string_view variant, const HbCase& c) {
  for (const auto& [name, make] : kVariants) {
    if (name == variant) return make(c);
  }
  throw Unsupported{"no such variant of the limit: " + std::string(variant)};
}

std::unique_ptr<Contender> make_divider(const HbCase& c) {
  const std::string_view type = c.type;
  if (type == "fp32") return std::make_unique<Divider<float>>(c);
  if (type == "fp64") return std::make_unique<Divider<double>>(c);
  throw Unsupported{"the divider's limit is known for fp32 and fp64"};
}

}  // namespace bench
