// Estimates of tanh.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_TANH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_TANH_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_TANH_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_TANH_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/tanh.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Tanh> : SingleParts {
  // With t = e^2x - 1: t / (t + 2). An error of t weighs less in the quotient.
  HWY_INLINE static V value(V a) {
    const V x = at_most(hn::Abs(a), 30);
    const V t = minus_one(hn::Add(x, x));
    return hn::CopySign(hn::Div(t, hn::Add(t, set(2))), a);
  }
};

template <>
struct PairFunction<op::Tanh> : PairParts {
  // Operands below 2^-900 would lose bits.
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Lanes x = at_most(hn::Abs(a), 25);
    Pair q = tangent(x);
    q = {hn::CopySign(q.hi, a), hn::Xor(q.lo, hn::And(a, set(-0.0)))};
    PairEstimate result = estimate(q, 0x1p-68);
    result.hi = undecided_unless(hn::Ge(x, set(0x1p-900)), result.hi);
    return where_zero(a, result);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
