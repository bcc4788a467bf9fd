// fp32 and fp64.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/kernels_float.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/columns-inl.h"
#include "exec/cpu/float_reciprocal-inl.h"
#include "exec/cpu/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <IntDivision>
using Fp32World = FloatWorld<float>;
template <IntDivision>
using Fp64World = FloatWorld<double>;

const KernelSet* float_set() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = hwy::TargetName(HWY_TARGET);
    enter<Fp32World>(DType::fp32, s);
    enter<Fp64World>(DType::fp64, s);
    each_arithmetic([&](auto o) {
      using Operator = typename decltype(o)::type;
      enter_columns<Operator, float>(s);
      enter_columns<Operator, double>(s);
    });
    return s;
  }();
  return &set;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const KernelSet* float_kernels(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(float_set); }

}  // namespace hadamard::exec::cpu
#endif
