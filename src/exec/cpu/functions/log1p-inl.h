// Estimates of log1p.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_LOG1P_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_LOG1P_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_LOG1P_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_LOG1P_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/log1p.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Log1p> : SingleParts {
  // 1 + a is exact wherever it is used: from 2^-28 to 2^29; above that its error is one of 2^-53.
  HWY_INLINE static V value(V a) {
    const V sum = hn::Add(a, set(1));
    const Parts p = parts_of(sum);
    const V rest = hn::IfThenElse(hn::Eq(p.exponent, set(0)), a, hn::Sub(p.significand, set(1)));
    const V result = hn::MulAdd(p.exponent, set(kLog2), log_of(rest));
    return positive(sum, hn::CopySign(result, a));
  }
};

template <>
struct PairFunction<op::Log1p> : PairParts {
  HWY_INLINE PairEstimate value(Lanes a) const {
    PairEstimate result = log_beyond_one({a, set(0)});
    result.hi = undecided_unless(hn::Lt(a, set(0x1p1000)), result.hi);
    return where_zero(a, result);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
