// Highway's include guard for per-target headers: seen once for every target.
#if defined(HADAMARD_EXEC_CPU_SIMD_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_SIMD_LOOP_INL_H_
#undef HADAMARD_EXEC_CPU_SIMD_LOOP_INL_H_
#else
#define HADAMARD_EXEC_CPU_SIMD_LOOP_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "exec/cpu/evaluate-inl.h"
#include "exec/cpu/kernel.hpp"
#include "exec/cpu/one_vector-inl.h"
#include "exec/cpu/streaming.hpp"
#include "exec/cpu/zero_note-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How far ahead of a loop with much work memory is asked for where the line comes from memory.
inline constexpr std::int64_t kPrefetchBytes = 1024;
// And of one with little work, where one operand comes from memory: past the caches that will not
// keep it. Where two do, that is a loss, and so are more than two vectors a round.
inline constexpr std::int64_t kOneStreamAhead = 2048;

// Worlds may offer an operator that is one long operation in two stages, begin and finish, with two
// vectors of type Stage between them: World::kStaged<Operator>.
template <class World, class Operator, class = void>
struct IsStaged : std::false_type {};
template <class World, class Operator>
struct IsStaged<World, Operator, std::void_t<typename World::Stage>>
    : std::bool_constant<World::template kStaged<Operator>> {};

// Worlds whose pack() only makes NaNs canonical say of four results whether one is NaN:
// World::any_nan.
template <class World, class = void>
struct MendsNan : std::false_type {};
template <class World>
struct MendsNan<World, std::void_t<decltype(&World::any_nan)>> : std::true_type {};

// A line computed by whole vectors. `World` gives the storage type, loads and stores (which convert
// where the type is computed otherwise than stored), and the arithmetic that the operator's formula
// asks for.
//
// The first and the last vector may overlap their neighbours, so that every store in between is
// aligned and no element needs other code. They are computed before anything is written and written
// last, so the output may be an operand.
template <class Operator, class World, bool kAScalar, bool kBScalar>
class LineLoop {
 public:
  using T = typename World::Storage;
  using V = typename World::V;            // computed with
  using Stored = typename World::Stored;  // written
  // So many vectors a round: where there is little work in each, the loop itself would cost; where
  // there is much, more code is no gain. Divisions of integers take two: then the look at each
  // divisor hides behind the divider.
  // Compiling costs too: only the arithmetic, which is what is measured, has the longer loops.
  static constexpr int kUnroll = !op::is_arithmetic<Operator>        ? 1
                                 : !World::template kHeavy<Operator> ? 4
                                 : std::is_integral_v<T>             ? 2
                                                                     : 1;
  static constexpr bool kTwo = op::arity_of<Operator> == 2;  // else B is A, and of no use
  // Little work, and nothing to convert.
  static constexpr bool kStreamsBare = kUnroll == 4 && std::is_same_v<V, Stored>;
  // Asking for memory ahead, once or twice for each cache line: of integers, whose loops are
  // quicker still, it was a loss of a tenth as often as a gain.
  static constexpr bool kMayAsk = std::is_floating_point_v<T> && World::kMaxLanes * sizeof(T) >= 16;
  // What pack() does stands in the divider's way; it has something to do only where there is a NaN.
  // Elsewhere it costs less than to ask.
  static constexpr bool kMendsNan = kStreamsBare && MendsNan<World>::value && sizeof(T) == 4 &&
                                    op::begins_with_quotient<Operator>;

  // The world is constructed where it is used: a copy would be kept in memory.
  template <class... WorldArguments>
  HWY_INLINE explicit LineLoop(const Line& line, WorldArguments... arguments)
      : world_(arguments...),
        a_(static_cast<const T*>(line.a)),
        b_(static_cast<const T*>(line.b)),
        y_(static_cast<T*>(line.y)),
        n_(line.n),
        a0_(world_.splat(*a_)),
        b0_(world_.splat(*b_)),
        far_(one_of(!kAScalar && !line.a_is_near ? a_ : nullptr,
                    kTwo && !kBScalar && !line.b_is_near ? b_ : nullptr)) {}

  HWY_INLINE bool run(bool stream) {
    const std::int64_t step = World::lanes();
    if (n_ < step) {
      run_short();
      return world_.zero_divisor();
    }
    const Stored head = at(0);
    if (n_ > step) {
      const Stored tail = at(n_ - step);
      const auto bytes = static_cast<std::int64_t>(sizeof(T));
      const auto over = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(y_) %
                                                  static_cast<std::uintptr_t>(step * bytes));
      std::int64_t i = step - over / bytes;  // y + i is aligned
      // A cache line is written in one way only: one that is written past the cache and then, or
      // before, in part by an ordinary store would be read again from memory, while all that
      // follows waits. So [i, whole) is whole cache lines; whole is 0 where there are none, and
      // where elements lie askew, as complex numbers may.
      const std::int64_t whole = stream && over % bytes == 0 ? begin_stream(step, i) : 0;
      stream = whole > 0;
      if constexpr (IsStaged<World, Operator>::value) i = run_stages(i, step, stream);
      if (kStreamsBare && stream) {
        i = kMayAsk && far_ != nullptr ? stream_bare<kMayAsk>(i, whole, step)
                                       : stream_bare<false>(i, whole, step);
      }
      if (kUnroll > 1 && !kStreamsBare && stream) {
        for (; i + kUnroll * step <= whole; i += kUnroll * step) block(i, step, true);
      }
      if (kUnroll == 1 && stream) {
        for (; i + step <= whole; i += step) block(i, step, true);
      }
      if constexpr (kMendsNan) i = run_mending(i, step);
      for (; i + kUnroll * step <= n_; i += kUnroll * step) block(i, step, false);
      for (; i + step <= n_; i += step) world_.store(at(i), y_ + i);
      if (!stream || i < n_) world_.store(tail, y_ + n_ - step);
      if (stream && reinterpret_cast<std::uintptr_t>(y_) % kCacheLine == 0) {
        return world_.zero_divisor();  // the first vector has been written past the cache
      }
    }
    world_.store(head, y_);
    return world_.zero_divisor();
  }
  HWY_INLINE const World& world() const { return world_; }

 private:
  HWY_INLINE Stored at(std::int64_t i) const {
    return result(kAScalar ? a_ : a_ + i, kBScalar ? b_ : b_ + i);
  }
  HWY_INLINE Stored result(const T* pa, const T* pb) const { return world_.pack(computed(pa, pb)); }
  HWY_INLINE V computed(const T* pa, const T* pb) const {
    const V& va = operand<kAScalar>(a0_, pa);
    const V& vb = operand<kBScalar>(b0_, pb);
    return Evaluate<World, V>{world_, va, vb}(op::Formula<Operator>{});
  }
  // No copies: compilers move structures of vectors through memory.
  template <bool kScalar>
  HWY_INLINE decltype(auto) operand(const V& splat, const T* p) const {
    if constexpr (kScalar) {
      return (splat);
    } else {
      return world_.load(p);
    }
  }

  // Writes what lies before the first whole cache line of the output, but for the first vector, and
  // moves i to it. Returns where the last one ends; 0, and i as it was, where there is none.
  HWY_INLINE std::int64_t begin_stream(std::int64_t step, std::int64_t& i) const {
    const auto at_first = reinterpret_cast<std::uintptr_t>(y_);
    const auto first = static_cast<std::int64_t>((0 - at_first) % kCacheLine / sizeof(T));
    const std::int64_t behind = static_cast<std::int64_t>(
        (at_first + static_cast<std::uintptr_t>(n_) * sizeof(T)) % kCacheLine / sizeof(T));
    if (n_ - behind <= first) return 0;
    if (first == 0) {
      i = 0;
    } else {
      for (; i < first; i += step) world_.store(at(i), y_ + i);
    }
    return n_ - behind;
  }

  // Whole cache lines up to `end`, past the cache. Returns where it stopped. (g++ takes a function
  // that only asks for memory for one without effect, and leaves out calls to it.)
  template <bool kAsk>
  HWY_INLINE std::int64_t stream_bare(std::int64_t i, std::int64_t end, std::int64_t step) const {
    for (; i + 2 * step <= end; i += 2 * step) {
      if constexpr (kAsk) {
        __builtin_prefetch(far_ + (i * std::int64_t{sizeof(T)} + kOneStreamAhead), 0, 0);
      }
      const Stored r0 = at(i);
      const Stored r1 = at(i + step);
      world_.stream(r0, y_ + i);
      world_.stream(r1, y_ + i + step);
    }
    return i;
  }

  // Looks at four results at once for a NaN, and mends each only for a while after it has seen one:
  // so the mending costs nothing where there is none, and a wrong guess of the processor's seldom
  // comes where there are many. Returns where it stopped.
  HWY_INLINE std::int64_t run_mending(std::int64_t i, std::int64_t step) const {
    const auto at = [&](std::int64_t j) HWY_ATTR {
      return computed(kAScalar ? a_ : a_ + j, kBScalar ? b_ : b_ + j);
    };
    while (i + 4 * step <= n_) {
      for (; i + 4 * step <= n_; i += 4 * step) {
        const V r0 = at(i);
        const V r1 = at(i + step);
        const V r2 = at(i + 2 * step);
        const V r3 = at(i + 3 * step);
        if (HWY_UNLIKELY(world_.any_nan(r0, r1, r2, r3))) break;
        world_.store(r0, y_ + i);
        world_.store(r1, y_ + i + step);
        world_.store(r2, y_ + i + 2 * step);
        world_.store(r3, y_ + i + 3 * step);
      }
      for (int k = 0; k < 32 && i + 4 * step <= n_; ++k, i += 4 * step) block(i, step, false);
    }
    return i;
  }

  // Begins each vector before the one before it is finished, so that the processor, which looks
  // only so far ahead, always has something to do. Returns where it stopped.
  HWY_INLINE std::int64_t run_stages(std::int64_t i, std::int64_t step, bool stream) const {
    if (i + step > n_) return i;
    typename World::Stage s0, s1, next0, next1;
    world_.template begin<Operator>(operand<kAScalar>(a0_, a_ + i), operand<kBScalar>(b0_, b_ + i),
                                    s0, s1);
    for (; i + 2 * step <= n_; i += step) {
      if (HWY_UNLIKELY(stream)) {
        if (!kAScalar) prefetch(a_ + i, step);
        if (kTwo && !kBScalar) prefetch(b_ + i, step);
      }
      const std::int64_t j = i + step;
      world_.template begin<Operator>(operand<kAScalar>(a0_, a_ + j),
                                      operand<kBScalar>(b0_, b_ + j), next0, next1);
      finish(i, s0, s1, stream);
      s0 = next0;
      s1 = next1;
    }
    finish(i, s0, s1, stream);
    return i + step;
  }
  template <class Stage>
  HWY_INLINE void finish(std::int64_t i, const Stage& s0, const Stage& s1, bool stream) const {
    put(world_.pack(world_.template finish<Operator>(operand<kAScalar>(a0_, a_ + i),
                                                     operand<kBScalar>(b0_, b_ + i), s0, s1)),
        i, stream);
  }

  HWY_INLINE void block(std::int64_t i, std::int64_t step, bool stream) const {
    if (HWY_UNLIKELY(stream)) {
      if (!kAScalar) prefetch(a_ + i, step);
      if (kTwo && !kBScalar) prefetch(b_ + i, step);
    }
    if constexpr (kUnroll == 1) {
      put(at(i), i, stream);
    } else if constexpr (kUnroll == 2) {
      const Stored r0 = at(i);
      const Stored r1 = at(i + step);
      put(r0, i, stream);
      put(r1, i + step, stream);
    } else {  // written out: as a loop over an array it would go through memory
      const Stored r0 = at(i);
      const Stored r1 = at(i + step);
      const Stored r2 = at(i + 2 * step);
      const Stored r3 = at(i + 3 * step);
      put(r0, i, stream);
      put(r1, i + step, stream);
      put(r2, i + 2 * step, stream);
      put(r3, i + 3 * step, stream);
    }
  }
  HWY_INLINE void put(const Stored& v, std::int64_t i, bool stream) const {
    if (HWY_UNLIKELY(stream)) {
      world_.stream(v, y_ + i);
    } else {
      world_.store(v, y_ + i);
    }
  }
  HWY_INLINE static void prefetch(const T* p, std::int64_t step) {
    const auto* byte = reinterpret_cast<const std::uint8_t*>(p) + kPrefetchBytes;
    const auto end = kUnroll * step * static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t offset = 0; offset < end; offset += 64) hwy::Prefetch(byte + offset);
  }

  // The one that there is; null where there are two or none.
  static const std::byte* one_of(const T* a, const T* b) {
    if (a != nullptr && b != nullptr) return nullptr;
    return reinterpret_cast<const std::byte*>(a != nullptr ? a : b);
  }

  // Less than a vector goes through a padded copy.
  HWY_INLINE void run_short() const {
    const std::size_t bytes = static_cast<std::size_t>(n_) * sizeof(T);
    T ta[World::kMaxLanes], tb[World::kMaxLanes], ty[World::kMaxLanes];
    for (std::size_t k = 0; k < World::kMaxLanes; ++k) ta[k] = tb[k] = World::filler();
    if (!kAScalar) std::memcpy(static_cast<void*>(ta), a_, bytes);
    if (!kBScalar) std::memcpy(static_cast<void*>(tb), b_, bytes);
    world_.store(result(ta, tb), ty);
    std::memcpy(static_cast<void*>(y_), ty, bytes);
  }

  World world_;
  const T* const a_;
  const T* const b_;
  T* const y_;
  const std::int64_t n_;
  const V a0_;
  const V b0_;
  const std::byte* const far_;  // the one operand that comes from memory, if it is only one
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
