#include "plan/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/fail.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard::plan {
namespace {

struct Dim {
  std::int64_t extent;
  std::array<std::int64_t, 3> stride;
};

// Two indices of the output must not be one element. Sufficient, and true for every layout that
// slicing and transposing can make: each stride steps over all that the smaller ones span.
void require_distinct_elements(const Layout& y) {
  if (y.count() == 0) return;
  std::vector<std::pair<std::int64_t, std::int64_t>> dims;
  for (std::size_t i = 0; i < y.rank(); ++i) {
    if (y.shape[i] > 1) dims.emplace_back(std::abs(y.strides[i]), y.shape[i]);
  }
  std::sort(dims.begin(), dims.end());
  std::int64_t span = 0;
  for (const auto& [stride, extent] : dims) {
    std::int64_t reach = 0;
    if (stride <= span || __builtin_mul_overflow(stride, extent - 1, &reach) ||
        __builtin_add_overflow(span, reach, &span)) {
      fail(ErrorCode::overlap,
           "the output of shape {} with strides {} may have indices that share an element; its "
           "strides "
           "must each step over all that the smaller ones span",
           to_string(y.shape), to_string(y.strides));
    }
  }
}

// Dimensions of extent above 1, the output's largest steps first, the output's steps made positive.
std::vector<Dim> order_dims(const Plan& plan, Loops& loops) {
  std::vector<Dim> dims;
  for (std::size_t i = 0; i < plan.shape.size(); ++i) {
    if (plan.shape[i] == 1) continue;
    Dim dim{plan.shape[i], {plan.strides[kA][i], plan.strides[kB][i], plan.strides[kY][i]}};
    if (dim.stride[kY] < 0) {
      for (std::size_t k = 0; k < 3; ++k) {
        loops.start[k] += dim.stride[k] * (dim.extent - 1);
        dim.stride[k] = -dim.stride[k];
      }
    }
    dims.push_back(dim);
  }
  // Insertion, because it is stable: dimensions of equal stride keep their order.
  for (std::size_t i = 1; i < dims.size(); ++i) {
    for (std::size_t j = i; j > 0 && dims[j - 1].stride[kY] < dims[j].stride[kY]; --j) {
      std::swap(dims[j - 1], dims[j]);
    }
  }
  return dims;
}

// Neighbouring dimensions that every operand walks through in one go become one.
std::vector<Dim> collapse(const std::vector<Dim>& dims) {
  std::vector<Dim> merged;
  for (const Dim& inner : dims) {
    if (!merged.empty()) {
      Dim& outer = merged.back();
      bool one_go = true;
      for (std::size_t k = 0; k < 3; ++k) {
        one_go = one_go && outer.stride[k] == inner.stride[k] * inner.extent;
      }
      if (one_go) {
        outer = {outer.extent * inner.extent, inner.stride};
        continue;
      }
    }
    merged.push_back(inner);
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
  if (dims.size() < 3 || dims.back().stride[kY] != 1) return;
  for (const std::size_t k : {kA, kB}) {
    for (std::size_t i = 0; i + 2 < dims.size(); ++i) {
      if (!runs_across(dims.back(), dims[i], k)) continue;
      std::rotate(dims.begin() + static_cast<std::ptrdiff_t>(i),
                  dims.begin() + static_cast<std::ptrdiff_t>(i) + 1, dims.end() - 1);
      return;
    }
  }
}

LoopKind choose_kind(const Loops& loops, const std::vector<Dim>& dims) {
  const std::size_t inner = loops.extents.size() - 1;
  const std::int64_t a = loops.strides[kA][inner];
  const std::int64_t b = loops.strides[kB][inner];
  const std::int64_t y = loops.strides[kY][inner];
  const bool lines = y == 1 && (a == 1 || a == 0) && (b == 1 || b == 0) && a + b > 0;
  if (!lines) {
    const bool tiled = inner > 0 && y == 1 &&
                       (runs_across(dims[inner], dims[inner - 1], kA) ||
                        runs_across(dims[inner], dims[inner - 1], kB));
    return tiled ? LoopKind::tiled : LoopKind::strided;
  }
  if (inner == 0) {
    if (a == 0) return LoopKind::scalar_left;
    if (b == 0) return LoopKind::scalar_right;
    return LoopKind::contiguous;
  }
  return a == 1 && b == 1 ? LoopKind::row : LoopKind::column;
}

Loops make_loops(const Plan& plan) {
  Loops loops;
  if (plan.count == 0) return loops;
  std::vector<Dim> dims = collapse(order_dims(plan, loops));
  if (dims.empty()) dims.push_back({1, {1, 1, 1}});
  bring_inward(dims);
  for (const Dim& dim : dims) {
    loops.extents.push_back(dim.extent);
    for (std::size_t k = 0; k < 3; ++k) loops.strides[k].push_back(dim.stride[k]);
  }
  loops.kind = choose_kind(loops, dims);
  return loops;
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

Dims result_shape(const Request& request, const Layout& a, const Layout& b) {
  return broadcast(request.rule, request.axis, a, b).shape;
}

Plan make_plan(const Request& request, const Layout& a, const Layout& b, const Layout& y) {
  require_valid(y);
  const bool two = op::arity(request.op) == 2;
  if (a.dtype != b.dtype || a.dtype != y.dtype) {
    fail(ErrorCode::type_mismatch,
         "the operand{}, and the output is {}: they must be of the same type",
         two ? fmt::format("s are {} and {}", name(a.dtype), name(b.dtype))
             : fmt::format(" is {}", name(a.dtype)),
         name(y.dtype));
  }
  Aligned aligned = broadcast(request.rule, request.axis, a, b);
  if (aligned.shape != y.shape) {
    fail(ErrorCode::shape_mismatch, "the result{} has shape {}, but the output is {}",
         two ? fmt::format(" of shapes {} and {}", to_string(a.shape), to_string(b.shape)) : "",
         to_string(aligned.shape), to_string(y.shape));
  }
  require_distinct_elements(y);
  Plan plan;
  plan.op = request.op;
  plan.dtype = a.dtype;
  plan.int_division = request.int_division;
  plan.rule = request.rule;
  plan.axis = request.axis;
  plan.then = request.then;
  plan.operand_shapes = {a.shape, b.shape, y.shape};
  plan.count = element_count(aligned.shape);
  plan.shape = std::move(aligned.shape);
  plan.strides = {std::move(aligned.a_strides), std::move(aligned.b_strides), y.strides};
  plan.loops = make_loops(plan);
  return plan;
}

std::int64_t bytes_moved(const Plan& plan) noexcept {
  if (plan.count == 0) return 0;
  std::int64_t bytes = 0;
  for (const std::size_t k : {kA, kB, kY}) {
    if (k == kB && op::arity(plan.op) == 1) continue;  // it is A
    double elements = 1;  // a product of extents can be larger than any memory
    for (std::size_t i = 0; i < plan.shape.size(); ++i) {
      if (plan.strides[k][i] != 0) elements *= static_cast<double>(plan.shape[i]);
    }
    bytes += static_cast<std::int64_t>(std::min(elements * bits(plan.dtype) / 8, 0x1p60));
  }
  return bytes;
}

std::string to_text(const Plan& plan) {
  std::string text;
  const auto line = [&text](std::string_view key, std::string_view value) {
    text += fmt::format("{:<10}{}\n", key, value);
  };
  line("operator", fmt::format("{}  ({})", name(plan.op), op::notation(plan.op)));
  if (plan.then) line("then", name(*plan.then));
  line("type", name(plan.dtype));
  if (op::rounds_quotients(plan.op) && kind(plan.dtype) == Kind::integer) {
    line("rounding", name(plan.int_division));
  }
  const bool two = op::arity(plan.op) == 2;
  const auto operands = [&](const std::array<Dims, 3>& of) {
    return fmt::format("A {}{}", to_string(of[kA]), two ? "  B " + to_string(of[kB]) : "");
  };
  line("shapes", fmt::format("{}  ->  Y {}", operands(plan.operand_shapes), to_string(plan.shape)));
  if (two) {
    line("broadcast", plan.rule == Broadcast::paddle
                          ? fmt::format("{}, axis {}", name(plan.rule), plan.axis)
                          : std::string(name(plan.rule)));
  }
  line("loop", fmt::format("{} {}", name(plan.loops.kind), to_string(plan.loops.extents)));
  line("strides",
       fmt::format("{}  Y {}", operands(plan.loops.strides), to_string(plan.loops.strides[kY])));
  return text;
}

}  // namespace hadamard::plan
