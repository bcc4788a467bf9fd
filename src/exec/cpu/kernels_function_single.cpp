// exp, log, sin and their like of fp16, bf16 and fp32.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/kernels_function_single.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/function_loop-inl.h"
#include "exec/cpu/functions-inl.h"
#include "exec/cpu/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

const KernelSet* single_function_set() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = hwy::TargetName(HWY_TARGET);
    enter_functions<float16, SingleEstimates>(s);
    enter_functions<bfloat16, SingleEstimates>(s);
    enter_functions<float, SingleEstimates>(s);
    return s;
  }();
  return &set;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const KernelSet* single_function_kernels(std::int64_t target) {
  HADAMARD_RETURN_FOR_TARGET(single_function_set);
}

}  // namespace hadamard::exec::cpu
#endif
