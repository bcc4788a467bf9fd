// Estimates of cos.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_COS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_COS_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_COS_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_COS_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/cos.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Cos> : SingleParts {
  HWY_INLINE static V value(V a) { return sine_of_turned(a, 1); }
};

template <>
struct PairFunction<op::Cos> : PairParts {
  HWY_INLINE PairEstimate value(Lanes a) const { return sine_of_turned(a, 256); }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
