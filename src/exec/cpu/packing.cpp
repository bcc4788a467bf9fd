// Bringing elements side by side that lie apart, in vectors where their pattern allows it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/packing.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/packing.hpp"
#include "exec/cpu/targets.hpp"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// An element's bytes, whatever its type: characters may alias anything.
template <std::size_t size>
struct Word {
  unsigned char bytes[size];
};

#if HWY_TARGET == HWY_SCALAR
template <std::size_t size>
std::int64_t gather_vectors(const void*, std::int64_t, std::int64_t, void*) {
  return 0;
}
#else
template <std::size_t size>
using Lane = hwy::UnsignedFromSize<size>;

// A line backwards, or every second, third or fourth element: whole vectors are read, the last of
// which must not reach beyond the last element. Returns how many it did.
template <std::size_t size>
std::int64_t gather_vectors(const void* data, std::int64_t stride, std::int64_t n, void* to) {
  if constexpr (size > 8) {
    return 0;
  } else {
    const hn::ScalableTag<Lane<size> > d;
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    const auto* in = static_cast<const Lane<size>*>(data);
    auto* out = static_cast<Lane<size>*>(to);
    auto v0 = hn::Zero(d), v1 = v0, v2 = v0, v3 = v0;
    std::int64_t i = 0;
    switch (stride) {
      case -1:
        if constexpr (size > 1) {  // Highway 1.0.3 does not reverse bytes
          for (; i + step <= n; i += step) {
            hn::StoreU(hn::Reverse(d, hn::LoadU(d, in - i - step + 1)), d, out + i);
          }
        }
        break;
      case 2:
        for (; i + step < n; i += step) {
          hn::LoadInterleaved2(d, in + 2 * i, v0, v1);
          hn::StoreU(v0, d, out + i);
        }
        break;
      case 3:
        for (; i + step < n; i += step) {
          hn::LoadInterleaved3(d, in + 3 * i, v0, v1, v2);
          hn::StoreU(v0, d, out + i);
        }
        break;
      case 4:
        for (; i + step < n; i += step) {
          hn::LoadInterleaved4(d, in + 4 * i, v0, v1, v2, v3);
          hn::StoreU(v0, d, out + i);
        }
        break;
      default:
        break;
    }
    return i;
  }
}

// Blocks of 16 bytes by 16 bytes: `in` are lines `in_step` apart, which become columns of `out`.
template <class T>
struct Block {
  static constexpr std::int64_t kSide = 16 / sizeof(T);
  using D = hn::Full128<T>;
  using V = hn::Vec<D>;

  HWY_INLINE static void transpose(const T* in, std::int64_t in_step, T* out,
                                   std::int64_t out_step) {
    if constexpr (kSide == 2) {
      V r0 = at(in, in_step, 0), r1 = at(in, in_step, 1);
      interleave(r0, r1);
      put(r0, out, out_step, 0);
      put(r1, out, out_step, 1);
    } else if constexpr (kSide == 4) {
      V r0 = at(in, in_step, 0), r1 = at(in, in_step, 1);
      V r2 = at(in, in_step, 2), r3 = at(in, in_step, 3);
      shuffle(r0, r1, r2, r3);
      shuffle(r0, r1, r2, r3);
      put(r0, out, out_step, 0);
      put(r1, out, out_step, 1);
      put(r2, out, out_step, 2);
      put(r3, out, out_step, 3);
    } else {
      V r0 = at(in, in_step, 0), r1 = at(in, in_step, 1);
      V r2 = at(in, in_step, 2), r3 = at(in, in_step, 3);
      V r4 = at(in, in_step, 4), r5 = at(in, in_step, 5);
      V r6 = at(in, in_step, 6), r7 = at(in, in_step, 7);
      shuffle(r0, r1, r2, r3, r4, r5, r6, r7);
      shuffle(r0, r1, r2, r3, r4, r5, r6, r7);
      shuffle(r0, r1, r2, r3, r4, r5, r6, r7);
      put(r0, out, out_step, 0);
      put(r1, out, out_step, 1);
      put(r2, out, out_step, 2);
      put(r3, out, out_step, 3);
      put(r4, out, out_step, 4);
      put(r5, out, out_step, 5);
      put(r6, out, out_step, 6);
      put(r7, out, out_step, 7);
    }
  }

 private:
  HWY_INLINE static V at(const T* in, std::int64_t step, std::int64_t i) {
    return hn::LoadU(D(), in + i * step);
  }
  HWY_INLINE static void put(V v, T* out, std::int64_t step, std::int64_t i) {
    hn::StoreU(v, D(), out + i * step);
  }
  HWY_INLINE static void interleave(V& x, V& y) {
    const V lower = hn::InterleaveLower(D(), x, y);
    y = hn::InterleaveUpper(D(), x, y);
    x = lower;
  }
  // The perfect shuffle of all elements, as of a deck of cards: log2(kSide) of them transpose.
  HWY_INLINE static void shuffle(V& r0, V& r1, V& r2, V& r3) {
    interleave(r0, r2);
    interleave(r1, r3);
    const V second = r2;
    r2 = r1;
    r1 = second;
  }
  HWY_INLINE static void shuffle(V& r0, V& r1, V& r2, V& r3, V& r4, V& r5, V& r6, V& r7) {
    interleave(r0, r4);
    interleave(r1, r5);
    interleave(r2, r6);
    interleave(r3, r7);
    const V v1 = r4, v2 = r1, v3 = r5, v4 = r2, v5 = r6, v6 = r3;
    r1 = v1;
    r2 = v2;
    r3 = v3;
    r4 = v4;
    r5 = v5;
    r6 = v6;
  }
};
#endif

template <std::size_t size>
void gather(const void* data, std::int64_t stride, std::int64_t n, void* to) {
  const auto* in = static_cast<const Word<size>*>(data);
  auto* out = static_cast<Word<size>*>(to);
  for (std::int64_t i = gather_vectors<size>(data, stride, n, to); i < n; ++i) {
    out[i] = in[i * stride];
  }
}

// Each column is a cache line somewhere else: more of them are asked for than the processor,
// looking ahead by itself, would find. Beyond the end comes the next grid.
constexpr std::int64_t kAhead = 32;  // columns
template <std::size_t size>
HWY_INLINE void ask_for_column(const Word<size>* in, const Grid& grid, std::int64_t column) {
  if (column < grid.columns) {
    hwy::Prefetch(in + column * grid.column_step);
  } else if (grid.ahead != 0) {
    hwy::Prefetch(in + (column - grid.columns) * grid.column_step + grid.ahead);
  }
}

template <std::size_t size>
void transpose_words(const Word<size>* in, const Grid& grid, Word<size>* out) {
  for (std::int64_t c = 0; c < grid.columns; ++c) {
    ask_for_column<size>(in, grid, c + kAhead);
    const Word<size>* const column = in + c * grid.column_step;
    for (std::int64_t r = 0; r < grid.rows; ++r) {
      out[r * grid.line + c] = column[r * grid.row_step];
    }
  }
}

template <std::size_t size>
void transpose(const void* data, const Grid& grid, void* to) {
  const auto* in = static_cast<const Word<size>*>(data);
  auto* out = static_cast<Word<size>*>(to);
  Grid rest = grid;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (size == 2 || size == 4 || size == 8) {
    using T = Lane<size>;
    constexpr std::int64_t kSide = Block<T>::kSide;
    if (grid.row_step == 1) {
      const std::int64_t rows = grid.rows / kSide * kSide;
      const std::int64_t columns = grid.columns / kSide * kSide;
      for (std::int64_t c = 0; c < columns; c += kSide) {
        for (std::int64_t k = c; k < c + kSide; ++k) ask_for_column<size>(in, grid, k + kAhead);
        for (std::int64_t r = 0; r < rows; r += kSide) {
          Block<T>::transpose(static_cast<const T*>(data) + c * grid.column_step + r,
                              grid.column_step, static_cast<T*>(to) + r * grid.line + c, grid.line);
        }
      }
      // What is left: rows below, then columns beside the blocks.
      rest.rows = grid.rows - rows;
      rest.columns = columns;
      transpose_words<size>(in + rows, rest, out + rows * grid.line);
      rest.rows = grid.rows;
      rest.columns = grid.columns - columns;
      in += columns * grid.column_step;
      out += columns;
    }
  }
#endif
  transpose_words<size>(in, rest, out);
}

const Packers* packers_here() {
  static const Packers packers{
      {&gather<1>, &gather<2>, &gather<4>, &gather<8>, &gather<16>},
      {&transpose<1>, &transpose<2>, &transpose<4>, &transpose<8>, &transpose<16>}};
  return &packers;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const Packers* packers(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(packers_here); }

}  // namespace hadamard::exec::cpu
#endif
