// Estimates of expm1.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_EXPM1_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_EXPM1_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_EXPM1_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_EXPM1_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/expm1.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Expm1> : SingleParts {
  HWY_INLINE static V value(V a) { return hn::CopySign(minus_one(within(a)), a); }
};

template <>
struct PairFunction<op::Expm1> : PairParts {
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Lanes x = at_least(a, -60);  // -1 + e^-60 is -1, rounded
    return where_zero(a, within(708, x, estimate(minus_one(x), 0x1p-68)));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
