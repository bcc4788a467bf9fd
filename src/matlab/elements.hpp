// Loops over the elements of values, for what the operator list has not.
#pragma once

#include <complex>
#include <cstdint>
#include <utility>

#include "base/fail.hpp"
#include "base/threads.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

template <class T>
const T* data_of(const Value& value) {
  return static_cast<const T*>(value.elements().data());
}
template <class T>
T* data_of(Tensor& tensor) {
  return static_cast<T*>(tensor.data());
}

inline Tensor uninitialized(DType type, const Dims& size) {
  return Tensor::uninitialized(type, size, Order::column_major);
}

// Calls f with an element of the type that the value's elements have, complex ones left out.
template <class F>
decltype(auto) with_real_type(DType type, F&& f) {
  switch (type) {
    case DType::fp64:
      return f(double{});
    case DType::fp32:
      return f(float{});
    case DType::bool_:
      return f(bool{});
    case DType::int8:
      return f(std::int8_t{});
    case DType::int16:
      return f(std::int16_t{});
    case DType::int32:
      return f(std::int32_t{});
    case DType::int64:
      return f(std::int64_t{});
    case DType::uint8:
      return f(std::uint8_t{});
    case DType::uint16:
      return f(std::uint16_t{});
    case DType::uint32:
      return f(std::uint32_t{});
    case DType::uint64:
      return f(std::uint64_t{});
    default:
      fail(ErrorCode::internal, "no elements of a real class");
  }
}

// out[k] = f(x[k]), on several threads. f must not throw.
template <class X, class Y, class F>
void for_each(std::int64_t count, const X* x, Y* out, F f) {
  for_chunks(count, std::int64_t{1} << 16, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) out[k] = f(x[k]);
  });
}

// The expansion of two sizes as lines: along a line both operands move by one element, or one of
// them stays where it is.
struct ExpandedLines {
  ExpandedLines(const Dims& a, const Dims& b, const Dims& y);
  // Where in A and B the given line begins.
  std::pair<std::int64_t, std::int64_t> begin_of(std::int64_t line) const;

  std::int64_t length = 1, count = 1;
  bool a_moves = true, b_moves = true;

 private:
  Dims extents_, a_strides_, b_strides_;  // of the dimensions outside the line
};

// A stretch of n elements of the expansion: where it begins in A, in B and in the result.
struct ExpandedLine {
  std::int64_t a, b, y, n;
  bool a_moves, b_moves;
};

// f(ExpandedLine) for all of the expanded size, on several threads. f must not throw.
template <class F>
void for_lines(const Dims& a, const Dims& b, const Dims& y, F f) {
  const ExpandedLines lines(a, b, y);
  constexpr std::int64_t kGrain = 1 << 16;
  if (lines.count == 1) {
    for_chunks(lines.length, kGrain, [&](std::int64_t begin, std::int64_t end) {
      f(ExpandedLine{lines.a_moves ? begin : 0, lines.b_moves ? begin : 0, begin, end - begin,
                     lines.a_moves, lines.b_moves});
    });
    return;
  }
  const std::int64_t grain = kGrain / (lines.length + 1) + 1;
  for_chunks(lines.count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t l = begin; l < end; ++l) {
      const auto [i, j] = lines.begin_of(l);
      f(ExpandedLine{i, j, l * lines.length, lines.length, lines.a_moves, lines.b_moves});
    }
  });
}

// out[k] = f(x[i], z[j]) for every place k of the expanded size, on several threads. f must not
// throw.
template <class X, class Z, class Y, class F>
void for_expanded(const Dims& a, const Dims& b, const Dims& y, const X* x, const Z* z, Y* out,
                  F f) {
  for_lines(a, b, y, [=](const ExpandedLine& line) {
    const X* const p = x + line.a;
    const Z* const q = z + line.b;
    Y* const r = out + line.y;
    if (line.a_moves && line.b_moves) {
      for (std::int64_t k = 0; k < line.n; ++k) r[k] = f(p[k], q[k]);
    } else if (line.a_moves) {
      for (std::int64_t k = 0; k < line.n; ++k) r[k] = f(p[k], *q);
    } else {
      for (std::int64_t k = 0; k < line.n; ++k) r[k] = f(*p, q[k]);
    }
  });
}

// f(place in A, place in B) for every place of the expanded size, in column-major order.
template <class F>
void for_places(const Dims& a, const Dims& b, const Dims& y, F&& f) {
  const ExpandedLines lines(a, b, y);
  for (std::int64_t l = 0; l < lines.count; ++l) {
    const auto [i, j] = lines.begin_of(l);
    for (std::int64_t k = 0; k < lines.length; ++k) {
      f(i + (lines.a_moves ? k : 0), j + (lines.b_moves ? k : 0));
    }
  }
}

}  // namespace hadamard::matlab
