// Arithmetic of fp32 and fp64 with relu behind it, in one loop: the activation that costs nothing
// where memory is the limit. Any other pair of operators goes through the first cache
// (short_lines.cpp).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/kernels_fused.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/columns-inl.h"
#include "exec/cpu/float_reciprocal-inl.h"
#include "exec/cpu/targets.hpp"
#include "op/fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// What stands behind.
using Then = op::Relu;

template <class Operator, class F>
void enter(KernelSet& set) {
  Kernel(&slot)[2] = set.kernels[static_cast<std::size_t>(op::op_of<Operator>)]
                                [static_cast<std::size_t>(dtype_of<F>)];
  slot[0] = slot[1] = &run_kernel<op::Fused<Operator, Then>, FloatWorld<F>>;
  enter_columns<op::Fused<Operator, Then>, F, Operator>(set);
}

const KernelSet* fused_set() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = hwy::TargetName(HWY_TARGET);
    each_arithmetic([&](auto o) {
      using Operator = typename decltype(o)::type;
      enter<Operator, float>(s);
      enter<Operator, double>(s);
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

const KernelSet* fused_kernels(Op then, std::int64_t target) {
  if (then != op::op_of<op::Relu>) return nullptr;
  HADAMARD_RETURN_FOR_TARGET(fused_set);
}

}  // namespace hadamard::exec::cpu
#endif
