#include "exec/cpu/line_packing.hpp"

#include <algorithm>
#include <cstring>

#include "exec/cpu/line_walk.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec::cpu {
namespace {

// An element's bytes, whatever its type: characters may alias anything.
template <std::size_t size>
struct Word {
  unsigned char bytes[size];
};

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

// An element of `size` bytes, a power of two, as often as 16 bytes hold it. In registers: a load of
// 16 bytes that were just written in pieces would wait for all of them.
using Pattern = std::uint64_t __attribute__((vector_size(16)));
template <class W>
Pattern repeated(const std::byte* element, std::uint64_t ones) {
  W word;
  std::memcpy(&word, element, sizeof word);
  return Pattern{word * ones, word * ones};
}
Pattern pattern_of(const std::byte* element, std::size_t size) {
  switch (size) {
    case 1:
      return repeated<std::uint8_t>(element, 0x0101010101010101);
    case 2:
      return repeated<std::uint16_t>(element, 0x0001000100010001);
    case 4:
      return repeated<std::uint32_t>(element, 0x0000000100000001);
    case 8:
      return repeated<std::uint64_t>(element, 1);
    default:
      Pattern all;
      std::memcpy(&all, element, sizeof all);
      return all;
  }
}

}  // namespace

void gather(DType type, const Packers& packers, const Strided& from, std::int64_t n, void* to) {
  if (type == DType::int4) return gather_nibbles<int4>(from, n, to);
  if (type == DType::uint4) return gather_nibbles<uint4>(from, n, to);
  packers.gather(bytes_of(type))(address(type, from), from.stride, n, to);
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

void repeat(const std::byte* element, std::size_t size, std::int64_t count, std::byte* to) {
  const Pattern pattern = pattern_of(element, size);
  const std::size_t bytes = static_cast<std::size_t>(count) * size;
  if (bytes < sizeof pattern) {
    std::memcpy(to, &pattern, bytes);
    return;
  }
  for (std::size_t i = 0; i + sizeof pattern <= bytes; i += sizeof pattern) {
    std::memcpy(to + i, &pattern, sizeof pattern);
  }
  std::memcpy(to + bytes - sizeof pattern, &pattern, sizeof pattern);
}

void gather_lines(const plan::Loops& loops, std::size_t k, const Place& place, std::size_t size,
                  std::int64_t begin, std::int64_t n, std::byte* to) {
  const auto bytes = static_cast<std::int64_t>(size);
  for (LineWalk<1> walk(loops, {k}, {place.offset}, begin);; walk.next()) {
    const std::int64_t m = std::min(walk.left(), n);
    const std::byte* const from = static_cast<const std::byte*>(place.data) + walk.at(0) * bytes;
    if (walk.step(0) == 0) {
      repeat(from, size, m, to);
    } else {
      std::memcpy(to, from, static_cast<std::size_t>(m * bytes));
    }
    n -= m;
    if (n == 0) return;
    to += m * bytes;
  }
}

}  // namespace hadamard::exec::cpu
