#include "api/overlap.hpp"

#include <algorithm>
#include <numeric>

#include "base/int128.hpp"

namespace hadamard {
namespace {

// Longer than any memory, and small enough to add to an address.
constexpr int128 kFarthest = int128{1} << 61;

}  // namespace

OverlapTest::OverlapTest(const plan::Plan& plan) noexcept : unit_(bits(plan.dtype) / 4) {
  if (plan.count == 0) return;  // reaches that are empty meet nothing
  for (std::size_t k = 0; k < 3; ++k) {
    int128 low = 0;
    int128 high = unit_ - 1;
    for (std::size_t i = 0; i < plan.shape.size(); ++i) {
      const int128 reach = static_cast<int128>(plan.strides[k][i]) * (plan.shape[i] - 1) * unit_;
      (reach < 0 ? low : high) += reach;
    }
    reach_[k] = {static_cast<std::int64_t>(std::max(low, -kFarthest)),
                 static_cast<std::int64_t>(std::min(high, kFarthest))};
  }
  for (std::size_t k = 0; k < 2; ++k) {
    same_layout_[k] = true;
    for (std::size_t i = 0; i < plan.shape.size(); ++i) {
      same_layout_[k] = same_layout_[k] &&
                        (plan.shape[i] == 1 || plan.strides[k][i] == plan.strides[plan::kY][i]);
    }
  }
}

bool OverlapTest::may_meet(const plan::Plan& plan, std::size_t k,
                           std::int64_t distance) const noexcept {
  std::int64_t step = 0;  // what every difference of two addresses is a multiple of
  for (std::size_t i = 0; i < plan.shape.size(); ++i) {
    if (plan.shape[i] == 1) continue;
    step = std::gcd(step, std::gcd(plan.strides[k][i], plan.strides[plan::kY][i]));
  }
  // Interleaved: elements that are whole numbers of `step` apart and start elsewhere never meet.
  return !(step > 0 && distance % unit_ == 0 && distance / unit_ % step != 0);
}

}  // namespace hadamard
