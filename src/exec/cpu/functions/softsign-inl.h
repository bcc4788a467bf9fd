// Estimates of softsign.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_SOFTSIGN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_SOFTSIGN_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_SOFTSIGN_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_SOFTSIGN_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/softsign.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Softsign> : SingleParts {
  // Of infinities undecided.
  HWY_INLINE static V value(V a) { return hn::Div(a, hn::Add(set(1), hn::Abs(a))); }
};

template <>
struct PairFunction<op::Softsign> : PairParts {
  // 1 + |x| is exact as a sum of two.
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Lanes x = hn::Abs(a);
    const Pair q = quotient({x, set(0)}, sum(set(1), x));
    return in_reach(0x1p-900, a, estimate(with_sign_of(a, q), 0x1p-96));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
