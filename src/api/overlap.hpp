// Whether an output shares memory with an operand, and whether that is harmless.
#pragma once

#include <array>
#include <cstdint>

#include "exec/provider.hpp"
#include "plan/plan.hpp"

namespace hadamard {

// What is known of a plan's operands before it is known where they lie.
class OverlapTest {
 public:
  OverlapTest() = default;
  explicit OverlapTest(const plan::Plan& plan) noexcept;

  // Whether an element of the output may be an element of an operand at another index. Sharing
  // elements of the same index (computing in place) is harmless.
  bool harmful(const plan::Plan& plan, const exec::Places& at) const noexcept {
    return meets(plan, plan::kA, at.a, at.y) || meets(plan, plan::kB, at.b, at.y);
  }

 private:
  // Places count in units of 4 bits, the smallest element.
  struct Reach {
    std::int64_t low = 0;
    std::int64_t high = -1;  // inclusive
  };
  bool meets(const plan::Plan& plan, std::size_t k, const exec::Place& operand,
             const exec::Place& output) const noexcept {
    const std::int64_t a = first(operand);
    const std::int64_t y = first(output);
    const Reach& ra = reach_[k];
    const Reach& ry = reach_[plan::kY];
    if (a + ra.high < y + ry.low || y + ry.high < a + ra.low) return false;
    return !(a == y && same_layout_[k]) && may_meet(plan, k, a - y);
  }
  std::int64_t first(const exec::Place& place) const noexcept {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(place.data) * 2) +
           place.offset * unit_;
  }
  bool may_meet(const plan::Plan& plan, std::size_t k, std::int64_t distance) const noexcept;

  std::int64_t unit_ = 1;  // of an element
  std::array<Reach, 3> reach_{};
  std::array<bool, 2> same_layout_{};
};

}  // namespace hadamard
