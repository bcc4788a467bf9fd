#include "plan/distinct.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/fail.hpp"

namespace hadamard::plan {

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

}  // namespace hadamard::plan
