// Estimates of sin.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_SIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_SIN_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_SIN_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_SIN_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/sin.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Sin> : SingleParts {
  HWY_INLINE static V value(V a) {
    return hn::IfThenElse(hn::Eq(a, set(0)), a, sine_of_turned(a, 0));
  }
};

template <>
struct PairFunction<op::Sin> : PairParts {
  HWY_INLINE PairEstimate value(Lanes a) const { return where_zero(a, sine_of_turned(a, 0)); }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
