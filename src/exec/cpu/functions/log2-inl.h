// Estimates of log2.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_LOG2_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_LOG2_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_LOG2_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_LOG2_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/log2.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Log2> : SingleParts {
  HWY_INLINE static V value(V a) {
    const Parts p = parts_of(a);
    const V l = log_of(hn::Sub(p.significand, set(1)));
    return positive(a, hn::MulAdd(l, set(0x1.71547652b82fep+0), p.exponent));
  }
};

template <>
struct PairFunction<op::Log2> : PairParts {
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Logarithm l = log_of(a);
    const Pair scaled_log = product(l.value, pair(0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56));
    const Pair s = sum(l.exponent, scaled_log.hi);
    return claimed(a, ordered_sum(s.hi, hn::Add(s.lo, scaled_log.lo)), l, 1.5);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
