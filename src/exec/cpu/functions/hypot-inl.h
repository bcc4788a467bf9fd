// Estimates of hypot.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_HYPOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_HYPOT_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_HYPOT_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_HYPOT_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "op/hypot.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Hypot> : SingleParts {
  // Squares are exact; none overflows or vanishes.
  HWY_INLINE static V value(V a, V b) { return hn::Sqrt(hn::MulAdd(a, a, hn::Mul(b, b))); }
};

template <>
struct PairFunction<op::Hypot> : PairParts {
  // The root of the sum of squares, and one step of Newton's.
  HWY_INLINE PairEstimate value(Lanes a, Lanes b) const {
    const Lanes x = hn::Abs(a), y = hn::Abs(b);
    const Pair xx = product(x, x), yy = product(y, y);
    const Pair s = sum(xx.hi, yy.hi);
    const Lanes rest = hn::Add(s.lo, hn::Add(xx.lo, yy.lo));
    const Lanes root = hn::Sqrt(s.hi);
    const Pair square = product(root, root);
    const Lanes off = hn::Add(hn::Sub(hn::Sub(s.hi, square.hi), square.lo), rest);
    const Pair h = ordered_sum(root, hn::Div(off, hn::Add(root, root)));
    PairEstimate result = estimate(h, 0x1p-96);
    const M decided = hn::And(in_reach_of_squares(x), in_reach_of_squares(y));
    result.hi = undecided_unless(decided, result.hi);
    return result;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
