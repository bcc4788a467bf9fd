#include "api/overlap.hpp"

#include <cstdint>
#include <numeric>

#include "base/int128.hpp"

namespace hadamard {
namespace {

// Addresses in units of 4 bits, the smallest element.
struct Range {
  int128 first;
  int128 low;
  int128 high;  // inclusive
};

Range range_of(const plan::Plan& plan, std::size_t k, const exec::Place& place) noexcept {
  const int128 unit = bits(plan.dtype) / 4;
  const int128 first =
      static_cast<int128>(reinterpret_cast<std::uintptr_t>(place.data)) * 2 + place.offset * unit;
  Range range{first, first, first + unit - 1};
  for (std::size_t i = 0; i < plan.shape.size(); ++i) {
    const int128 reach = static_cast<int128>(plan.strides[k][i]) * (plan.shape[i] - 1) * unit;
    (reach < 0 ? range.low : range.high) += reach;
  }
  return range;
}

}  // namespace

Overlap overlap(const plan::Plan& plan, std::size_t k, const exec::Place& operand,
                const exec::Place& output) noexcept {
  if (plan.count == 0) return Overlap::none;
  const Range a = range_of(plan, k, operand);
  const Range y = range_of(plan, plan::kY, output);
  if (a.high < y.low || y.high < a.low) return Overlap::none;
  bool same = a.first == y.first;
  std::int64_t step = 0;  // what every difference of two addresses is a multiple of
  for (std::size_t i = 0; i < plan.shape.size(); ++i) {
    if (plan.shape[i] == 1) continue;
    same = same && plan.strides[k][i] == plan.strides[plan::kY][i];
    step = std::gcd(step, std::gcd(plan.strides[k][i], plan.strides[plan::kY][i]));
  }
  if (same) return Overlap::in_place;
  const int128 unit = bits(plan.dtype) / 4;
  const int128 distance = a.first < y.first ? y.first - a.first : a.first - y.first;
  // Interleaved: elements that are whole numbers of `step` apart and start elsewhere never meet.
  if (step > 0 && distance % unit == 0 && distance / unit % step != 0) return Overlap::none;
  return Overlap::partial;
}

}  // namespace hadamard
