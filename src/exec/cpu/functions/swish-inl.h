// Estimates of swish.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_SWISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_SWISH_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_SWISH_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_SWISH_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "exec/cpu/functions/exp-inl.h"
#include "op/swish.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Swish> : SingleParts {
  // From -120 down it is zero in all three types.
  HWY_INLINE static V value(V a) {
    return hn::Div(at_least(a, -120), hn::Add(set(1), SingleFunction<op::Exp>::value(hn::Neg(a))));
  }
};

template <>
struct PairFunction<op::Swish> : PairParts {
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Lanes x = at_most(a, 100);  // the other factor is 1, from there on
    const Pair q = logistic(x);
    const Pair p = product(a, q.hi);
    const PairEstimate v = estimate(ordered_sum(p.hi, hn::MulAdd(a, q.lo, p.lo)), 0x1p-72);
    return in_reach(0x1p-900, a, within(640, x, v));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
