#include "exec/cpu/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "exec/cpu/test_kernels.hpp"

namespace hadamard::exec::cpu {
namespace {

// Every pair of these stands side by side somewhere, at every place of a vector.
std::vector<double> specials() {
  const double inf = std::numeric_limits<double>::infinity();
  return {0.0, -0.0, 1, -1, 5e-324, -5e-324, inf, -inf, double{NAN}, 0x1p-1022, 1 + 0x1p-52};
}

template <class Compare>
void check(ComparisonKernel kernel, Compare compare) {
  const std::vector<double> some = specials();
  std::vector<double> a, b;
  for (std::size_t round = 0; round < 7; ++round) {  // 7 has no factor in common with a vector
    for (const double x : some) {
      for (const double y : some) {
        a.push_back(x);
        b.push_back(y);
      }
    }
    a.push_back(2);
    b.push_back(3);
  }
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{33}, a.size() - 1, a.size()}) {
    for (const bool a_is_scalar : {false, true}) {
      for (const bool b_is_scalar : {false, true}) {
        for (std::size_t first = 0; first < some.size() && n + first <= a.size(); ++first) {
          const auto memory = std::make_unique<unsigned char[]>(n + 4);
          unsigned char* const y = memory.get() + first % 3;
          std::fill_n(y, n + 1, static_cast<unsigned char>(0xA5));
          kernel({a.data() + first, b.data() + first, reinterpret_cast<bool*>(y),
                  static_cast<std::int64_t>(n), a_is_scalar, b_is_scalar, first % 2 == 0});
          for (std::size_t i = 0; i < n; ++i) {
            const double x = a[first + (a_is_scalar ? 0 : i)], z = b[first + (b_is_scalar ? 0 : i)];
            ASSERT_EQ(y[i], compare(x, z) ? 1 : 0) << x << ", " << z << " at " << i;
          }
          ASSERT_EQ(y[n], 0xA5);
        }
      }
    }
  }
}

TEST(Comparison, IsThatOfTheElementsOnEveryTarget) {
  for (const std::int64_t target : targets_here()) {
    const ComparisonKernels* const kernels = comparison_kernels(target);
    ASSERT_NE(kernels, nullptr);
    ASSERT_NO_FATAL_FAILURE(check(kernels->eq, std::equal_to<>{}));
    ASSERT_NO_FATAL_FAILURE(check(kernels->ne, std::not_equal_to<>{}));
    ASSERT_NO_FATAL_FAILURE(check(kernels->lt, std::less<>{}));
    ASSERT_NO_FATAL_FAILURE(check(kernels->le, std::less_equal<>{}));
  }
}

}  // namespace
}  // namespace hadamard::exec::cpu
