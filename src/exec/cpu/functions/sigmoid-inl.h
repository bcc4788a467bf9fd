// Estimates of sigmoid.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_SIGMOID_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_SIGMOID_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_SIGMOID_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_SIGMOID_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "exec/cpu/functions/exp-inl.h"
#include "op/sigmoid.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Sigmoid> : SingleParts {
  HWY_INLINE static V value(V a) {
    return hn::Div(set(1), hn::Add(set(1), SingleFunction<op::Exp>::value(hn::Neg(a))));
  }
};

template <>
struct PairFunction<op::Sigmoid> : PairParts {
  // 1 / (1 + e^-x). From 100 on it is 1, rounded.
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Lanes x = at_most(a, 100);
    return within(640, x, estimate(logistic(x), 0x1p-73));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
