#include "plan/broadcast.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/fail.hpp"

namespace hadamard::plan {
namespace {

// An operand seen with `rank` dimensions: its own begin at `first`, all others have extent 1.
struct Placed {
  Dims shape;
  Dims strides;
};

Placed place(const Layout& operand, std::size_t own_rank, std::size_t first, std::size_t rank) {
  Placed placed{Dims::filled(rank, 1), Dims::filled(rank, 0)};
  for (std::size_t i = 0; i < own_rank; ++i) {
    placed.shape[first + i] = operand.shape[i];
    placed.strides[first + i] = operand.strides[i];
  }
  return placed;
}

Aligned stretch(const Placed& a, const Placed& b, const Layout& la, const Layout& lb,
                Broadcast rule) {
  Aligned result;
  for (std::size_t i = 0; i < a.shape.size(); ++i) {
    const std::int64_t ea = a.shape[i];
    const std::int64_t eb = b.shape[i];
    if (ea != eb && ea != 1 && eb != 1) {
      fail(ErrorCode::shape_mismatch,
           "shapes A {} and B {} do not broadcast ({} rule): {} of A meets {} of B at dimension {} "
           "of {}",
           to_string(la.shape), to_string(lb.shape), name(rule), ea, eb, i, a.shape.size());
    }
    result.shape.push_back(ea == 1 ? eb : ea);
    result.a_strides.push_back(ea == 1 ? 0 : a.strides[i]);
    result.b_strides.push_back(eb == 1 ? 0 : b.strides[i]);
  }
  element_count(result.shape);
  return result;
}

// Paddle: `low` starts at dimension `axis` of `high`. Trailing ones of `low` that would hang over
// are dropped; anything else that hangs over is an error.
Placed place_at_axis(const Layout& low, const Layout& high, int axis) {
  const auto rank = static_cast<std::int64_t>(high.rank());
  auto own = static_cast<std::int64_t>(low.rank());
  if (axis < -1 || (axis >= rank && axis != 0)) {
    fail(ErrorCode::bad_argument, "axis must be -1 or from 0 to {}, but it is {}",
         rank > 0 ? rank - 1 : 0, axis);
  }
  const std::int64_t first = axis == -1 ? rank - own : axis;
  while (own > 0 && first + own > rank && low.shape[static_cast<std::size_t>(own) - 1] == 1) --own;
  if (first + own > rank) {
    fail(ErrorCode::shape_mismatch,
         "the operand of shape {} placed at axis {} hangs over the {} dimensions of shape {}",
         to_string(low.shape), axis, rank, to_string(high.shape));
  }
  return place(low, static_cast<std::size_t>(own), static_cast<std::size_t>(first),
               static_cast<std::size_t>(rank));
}

}  // namespace

Aligned broadcast(Broadcast rule, int axis, const Layout& a, const Layout& b) {
  if (a.shape == b.shape) {
    element_count(a.shape);
    return {a.shape, a.strides, b.strides};
  }
  const std::size_t rank = std::max(a.rank(), b.rank());
  switch (rule) {
    case Broadcast::none:
      fail(
          ErrorCode::shape_mismatch,
          "shapes must be the same, but A has {} and B has {}; a broadcast rule (numpy, say) would "
          "stretch one",
          to_string(a.shape), to_string(b.shape));
    case Broadcast::numpy:
      return stretch(place(a, a.rank(), rank - a.rank(), rank),
                     place(b, b.rank(), rank - b.rank(), rank), a, b, rule);
    case Broadcast::matlab:
      return stretch(place(a, a.rank(), 0, rank), place(b, b.rank(), 0, rank), a, b, rule);
    case Broadcast::paddle:
      if (a.rank() < b.rank()) {
        return stretch(place_at_axis(a, b, axis), place(b, b.rank(), 0, rank), a, b, rule);
      }
      return stretch(place(a, a.rank(), 0, rank), place_at_axis(b, a, axis), a, b, rule);
  }
  __builtin_unreachable();
}

}  // namespace hadamard::plan
