// complex64 and complex128. Targets without the instructions have no set, or not for both: plain
// kernels serve there.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/kernels_complex.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/complex128_world-inl.h"
#include "exec/cpu/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
const KernelSet* complex_set() { return nullptr; }
#else
template <class Sums, class Products>
void enter_complex(DType type, KernelSet& set) {
  for (const Op op : op::kPlainOps) {
    op::with_op(op, [&](auto o) {
      using Operator = typename decltype(o)::type;
      using World = std::conditional_t<op::is_sum<Operator>, Sums, Products>;
      Kernel(&slot)[2] = set.kernels[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)];
      if constexpr (kHas<Operator, World>) slot[0] = slot[1] = &run_kernel<Operator, World>;
    });
  }
}

const KernelSet* complex_set() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = hwy::TargetName(HWY_TARGET);
    enter_complex<ComplexSumWorld<float>, Complex64World>(DType::complex64, s);
#if HADAMARD_HAS_FMA
    enter_complex<ComplexSumWorld<double>, Complex128World>(DType::complex128, s);
#endif
    return s;
  }();
  return &set;
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const KernelSet* complex_kernels(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(complex_set); }

}  // namespace hadamard::exec::cpu
#endif
