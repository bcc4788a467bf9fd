// Estimates of log10.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_LOG10_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_LOG10_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_LOG10_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_LOG10_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/log10.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Log10> : SingleParts {
  HWY_INLINE static V value(V a) {
    const Parts p = parts_of(a);
    const V l = hn::Mul(log_of(hn::Sub(p.significand, set(1))), set(0x1.bcb7b1526e50ep-2));
    return positive(a, hn::MulAdd(p.exponent, set(0x1.34413509f79ffp-2), l));
  }
};

template <>
struct PairFunction<op::Log10> : PairParts {
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Logarithm l = log_of(a);
    const Pair inverse = pair(0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
    return claimed(a, product(with_powers_of_two(l), inverse), l, 1);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
