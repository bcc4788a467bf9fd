// Estimates of exp.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_EXP_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_EXP_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_EXP_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/exp.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Exp> : SingleParts {
  HWY_INLINE static V value(V a) {
    const Power e = power_of_e(within(a));
    return hn::MulAdd(e.rest, e.scale, e.scale);
  }
};

template <>
struct PairFunction<op::Exp> : PairParts {
  // For operands of at most 690 both parts of the result, and the error, are normal numbers. The
  // error is that of a factor 1 + p.
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Reduced r = reduced(a);
    const Lanes scale = power_of_two(hn::ShiftRight<7>(r.steps));
    return within(690, a, estimate(scaled(power(r), scale), 0x1p-74));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
