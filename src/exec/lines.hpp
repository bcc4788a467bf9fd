// Walking through tensors of one shape line by line, for what is not planned.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/float_env.hpp"
#include "base/threads.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec {

// Elements to a chunk: even, so that no two chunks share a byte of 4-bit elements.
inline constexpr std::int64_t kLineGrain = 1 << 16;

// Where a line of an operand begins, in elements, and how far apart its elements are.
struct Line {
  const void* data;
  std::int64_t first;
  std::int64_t stride;
};

// y[i] = f(x[i]) for elements that lie side by side, in pieces of a known length, which the
// compiler makes vectors of.
template <class From, class To, class F>
void map_contiguous(const From* __restrict x, To* __restrict y, std::int64_t n, F f) {
  constexpr std::int64_t kPiece = 16;
  std::int64_t i = 0;
  for (; i + kPiece <= n; i += kPiece) {
    for (std::int64_t k = 0; k < kPiece; ++k) y[i + k] = f(x[i + k]);
  }
  for (; i < n; ++i) y[i] = f(x[i]);
}

// Whether the first dimension is the one to walk along.
inline bool runs_by_columns(const Dims& strides) noexcept {
  return strides.size() > 1 && std::abs(strides[0]) < std::abs(strides[strides.size() - 1]);
}

// Calls line(lines, n) for lines that cover all of a shape, which all views have: the whole at
// once, in chunks on several threads, where every one lies in one line, else by those lines that
// are nearest together in the last view.
template <std::size_t N, class F>
void for_lines(const std::array<const ConstView*, N>& views, F line) {
  const Dims& shape = views[0]->shape();
  const std::int64_t count = element_count(shape);
  if (count == 0) return;
  if (runs_by_columns(views[N - 1]->strides())) {
    std::vector<ConstView> turned;
    std::array<const ConstView*, N> those;
    for (const ConstView* view : views) turned.push_back(view->transposed());
    for (std::size_t k = 0; k < N; ++k) those[k] = &turned[k];
    return for_lines<N>(those, std::move(line));
  }
  std::array<Line, N> lines;
  bool one_line = true;
  for (std::size_t k = 0; k < N; ++k) {
    lines[k] = {views[k]->data(), views[k]->offset(), 1};
    one_line = one_line && views[k]->layout().is_contiguous();
  }
  if (one_line) {
    const bool odd = views[N - 1]->offset() % 2 != 0 && is_packed_type(views[N - 1]->dtype());
    for_chunks(count, odd ? count : kLineGrain, [&](std::int64_t begin, std::int64_t end) {
      const ScopedFloatEnv env;
      std::array<Line, N> part = lines;
      for (Line& l : part) l.first += begin;
      line(part, end - begin);
    });
    return;
  }
  const ScopedFloatEnv env;
  Dims rows = shape;
  const std::size_t last = shape.size() - 1;
  rows[last] = 1;
  const Dims* strides[N];
  for (std::size_t k = 0; k < N; ++k) {
    strides[k] = &views[k]->strides();
    lines[k].stride = views[k]->strides()[last];
  }
  for (IndexWalk<N> walk(rows, strides); !walk.done(); walk.next()) {
    std::array<Line, N> row = lines;
    for (std::size_t k = 0; k < N; ++k) row[k].first += walk.offset(k);
    line(row, shape[last]);
  }
}

}  // namespace hadamard::exec
