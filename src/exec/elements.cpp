#include "exec/elements.hpp"

#include <array>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "base/threads.hpp"
#include "exec/ref/world.hpp"
#include "op/cast.hpp"
#include "op/where.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec {
namespace {

// Elements to a chunk: even, so that no two chunks share a byte of 4-bit elements.
constexpr std::int64_t kGrain = 1 << 16;

// Where a line of an operand begins, in elements, and how far apart its elements are.
struct Line {
  const void* data;
  std::int64_t first;
  std::int64_t stride;
};

// Calls line(lines, n) for lines that cover all of a shape: the whole at once, in chunks on several
// threads, where every operand lies in one line, else by rows.
template <std::size_t N, class F>
void for_lines(const std::array<const ConstView*, N>& views, F line) {
  const Dims& shape = views[0]->shape();
  const std::int64_t count = element_count(shape);
  if (count == 0) return;
  std::array<Line, N> lines;
  bool one_line = true;
  for (std::size_t k = 0; k < N; ++k) {
    lines[k] = {views[k]->data(), views[k]->offset(), 1};
    one_line = one_line && views[k]->layout().is_contiguous();
  }
  if (one_line) {
    const bool odd = views[N - 1]->offset() % 2 != 0 && is_packed_type(views[N - 1]->dtype());
    for_chunks(count, odd ? count : kGrain, [&](std::int64_t begin, std::int64_t end) {
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

template <class To, class From>
void convert_line(const std::array<Line, 2>& lines, std::int64_t n) {
  const auto& [from, to] = lines;
  for (std::int64_t i = 0; i < n; ++i) {
    store_element<To>(
        const_cast<void*>(to.data), to.first + i * to.stride,
        op::Cast::apply<To>(load_element<From>(from.data, from.first + i * from.stride)));
  }
}

template <class T>
void select_line(const std::array<Line, 4>& lines, std::int64_t n) {
  const auto& [condition, a, b, to] = lines;
  const ref::World world(IntDivision::floor);
  for (std::int64_t i = 0; i < n; ++i) {
    const bool first = load_element<bool>(condition.data, condition.first + i * condition.stride);
    store_element<T>(const_cast<void*>(to.data), to.first + i * to.stride,
                     op::Where::apply(world, first, load_element<T>(a.data, a.first + i * a.stride),
                                      load_element<T>(b.data, b.first + i * b.stride)));
  }
}

}  // namespace

void convert(const ConstView& from, const View& to) {
  const ConstView& target = to;
  with_type(from.dtype(), [&](auto f) {
    with_type(to.dtype(), [&](auto t) {
      using From = typename decltype(f)::type;
      using To = typename decltype(t)::type;
      if constexpr (op::Cast::kDefined<To, From>) {
        for_lines<2>({&from, &target}, convert_line<To, From>);
      } else {
        fail(ErrorCode::unsupported_type, "there is no conversion of {} to {}", name(from.dtype()),
             name(to.dtype()));
      }
    });
  });
}

void select(const ConstView& condition, const ConstView& a, const ConstView& b, const View& to) {
  const ConstView& target = to;
  with_type(to.dtype(), [&](auto t) {
    for_lines<4>({&condition, &a, &b, &target}, select_line<typename decltype(t)::type>);
  });
}

}  // namespace hadamard::exec
