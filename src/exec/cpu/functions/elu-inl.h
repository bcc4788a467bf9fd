// Estimates of elu.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_ELU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_ELU_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_ELU_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_ELU_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "exec/cpu/functions/expm1-inl.h"
#include "op/elu.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Elu> : SingleParts {
  HWY_INLINE static V value(V a) {
    return hn::IfThenElse(hn::Gt(a, set(0)), a, SingleFunction<op::Expm1>::value(a));
  }
};

template <>
struct PairFunction<op::Elu> : PairFunction<op::Expm1> {
  HWY_INLINE PairEstimate value(Lanes a) const {
    return where(hn::Gt(a, set(0)), {a, set(0), set(0)}, PairFunction<op::Expm1>::value(a));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
