// Estimates of log.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_LOG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_LOG_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_LOG_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_LOG_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/log.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Log> : SingleParts {
  HWY_INLINE static V value(V a) {
    const Parts p = parts_of(a);
    const V l = log_of(hn::Sub(p.significand, set(1)));
    return positive(a, hn::MulAdd(p.exponent, set(kLog2), l));
  }
};

template <>
struct PairFunction<op::Log> : PairParts {
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Logarithm l = log_of(a);
    return claimed(a, with_powers_of_two(l), l, 1);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
