// Estimates of soft_relu.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_SOFT_RELU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_SOFT_RELU_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_SOFT_RELU_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_SOFT_RELU_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "exec/cpu/functions/softplus-inl.h"
#include "op/soft_relu.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::SoftRelu> : SingleParts {
  HWY_INLINE static V value(V a) {
    return SingleFunction<op::Softplus>::value(at_least(at_most(a, 40), -40));
  }
};

template <>
struct PairFunction<op::SoftRelu> : PairFunction<op::Softplus> {
  HWY_INLINE PairEstimate value(Lanes a) const {
    return PairFunction<op::Softplus>::value(at_least(at_most(a, 40), -40));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
