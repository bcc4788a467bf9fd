// Whether outputs share memory with inputs, and whether that is harmless.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/place.hpp"
#include "plan/plan.hpp"

namespace hadamard {

// What is known of a plan's operands before it is known where they lie.
class OverlapTest {
 public:
  OverlapTest() = default;
  explicit OverlapTest(const plan::Plan& plan);

  // Whether an element of an output may be an element of an input at another index. Sharing
  // elements of the same index (computing in place) is harmless where all is one group.
  bool harmful(std::span<const exec::Place> inputs,
               std::span<const exec::Place> outputs) const noexcept {
    const Pair* pair = pairs_.data();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      for (std::size_t o = 0; o < outputs.size(); ++o, ++pair) {
        if (meets(*pair, inputs_[i], first(inputs_[i], inputs[i]), outputs_[o],
                  first(outputs_[o], outputs[o]))) {
          return true;
        }
      }
    }
    return false;
  }
  // Throws overlap where two outputs share memory. `names` are for the message.
  void require_apart(std::span<const exec::Place> outputs,
                     std::span<const program::Output> names) const;

 private:
  // Places count in units of 4 bits, the smallest element.
  struct Operand {
    std::int64_t unit = 1;  // of an element
    std::int64_t low = 0;
    std::int64_t high = -1;  // inclusive
  };
  struct Pair {
    bool in_place = false;  // the same layout
    std::int64_t step = 0;  // what every difference of two addresses is a multiple of
  };
  static std::int64_t first(const Operand& operand, const exec::Place& place) noexcept {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(place.data) * 2) +
           place.offset * operand.unit;
  }
  static bool meets(const Pair& pair, const Operand& in, std::int64_t a, const Operand& out,
                    std::int64_t y) noexcept {
    if (a + in.high < y + out.low || y + out.high < a + in.low) return false;
    return !(a == y && pair.in_place) && may_meet(pair, in, out, a - y);
  }
  static bool may_meet(const Pair& pair, const Operand& in, const Operand& out,
                       std::int64_t distance) noexcept;

  std::vector<Operand> inputs_, outputs_;
  std::vector<Pair> pairs_;  // of each input with each output
};

}  // namespace hadamard
