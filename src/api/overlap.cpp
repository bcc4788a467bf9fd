#include "api/overlap.hpp"

#include <algorithm>
#include <numeric>

#include "base/fail.hpp"
#include "base/int128.hpp"
#include "num/dtype.hpp"

namespace hadamard {
namespace {

// Longer than any memory, and small enough to add to an address.
constexpr int128 kFarthest = int128{1} << 61;

// An output's steps over the dimensions of the program.
Dims aligned_strides(const plan::Plan& plan, std::size_t output) {
  Dims strides = Dims::filled(plan.lowered.rank, 0);
  const plan::Lowered::Placement& at = plan.lowered.outputs[output];
  for (std::size_t i = 0; i < at.shape.size(); ++i) {
    if (at.shape[i] != 1) strides[at.first + i] = plan.outputs[output].strides[i];
  }
  return strides;
}

}  // namespace

OverlapTest::OverlapTest(const plan::Plan& plan) {
  const auto operand_of = [](const Layout& layout) {
    Operand operand{bits(layout.dtype) / 4};
    if (layout.count() == 0) return operand;  // a reach that is empty meets nothing
    int128 low = 0;
    int128 high = operand.unit - 1;
    for (std::size_t i = 0; i < layout.rank(); ++i) {
      const int128 reach =
          static_cast<int128>(layout.strides[i]) * (layout.shape[i] - 1) * operand.unit;
      (reach < 0 ? low : high) += reach;
    }
    operand.low = static_cast<std::int64_t>(std::max(low, -kFarthest));
    operand.high = static_cast<std::int64_t>(std::min(high, kFarthest));
    return operand;
  };
  for (const Layout& layout : plan.inputs) inputs_.push_back(operand_of(layout));
  for (const Layout& layout : plan.outputs) outputs_.push_back(operand_of(layout));
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      const Dims& a = plan.lowered.input_strides[i];
      const Dims y = aligned_strides(plan, o);
      Pair pair{plan.groups.size() == 1 && a == y && plan.inputs[i].dtype == plan.outputs[o].dtype};
      for (std::size_t d = 0; d < y.size(); ++d) {
        pair.step = std::gcd(pair.step, std::gcd(a[d] * inputs_[i].unit, y[d] * outputs_[o].unit));
      }
      pairs_.push_back(pair);
    }
  }
}

// Interleaved: elements that are whole numbers of `step` apart and start elsewhere never meet.
bool OverlapTest::may_meet(const Pair& pair, const Operand& in, const Operand& out,
                           std::int64_t distance) noexcept {
  if (pair.step == 0) return true;
  const std::int64_t rest = (distance % pair.step + pair.step) % pair.step;
  return !(rest >= out.unit && pair.step - rest >= in.unit);
}

void OverlapTest::require_apart(std::span<const exec::Place> outputs,
                                std::span<const program::Output> names) const {
  if (outputs.size() < 2) return;
  struct Extent {
    std::int64_t low, high;
    std::size_t output;
  };
  std::vector<Extent> extents;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const std::int64_t at = first(outputs_[o], outputs[o]);
    if (outputs_[o].high >= outputs_[o].low) {
      extents.push_back({at + outputs_[o].low, at + outputs_[o].high, o});
    }
  }
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.low < b.low; });
  std::size_t reaches = 0;  // farthest, of those before
  for (std::size_t i = 1; i < extents.size(); ++i) {
    if (extents[i].low <= extents[reaches].high) {
      fail(ErrorCode::overlap, "the outputs {} and {} overlap",
           names[std::min(extents[i].output, extents[reaches].output)].name,
           names[std::max(extents[i].output, extents[reaches].output)].name);
    }
    if (extents[i].high > extents[reaches].high) reaches = i;
  }
}

}  // namespace hadamard
