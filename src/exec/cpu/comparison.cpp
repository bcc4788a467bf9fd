#include "exec/cpu/comparison.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/comparison.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/cpu_provider.hpp"
#include "exec/cpu/targets.hpp"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// `is` compares elements and gives a bool, `masked` vectors and gives a mask.
struct Equal {
  static bool is(double a, double b) { return a == b; }
  static HWY_INLINE hn::Mask<D> masked(V a, V b) { return hn::Eq(a, b); }
};
struct Less {
  static bool is(double a, double b) { return a < b; }
  static HWY_INLINE hn::Mask<D> masked(V a, V b) { return hn::Lt(a, b); }
};
struct LessOrEqual {
  static bool is(double a, double b) { return a <= b; }
  static HWY_INLINE hn::Mask<D> masked(V a, V b) { return hn::Le(a, b); }
};

// The elements of `line`, or their negation: Highway's Ne says false of NaNs.
template <class Compare, bool kNegated>
struct Loop {
  template <bool kScalarA, bool kScalarB>
  static void run(const ComparisonLine& line) {
    const double* const a = line.a;
    const double* const b = line.b;
    std::int64_t i = 0;
    const auto one = [&](std::int64_t at) {
      line.y[at] = Compare::is(a[kScalarA ? 0 : at], b[kScalarB ? 0 : at]) != kNegated;
    };
#if HWY_TARGET != HWY_SCALAR
    // Two vectors of masks of 64 bits become one of 32, and that one of bytes.
    const D d;
    const hn::RepartitionToNarrow<hn::RebindToSigned<D>> d32;
    const hn::Rebind<std::int8_t, decltype(d32)> d8;
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    const V one_a = hn::Set(d, kScalarA ? *a : 0), one_b = hn::Set(d, kScalarB ? *b : 0);
    const auto flipped = hn::Set(d32, kNegated ? 1 : 0);
    const auto masks_at = [&](std::int64_t at) HWY_ATTR {
      const V x = kScalarA ? one_a : hn::LoadU(d, a + at);
      const V z = kScalarB ? one_b : hn::LoadU(d, b + at);
      return hn::BitCast(d32, hn::VecFromMask(d, Compare::masked(x, z)));
    };
    const auto bytes_at = [&](std::int64_t at) HWY_ATTR {
      const auto both = hn::ConcatEven(d32, masks_at(at + step), masks_at(at));
      return hn::DemoteTo(d8, hn::Xor(hn::And(both, hn::Set(d32, 1)), flipped));
    };
    auto* const y = reinterpret_cast<std::int8_t*>(line.y);
    // Whole vectors of bytes, at their own multiples, can go past the cache.
    const hn::Twice<decltype(d8)> d16;
    if constexpr (hn::MaxLanes(d16) == 16) {
      if (line.stream) {
        for (; i < line.n && reinterpret_cast<std::uintptr_t>(y + i) % 16 != 0; ++i) one(i);
        for (; i + 4 * step <= line.n; i += 4 * step) {
          hn::Stream(hn::Combine(d16, bytes_at(i + 2 * step), bytes_at(i)), d16, y + i);
        }
        hwy::FlushStream();
      }
    }
    for (; i + 2 * step <= line.n; i += 2 * step) hn::StoreU(bytes_at(i), d8, y + i);
#endif
    for (; i < line.n; ++i) one(i);
  }

  static void of(const ComparisonLine& line) {
    if (line.a_is_scalar) return line.b_is_scalar ? run<true, true>(line) : run<true, false>(line);
    line.b_is_scalar ? run<false, true>(line) : run<false, false>(line);
  }
};

const ComparisonKernels* comparison_kernels_here() {
  static const ComparisonKernels kernels{&Loop<Equal, false>::of, &Loop<Equal, true>::of,
                                         &Loop<Less, false>::of, &Loop<LessOrEqual, false>::of};
  return &kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const ComparisonKernels* comparison_kernels(std::int64_t target) {
  HADAMARD_RETURN_FOR_TARGET(comparison_kernels_here);
}

const ComparisonKernels& comparison_kernels() {
  static const ComparisonKernels& chosen = []() -> const ComparisonKernels& {
    const std::string_view forced = environment_selection().cpu_target;
    require_cpu_target(forced);
    for (const CpuTarget& target : cpu_targets()) {
      if (forced.empty() ? target.supported : target.name == forced) {
        return *comparison_kernels(target.number);
      }
    }
    return *comparison_kernels(HWY_SCALAR);
  }();
  return chosen;
}

}  // namespace hadamard::exec::cpu
#endif
