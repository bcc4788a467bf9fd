// exp, log, sin and their like of fp64.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/kernels_function_double.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/function_loop-inl.h"
#include "exec/cpu/functions-inl.h"
#include "exec/cpu/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

const KernelSet* double_function_set() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = hwy::TargetName(HWY_TARGET);
    enter_functions<double, PairEstimates>(s);
    return s;
  }();
  return &set;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const KernelSet* double_function_kernels(std::int64_t target) {
  HADAMARD_RETURN_FOR_TARGET(double_function_set);
}

}  // namespace hadamard::exec::cpu
#endif
