// Many short lines at once, and two operators one behind the other: what is written to the first
// cache and read there again.
#include <algorithm>
#include <array>
#include <cstring>

#include "exec/cpu/line_packing.hpp"
#include "exec/cpu/line_runner.hpp"
#include "exec/cpu/line_walk.hpp"
#include "exec/cpu/streaming.hpp"

namespace hadamard::exec::cpu {
namespace {

// What the second of two operators reads has just been written and is still in the first cache.
constexpr std::int64_t kFusedBytes = 8 << 10;
// Shorter lines are run in groups.
constexpr std::int64_t kShortLineBytes = 2 << 10;
// So many of them, a step apart, are worth finding their place.
constexpr std::int64_t kColumnsFrom = 8;

}  // namespace

// In blocks: the line goes through memory once. A block that is to be written past the cache comes
// to be on the stack; any other is computed where it belongs and changed there.
bool Kernels::run_both(const Line& whole) const {
  const auto bytes = static_cast<std::int64_t>(element_bytes);
  const std::int64_t size = kFusedBytes / bytes;
  alignas(64) std::byte block[kFusedBytes];
  Line part = whole;
  bool zero_divisor = false;
  for (std::int64_t done = 0; done < whole.n; done += part.n) {
    const auto from = [&](const void* data, bool is_scalar) {
      return static_cast<const std::byte*>(data) + (is_scalar ? 0 : done * bytes);
    };
    part.a = from(whole.a, whole.a_is_scalar);
    part.b = from(whole.b, whole.b_is_scalar);
    std::byte* const y = static_cast<std::byte*>(whole.y) + done * bytes;
    part.n = std::min(size, whole.n - done);
    part.y = whole.stream ? block : y;
    part.stream = false;
    zero_divisor |= line(part);
    then({.a = part.y,
          .b = part.y,
          .y = y,
          .n = part.n,
          .a_is_scalar = false,
          .b_is_scalar = false,
          .stream = whole.stream,
          .a_is_near = true,
          .b_is_near = true});
  }
  return zero_divisor;
}

namespace {

// run_columns stays out of run_groups, whose loop took a fifth longer with it in it.

// Which elements of a stretched operand were put side by side last: where lines repeat, those of
// the next group may be the same.
class Packed {
 public:
  Packed(const plan::Loops& loops, std::size_t k) {
    std::size_t dim = loops.extents.size() - 1;
    line_ = repeats_ = loops.extents[dim];
    while (dim-- > 0 && loops.strides[k][dim] == 0) repeats_ *= loops.extents[dim];
  }
  // Whether elements [begin, begin + n) are the same as the first n of those that are there;
  // if not, they are to be put there.
  bool has(std::int64_t begin, std::int64_t n) {
    const bool same = n <= n_ && begin % line_ == begin_ % line_ &&
                      begin_ / repeats_ == (begin + n - 1) / repeats_ &&
                      begin_ / repeats_ == (begin_ + n - 1) / repeats_;
    if (!same) begin_ = begin, n_ = n;
    return same;
  }

 private:
  std::int64_t line_;
  std::int64_t repeats_;  // elements that are one line over and over
  std::int64_t begin_ = 0, n_ = -1;
};

// Whether lines are ones of A, of one element of B each, and enough of them lie a step apart.
bool are_columns(const plan::Loops& loops, const ColumnsKernel& kernel) {
  const std::size_t inner = loops.extents.size() - 1;
  return kernel.run != nullptr && inner > 0 && loops.extents[inner] >= kernel.shortest &&
         loops.extents[inner - 1] >= kColumnsFrom && loops.strides[kA][inner] == 1 &&
         loops.strides[kB][inner] == 0;
}

[[gnu::noinline]] bool run_columns(const plan::Loops& loops, const Kernels& kernels,
                                   const Places& places, std::int64_t begin, std::int64_t end) {
  const std::size_t inner = loops.extents.size() - 1;
  const std::int64_t n = loops.extents[inner];
  const auto bytes = static_cast<std::int64_t>(kernels.element_bytes);
  const auto address_of = [&](const Place& place, std::int64_t element) {
    return static_cast<const std::byte*>(place.data) + element * bytes;
  };
  bool zero_divisor = false;
  while (begin < end) {
    const LineWalk<3> walk(loops, {kA, kB, kY}, {places.a.offset, places.b.offset, places.y.offset},
                           begin);
    const std::byte* const a = address_of(places.a, walk.at(kA));
    const std::byte* const b = address_of(places.b, walk.at(kB));
    std::byte* const y = const_cast<std::byte*>(address_of(places.y, walk.at(kY)));
    if (walk.within() != 0 || end - begin < n) {  // a part of a line
      const std::int64_t m = std::min(walk.left(), end - begin);
      zero_divisor |= kernels.run({a, b, y, m, false, true, false});
      begin += m;
      continue;
    }
    const std::int64_t extent = loops.extents[inner - 1];
    const std::int64_t lines = std::min(extent - begin / n % extent, (end - begin) / n);
    zero_divisor |=
        kernels.columns.run({a, b, y, lines, n, loops.strides[kA][inner - 1],
                             loops.strides[kB][inner - 1], loops.strides[kY][inner - 1]});
    begin += lines * n;
  }
  return zero_divisor;
}

}  // namespace

// Lines that are shorter than what a kernel takes to begin, many at once: the output's follow one
// another in memory, and so do those of an operand that is not stretched; those of one that is are
// put side by side first.
bool run_groups(const LinePlan& plan, const Kernels& kernels, const Places& places,
                std::int64_t begin, std::int64_t end, bool stream) {
  const plan::Loops& loops = plan.loops;
  if (!stream && are_columns(loops, kernels.columns)) {
    return run_columns(loops, kernels, places, begin, end);
  }
  alignas(64) std::byte packed[2][kFusedBytes];
  const auto bytes = static_cast<std::int64_t>(kernels.element_bytes);
  const std::int64_t size = kFusedBytes / bytes;
  const Place* const at[] = {&places.a, &places.b, &places.y};
  const auto address_of = [&](std::size_t k, std::int64_t element) {
    return static_cast<const std::byte*>(at[k]->data) +
           (at[k]->offset + loops.start[k] + element) * bytes;
  };
  const bool direct[] = {loops.strides[kA] == loops.strides[kY],
                         loops.strides[kB] == loops.strides[kY]};
  Packed kept[2] = {Packed(loops, kA), Packed(loops, kB)};
  // Groups end where cache lines of the output do: those are written past the cache as a whole.
  const auto at_first = reinterpret_cast<std::uintptr_t>(address_of(kY, 0));
  const std::int64_t shift = static_cast<std::int64_t>((0 - at_first) % kCacheLine) / bytes;
  bool zero_divisor = false;
  while (begin < end) {
    const std::int64_t n = std::min(end - begin, size - (begin + size - shift) % size);
    const void* from[2];
    for (const std::size_t k : {kA, kB}) {
      from[k] = direct[k] ? address_of(k, begin) : packed[k];
      if (!direct[k] && !kept[k].has(begin, n)) {
        gather_lines(loops, k, *at[k], kernels.element_bytes, begin, n, packed[k]);
      }
    }
    zero_divisor |= kernels.run(Line{.a = from[kA],
                                     .b = from[kB],
                                     .y = const_cast<std::byte*>(address_of(kY, begin)),
                                     .n = n,
                                     .a_is_scalar = false,
                                     .b_is_scalar = false,
                                     .stream = stream,
                                     .a_is_near = !direct[kA],
                                     .b_is_near = !direct[kB]});
    begin += n;
  }
  return zero_divisor;
}

bool runs_in_groups(const LinePlan& plan) {
  const plan::Loops& loops = plan.loops;
  if (loops.kind != plan::LoopKind::row && loops.kind != plan::LoopKind::column) return false;
  if (is_packed_type(plan.type) || plan.type == DType::real) return false;
  std::int64_t step = 1;
  for (std::size_t dim = loops.extents.size(); dim-- > 0;) {
    if (loops.strides[kY][dim] != step) return false;
    step *= loops.extents[dim];
  }
  return loops.extents[loops.extents.size() - 1] * bits(plan.type) / 8 < kShortLineBytes;
}

}  // namespace hadamard::exec::cpu
