#include "exec/cpu/line_runner.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "tensor/element.hpp"

namespace hadamard::exec::cpu {
namespace {

using plan::kA;
using plan::kB;
using plan::kY;

// Every loop has an extent of at least 2 and their product is at most 2^62.
constexpr std::size_t kMaxLoops = 64;
constexpr std::int64_t kBlock = 512;     // elements packed at a time
constexpr std::size_t kMaxElement = 16;  // bytes: complex128

// A line in memory: where its elements are, in elements of the tensor's own storage.
struct Strided {
  const void* data;
  std::int64_t first;
  std::int64_t stride;
};

// An element's bytes, whatever its type: characters may alias anything.
template <std::size_t size>
struct Word {
  unsigned char bytes[size];
};

template <class W>
void gather_words(const Strided& from, std::int64_t n, void* to) {
  const auto* data = static_cast<const W*>(from.data) + from.first;
  auto* out = static_cast<W*>(to);
  for (std::int64_t i = 0; i < n; ++i) out[i] = data[i * from.stride];
}
template <class W>
void scatter_words(const void* from, std::int64_t n, const Strided& to) {
  const auto* in = static_cast<const W*>(from);
  auto* data = const_cast<W*>(static_cast<const W*>(to.data)) + to.first;
  for (std::int64_t i = 0; i < n; ++i) data[i * to.stride] = in[i];
}

template <class T>
void gather_nibbles(const Strided& from, std::int64_t n, void* to) {
  auto* out = static_cast<decltype(T::value)*>(to);
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = load_element<T>(from.data, from.first + i * from.stride).value;
  }
}
template <class T>
void scatter_nibbles(const void* from, std::int64_t n, const Strided& to) {
  const auto* in = static_cast<const decltype(T::value)*>(from);
  for (std::int64_t i = 0; i < n; ++i) {
    store_element<T>(const_cast<void*>(to.data), to.first + i * to.stride, T(in[i]));
  }
}

void gather(DType type, const Strided& from, std::int64_t n, void* to) {
  switch (bits(type)) {
    case 4:
      return type == DType::int4 ? gather_nibbles<int4>(from, n, to)
                                 : gather_nibbles<uint4>(from, n, to);
    case 8:
      return gather_words<Word<1>>(from, n, to);
    case 16:
      return gather_words<Word<2>>(from, n, to);
    case 32:
      return gather_words<Word<4>>(from, n, to);
    case 64:
      return gather_words<Word<8>>(from, n, to);
    default:
      return gather_words<Word<16>>(from, n, to);
  }
}
void scatter(DType type, const void* from, std::int64_t n, const Strided& to) {
  switch (bits(type)) {
    case 4:
      return type == DType::int4 ? scatter_nibbles<int4>(from, n, to)
                                 : scatter_nibbles<uint4>(from, n, to);
    case 8:
      return scatter_words<Word<1>>(from, n, to);
    case 16:
      return scatter_words<Word<2>>(from, n, to);
    case 32:
      return scatter_words<Word<4>>(from, n, to);
    case 64:
      return scatter_words<Word<8>>(from, n, to);
    default:
      return scatter_words<Word<16>>(from, n, to);
  }
}

const void* address(DType type, const Strided& line) {
  return static_cast<const std::byte*>(line.data) + line.first * (bits(type) / 8);
}

// A line whose elements do not lie side by side: in blocks through the stack. Elements are read
// before any of their block is written, so an output that is an operand is fine.
bool run_packed(DType type, Kernel kernel, std::array<Strided, 3> lines, std::int64_t n) {
  alignas(64) std::byte a[kBlock * kMaxElement];
  alignas(64) std::byte b[kBlock * kMaxElement];
  alignas(64) std::byte y[kBlock * kMaxElement];
  bool zero_divisor = false;
  for (std::int64_t done = 0; done < n; done += kBlock) {
    const std::int64_t m = std::min(kBlock, n - done);
    gather(type, lines[kA], m, a);
    gather(type, lines[kB], m, b);
    zero_divisor |= kernel(Line{a, b, y, m, false, false});
    scatter(type, y, m, lines[kY]);
    for (Strided& line : lines) line.first += m * line.stride;
  }
  return zero_divisor;
}

// Exact rationals own memory: they are computed where they are, one by one.
bool run_in_place(Kernel kernel, const std::array<Strided, 3>& lines, std::int64_t n) {
  bool zero_divisor = false;
  const auto at = [&](std::size_t k, std::int64_t i) {
    return static_cast<const Real*>(lines[k].data) + lines[k].first + i * lines[k].stride;
  };
  for (std::int64_t i = 0; i < n; ++i) {
    zero_divisor |=
        kernel(Line{at(kA, i), at(kB, i), const_cast<Real*>(at(kY, i)), 1, false, false});
  }
  return zero_divisor;
}

bool run_line(DType type, Kernel kernel, const std::array<Strided, 3>& lines, std::int64_t n,
              bool stream) {
  const auto lies = [&](std::size_t k) { return lines[k].stride == 1 || lines[k].stride == 0; };
  const bool both_scalar = lines[kA].stride == 0 && lines[kB].stride == 0;
  if (is_packed_type(type)) return run_packed(type, kernel, lines, n);
  if (lines[kY].stride == 1 && lies(kA) && lies(kB) && !(both_scalar && n > 1)) {
    return kernel(Line{address(type, lines[kA]), address(type, lines[kB]),
                       const_cast<void*>(address(type, lines[kY])), n, lines[kA].stride == 0,
                       lines[kB].stride == 0, stream});
  }
  if (type == DType::real) return run_in_place(kernel, lines, n);
  return run_packed(type, kernel, lines, n);
}

}  // namespace

bool run_range(const plan::Plan& plan, Kernel kernel, const Places& places, std::int64_t begin,
               std::int64_t end, bool stream) {
  const plan::Loops& loops = plan.loops;
  const std::size_t rank = loops.extents.size();
  const std::size_t inner = rank - 1;
  std::array<Strided, 3> lines = {{{places.a.data, places.a.offset + loops.start[kA], 0},
                                   {places.b.data, places.b.offset + loops.start[kB], 0},
                                   {places.y.data, places.y.offset + loops.start[kY], 0}}};
  std::array<std::int64_t, kMaxLoops> index{};
  std::int64_t rest = begin;
  for (std::size_t dim = rank; dim-- > 0;) {
    index[dim] = rest % loops.extents[dim];
    rest /= loops.extents[dim];
    for (std::size_t k = 0; k < 3; ++k) lines[k].first += index[dim] * loops.strides[k][dim];
  }
  for (std::size_t k = 0; k < 3; ++k) lines[k].stride = loops.strides[k][inner];

  bool zero_divisor = false;
  while (begin < end) {
    const std::int64_t n = std::min(loops.extents[inner] - index[inner], end - begin);
    zero_divisor |= run_line(plan.dtype, kernel, lines, n, stream);
    begin += n;
    if (begin == end) break;
    // To the start of the next line.
    for (std::size_t k = 0; k < 3; ++k) lines[k].first -= index[inner] * lines[k].stride;
    index[inner] = 0;
    for (std::size_t dim = inner; dim-- > 0;) {
      for (std::size_t k = 0; k < 3; ++k) lines[k].first += loops.strides[k][dim];
      if (++index[dim] < loops.extents[dim]) break;
      for (std::size_t k = 0; k < 3; ++k) {
        lines[k].first -= loops.strides[k][dim] * loops.extents[dim];
      }
      index[dim] = 0;
    }
  }
  return zero_divisor;
}

}  // namespace hadamard::exec::cpu
