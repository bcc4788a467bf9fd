// Estimates of stanh.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_STANH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_STANH_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_STANH_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_STANH_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "exec/cpu/functions/tanh-inl.h"
#include "op/stanh.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Stanh> : SingleParts {
  HWY_INLINE static V value(V a) {
    return hn::Mul(set(1.7159), SingleFunction<op::Tanh>::value(hn::Mul(set(0.67), a)));
  }
};

template <>
struct PairFunction<op::Stanh> : PairParts {
  // tanh(y + d) = t + d (1 - t^2), where y + d is 0.67 x; what d^2 would add is nothing.
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Lanes x = at_most(hn::Abs(a), 64);
    const Pair y = product(x, set(0x1.570a3d70a3d71p-1));
    const Lanes d = hn::MulAdd(x, set(-0x1.70a3d70a3d70ap-55), y.lo);
    Pair t = tangent(at_most(y.hi, 25));
    t.lo = hn::MulAdd(d, hn::NegMulAdd(t.hi, t.hi, set(1)), t.lo);
    const Pair v = product(t, pair(0x1.b74538ef34d6ap+0, 0x1.61e4f765fd8aep-56));
    return in_reach(0x1p-900, a, estimate(with_sign_of(a, v), 0x1p-67));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
