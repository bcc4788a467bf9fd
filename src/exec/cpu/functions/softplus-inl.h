// Estimates of softplus.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_SOFTPLUS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_SOFTPLUS_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_SOFTPLUS_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_SOFTPLUS_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "exec/cpu/functions/exp-inl.h"
#include "op/softplus.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Softplus> : SingleParts {
  // max(a, 0) + log(1 + t), t = e^-|a|. What is near to 1 is taken to be 2 (1 + f), f = (t - 1)/2,
  // so that f and the result keep the precision of t.
  HWY_INLINE static V value(V a) {
    const V t = SingleFunction<op::Exp>::value(hn::Neg(hn::Abs(a)));
    const M large = hn::Gt(t, set(0.4));
    const V f = hn::IfThenElse(large, hn::Mul(hn::Sub(t, set(1)), set(0.5)), t);
    const V l = hn::Add(hn::IfThenElseZero(large, set(kLog2)), log_of(f));
    return hn::Add(at_least(a, 0), l);
  }
};

template <>
struct PairFunction<op::Softplus> : PairParts {
  // max(x, 0) + log(1 + t), t = e^-|x|. An error of t weighs less in the logarithm.
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Reduced r = reduced(hn::Neg(at_most(hn::Abs(a), 640)));
    const PairEstimate l =
        log_beyond_one(scaled(power(r), power_of_two(hn::ShiftRight<7>(r.steps))));
    const Pair s = sum(at_least(a, 0), l.hi);
    const Pair v = ordered_sum(s.hi, hn::Add(s.lo, l.lo));
    const Lanes error = hn::MulAdd(hn::Abs(v.hi), set(0x1p-72), l.error);
    return {undecided_unless(hn::Ge(a, set(-640)), v.hi), v.lo, error};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
