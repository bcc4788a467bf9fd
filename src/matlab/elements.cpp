#include "matlab/elements.hpp"

namespace hadamard::matlab {

ExpandedLines::ExpandedLines(const Dims& a, const Dims& b, const Dims& y) {
  if (element_count(y) == 0) {
    length = 0;
    return;
  }
  bool is_inside = true, has_begun = false;
  std::int64_t a_step = 1, b_step = 1;
  for (std::size_t d = 0; d < y.size(); ++d) {
    if (y[d] == 1) continue;
    const std::int64_t in_a = d < a.size() ? a[d] : 1, in_b = d < b.size() ? b[d] : 1;
    if (is_inside && has_begun) is_inside = (in_a != 1) == a_moves && (in_b != 1) == b_moves;
    if (is_inside) {
      a_moves = in_a != 1;
      b_moves = in_b != 1;
      length *= y[d];
      has_begun = true;
    } else {
      extents_.push_back(y[d]);
      a_strides_.push_back(in_a == 1 ? 0 : a_step);
      b_strides_.push_back(in_b == 1 ? 0 : b_step);
      count *= y[d];
    }
    a_step *= in_a;
    b_step *= in_b;
  }
}

std::pair<std::int64_t, std::int64_t> ExpandedLines::begin_of(std::int64_t line) const {
  std::int64_t i = 0, j = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    const std::int64_t at = line % extents_[d];
    line /= extents_[d];
    i += at * a_strides_[d];
    j += at * b_strides_[d];
  }
  return {i, j};
}

}  // namespace hadamard::matlab
