// From line to line of a nest of loops.
#pragma once

#include <array>
#include <cstdint>

#include "plan/loops.hpp"

namespace hadamard::exec::cpu {

// Where the elements of kCount operands are, from one that is counted in loop order on.
template <std::size_t kCount>
class LineWalk {
 public:
  // `operands` says which (kA, …), `offsets` where each of them begins, without the loops.
  LineWalk(const plan::Loops& loops, const std::array<std::size_t, kCount>& operands,
           const std::array<std::int64_t, kCount>& offsets, std::int64_t element)
      : extents_(loops.extents), inner_(loops.extents.size() - 1) {
    for (std::size_t k = 0; k < kCount; ++k) {
      strides_[k] = &loops.strides[operands[k]];
      at_[k] = offsets[k] + loops.start[operands[k]];
    }
    for (std::size_t dim = inner_ + 1; dim-- > 0; element /= extents_[dim]) {
      index_[dim] = element % extents_[dim];
      for (std::size_t k = 0; k < kCount; ++k) at_[k] += index_[dim] * (*strides_[k])[dim];
    }
  }

  std::int64_t at(std::size_t k) const { return at_[k]; }  // elements from its data
  std::int64_t step(std::size_t k) const { return (*strides_[k])[inner_]; }  // in the line
  std::int64_t within() const { return index_[inner_]; }                     // the line
  std::int64_t left() const { return extents_[inner_] - index_[inner_]; }    // of the line

  // To the start of the next line.
  void next() {
    for (std::size_t k = 0; k < kCount; ++k) at_[k] -= index_[inner_] * step(k);
    index_[inner_] = 0;
    for (std::size_t dim = inner_; dim-- > 0;) {
      for (std::size_t k = 0; k < kCount; ++k) at_[k] += (*strides_[k])[dim];
      if (++index_[dim] < extents_[dim]) return;
      for (std::size_t k = 0; k < kCount; ++k) at_[k] -= (*strides_[k])[dim] * extents_[dim];
      index_[dim] = 0;
    }
  }

 private:
  // Every loop has an extent of at least 2 and their product is at most 2^62.
  static constexpr std::size_t kMaxLoops = 64;

  const Dims& extents_;
  const std::size_t inner_;
  std::array<const Dims*, kCount> strides_;
  std::array<std::int64_t, kCount> at_;
  std::array<std::int64_t, kMaxLoops> index_;  // of which as many are used as there are loops
};

}  // namespace hadamard::exec::cpu
