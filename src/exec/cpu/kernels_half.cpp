// fp16 and bf16.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/kernels_half.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/bf16_world-inl.h"
#include "exec/cpu/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <IntDivision>
using Fp16World = HalfWorld<float16>;
template <IntDivision>
using Bf16World = Bf16Lanes;

const KernelSet* half_set() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = hwy::TargetName(HWY_TARGET);
    enter<Fp16World>(DType::fp16, s);
    enter<Bf16World>(DType::bf16, s);
    return s;
  }();
  return &set;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const KernelSet* half_kernels(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(half_set); }

}  // namespace hadamard::exec::cpu
#endif
