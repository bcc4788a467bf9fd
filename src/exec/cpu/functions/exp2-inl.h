// Estimates of exp2.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_EXP2_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_EXP2_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_EXP2_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_EXP2_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/exp2.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Exp2> : SingleParts {
  // The fraction is exact, but for operands below 2^-28, where it need not be.
  HWY_INLINE static V value(V a) {
    const V x = at_least(at_most(a, 200), -200);
    const V sum = hn::Add(x, set(kToInteger));
    const V r = hn::Mul(hn::Sub(x, integer_of(sum)), set(kLog2));
    const V scale = power_of_two(bits(sum));
    return hn::MulAdd(hn::Mul(r, polynomial(kExpm1, r)), scale, scale);
  }
};

template <>
struct PairFunction<op::Exp2> : PairParts {
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Lanes x = a;
    const Lanes steps = hn::Add(x, set(kToInteger / 128));
    const Lanes rest = hn::Sub(x, hn::Sub(steps, set(kToInteger / 128)));
    const Pair p = product(rest, set(0x1.62e42fefa39efp-1));
    const Lanes lo = hn::MulAdd(rest, set(0x1.abc9e3b39803fp-56), p.lo);
    const Reduced r{set(0), ordered_sum(p.hi, lo), bits(steps)};
    const Lanes scale = power_of_two(hn::ShiftRight<7>(r.steps));
    return within(990, x, estimate(scaled(power(r), scale), 0x1p-74));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
