// Estimates of tanh_shrink.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_TANH_SHRINK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_TANH_SHRINK_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_TANH_SHRINK_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_TANH_SHRINK_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "exec/cpu/functions/tanh-inl.h"
#include "op/tanh_shrink.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::TanhShrink> : SingleParts {
  // Below 2 as (x cosh x - sinh x) / cosh x: series of positive terms, which lose nothing. From 2
  // on the difference is above 1.
  HWY_INLINE static V value(V a) {
    const V x = hn::Abs(a), small = at_most(x, 2), z = hn::Mul(small, small);
    const V cube = hn::Mul(small, z);
    const V series = hn::Div(hn::Mul(cube, polynomial(kDifference, z)), polynomial(kCosh, z));
    const V result =
        hn::IfThenElse(hn::Lt(x, set(2)), series, hn::Sub(x, SingleFunction<op::Tanh>::value(x)));
    return hn::CopySign(result, a);
  }

 private:
  // 2k / (2k+1)!, k from 1: for z <= 4 what is left out is below 2^-55.
  static constexpr double kDifference[] = {2.0 / 6,
                                           4.0 / 120,
                                           6.0 / 5040,
                                           8.0 / 362880,
                                           10.0 / 39916800,
                                           12.0 / 6227020800,
                                           14.0 / 1307674368000,
                                           16.0 / 355687428096000,
                                           18.0 / 121645100408832000,
                                           20.0 / 51090942171709440000.0,
                                           22.0 / 25852016738884976640000.0};
  // 1 / (2k)!, k from 0.
  static constexpr double kCosh[] = {1.0,
                                     1.0 / 2,
                                     1.0 / 24,
                                     1.0 / 720,
                                     1.0 / 40320,
                                     1.0 / 3628800,
                                     1.0 / 479001600,
                                     1.0 / 87178291200,
                                     1.0 / 20922789888000,
                                     1.0 / 6402373705728000,
                                     1.0 / 2432902008176640000,
                                     1.0 / 1124000727777607680000.0};
};

template <>
struct PairFunction<op::TanhShrink> : PairParts {
  // The difference; of small operands the series of the tangent, with its first two terms exact.
  HWY_INLINE PairEstimate value(Lanes a) const {
    const Lanes x = hn::Abs(a);
    const Pair t = tangent(at_most(x, 25));
    const Pair s = sum(x, hn::Neg(t.hi));
    const PairEstimate large = {s.hi, hn::Sub(s.lo, t.lo),
                                hn::MulAdd(t.hi, set(0x1p-68), hn::Mul(s.hi, set(0x1p-73)))};
    const PairEstimate v = where(hn::Lt(x, set(0.1875)), cube_and_more(at_most(x, 1)), large);
    const Pair p = with_sign_of(a, ordered_sum(v.hi, v.lo));
    return in_reach(0x1p-300, a, {p.hi, p.lo, v.error});
  }

 private:
  // x - tanh(x) = x^3/3 - 2x^5/15 + 17x^7/315 - …: ten roundings of the third term, which is less
  // than x^4/6 of the first.
  HWY_INLINE static PairEstimate cube_and_more(Lanes x) {
    constexpr double kRest[] = {
        0x1.ba1ba1ba1ba1cp-5,  -0x1.664f4882c10fap-6,  0x1.226e355e6c23dp-7,
        -0x1.d6d3d0e157de0p-9, 0x1.7da36452b75e3p-10,  -0x1.3558248036744p-11,
        0x1.f57d7734d1664p-13, -0x1.967e18afcafadp-14, 0x1.497d8eea25259p-15};
    const Pair z = product(x, x);
    const Pair cube = product(z, {x, set(0)});
    const Pair first = product(cube, pair(0x1.5555555555555p-2, 0x1.5555555555555p-56));
    const Pair second =
        product(product(cube, z), pair(0x1.1111111111111p-3, 0x1.1111111111111p-59));
    const Lanes z2 = hn::Mul(z.hi, z.hi);
    const Lanes rest = hn::Mul(hn::Mul(cube.hi, z2), polynomial(kRest, z.hi));
    const Pair s = ordered_sum(first.hi, hn::Neg(second.hi));
    const Lanes lo = hn::Add(hn::Add(s.lo, hn::Sub(first.lo, second.lo)), rest);
    return {s.hi, lo, hn::Mul(s.hi, hn::MulAdd(z2, set(0x1p-51), set(0x1p-72)))};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
