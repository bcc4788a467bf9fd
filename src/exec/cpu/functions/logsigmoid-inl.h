// Estimates of logsigmoid.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_LOGSIGMOID_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_LOGSIGMOID_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_LOGSIGMOID_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_LOGSIGMOID_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "exec/cpu/functions/softplus-inl.h"
#include "op/logsigmoid.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Logsigmoid> : SingleParts {
  HWY_INLINE static V value(V a) {
    return hn::Neg(SingleFunction<op::Softplus>::value(hn::Neg(a)));
  }
};

template <>
struct PairFunction<op::Logsigmoid> : PairFunction<op::Softplus> {
  HWY_INLINE PairEstimate value(Lanes a) const {
    const PairEstimate v = PairFunction<op::Softplus>::value(hn::Neg(a));
    return {hn::Neg(v.hi), hn::Neg(v.lo), v.error};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
