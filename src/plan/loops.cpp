#include "plan/loops.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace hadamard::plan {
namespace {

struct Dim {
  std::int64_t extent;
  std::vector<std::int64_t> stride;  // of each operand
};

// Dimensions of extent above 1, the output's largest steps first, the output's steps made positive.
std::vector<Dim> order_dims(const Dims& shape, std::span<const Dims> strides, Loops& loops) {
  const std::size_t lead = strides.size() - 1;
  std::vector<Dim> dims;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    Dim dim{shape[i], {}};
    for (const Dims& of : strides) dim.stride.push_back(of[i]);
    if (dim.stride[lead] < 0) {
      for (std::size_t k = 0; k < strides.size(); ++k) {
        loops.start[k] += dim.stride[k] * (dim.extent - 1);
        dim.stride[k] = -dim.stride[k];
      }
    }
    dims.push_back(std::move(dim));
  }
  // Insertion, because it is stable: dimensions of equal stride keep their order.
  for (std::size_t i = 1; i < dims.size(); ++i) {
    for (std::size_t j = i; j > 0 && dims[j - 1].stride[lead] < dims[j].stride[lead]; --j) {
      std::swap(dims[j - 1], dims[j]);
    }
  }
  return dims;
}

// Neighbouring dimensions that every operand walks through in one go become one.
std::vector<Dim> collapse(std::vector<Dim> dims) {
  std::vector<Dim> merged;
  for (Dim& inner : dims) {
    if (!merged.empty()) {
      Dim& outer = merged.back();
      bool one_go = true;
      for (std::size_t k = 0; k < inner.stride.size(); ++k) {
        one_go = one_go && outer.stride[k] == inner.stride[k] * inner.extent;
      }
      if (one_go) {
        outer = {outer.extent * inner.extent, std::move(inner.stride)};
        continue;
      }
    }
    merged.push_back(std::move(inner));
  }
  return merged;
}

// Whether the operand lies across the lines of the output but along dimension `dim`.
bool runs_across(const Dim& line, const Dim& dim, std::size_t k) {
  return line.stride[k] != 0 && line.stride[k] != 1 && std::abs(dim.stride[k]) == 1;
}

// Where an operand runs across the lines of the output, the dimension that it runs along comes next
// to them, so that both can be walked in blocks.
void bring_inward(std::vector<Dim>& dims) {
  if (dims.size() < 3 || dims.back().stride.back() != 1) return;
  for (std::size_t k = 0; k + 1 < dims.back().stride.size(); ++k) {
    for (std::size_t i = 0; i + 2 < dims.size(); ++i) {
      if (!runs_across(dims.back(), dims[i], k)) continue;
      std::rotate(dims.begin() + static_cast<std::ptrdiff_t>(i),
                  dims.begin() + static_cast<std::ptrdiff_t>(i) + 1, dims.end() - 1);
      return;
    }
  }
}

LoopKind choose_kind(const std::vector<Dim>& dims) {
  const std::vector<std::int64_t>& steps = dims.back().stride;
  const std::size_t operands = steps.size() - 1;
  const auto ones = std::count(steps.begin(), steps.end() - 1, 1);
  const auto zeros = std::count(steps.begin(), steps.end() - 1, 0);
  const bool lines =
      steps.back() == 1 && ones > 0 && static_cast<std::size_t>(ones + zeros) == operands;
  if (!lines) {
    bool tiled = false;
    for (std::size_t k = 0; k < operands && dims.size() > 1; ++k) {
      tiled = tiled || runs_across(dims.back(), dims[dims.size() - 2], k);
    }
    return tiled && steps.back() == 1 ? LoopKind::tiled : LoopKind::strided;
  }
  if (dims.size() > 1) return zeros == 0 ? LoopKind::row : LoopKind::column;
  if (zeros == 0) return LoopKind::contiguous;
  return steps[0] == 0 ? LoopKind::scalar_left : LoopKind::scalar_right;
}

}  // namespace

std::string_view name(LoopKind kind) noexcept {
  switch (kind) {
    case LoopKind::empty:
      return "empty";
    case LoopKind::contiguous:
      return "contiguous";
    case LoopKind::scalar_left:
      return "scalar_left";
    case LoopKind::scalar_right:
      return "scalar_right";
    case LoopKind::row:
      return "row";
    case LoopKind::column:
      return "column";
    case LoopKind::tiled:
      return "tiled";
    case LoopKind::strided:
      return "strided";
  }
  return "?";
}

Loops make_loops(const Dims& shape, std::span<const Dims> strides) {
  Loops loops;
  loops.strides.resize(strides.size());
  loops.start.resize(strides.size(), 0);
  if (element_count(shape) == 0) return loops;
  std::vector<Dim> dims = collapse(order_dims(shape, strides, loops));
  if (dims.empty()) dims.push_back({1, std::vector<std::int64_t>(strides.size(), 1)});
  bring_inward(dims);
  for (const Dim& dim : dims) {
    loops.extents.push_back(dim.extent);
    for (std::size_t k = 0; k < strides.size(); ++k) loops.strides[k].push_back(dim.stride[k]);
  }
  loops.kind = choose_kind(dims);
  return loops;
}

}  // namespace hadamard::plan
