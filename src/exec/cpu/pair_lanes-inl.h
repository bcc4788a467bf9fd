// Arithmetic of sums of two doubles, in lanes.
#if defined(HADAMARD_EXEC_CPU_PAIR_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_PAIR_LANES_INL_H_
#undef HADAMARD_EXEC_CPU_PAIR_LANES_INL_H_
#else
#define HADAMARD_EXEC_CPU_PAIR_LANES_INL_H_
#endif

#include "exec/cpu/function_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// Sums and products whose error is kept: hi + lo, |lo| <= 2^-53 |hi| or little more.
class PairLanes : public FunctionLanes {
 protected:
  struct Pair {
    V hi;
    V lo;
  };
  // Exact where |a| >= |b| or a is 0.
  HWY_INLINE static Pair ordered_sum(V a, V b) {
    const V sum = hn::Add(a, b);
    return {sum, hn::Sub(b, hn::Sub(sum, a))};
  }
  // Exact.
  HWY_INLINE static Pair sum(V a, V b) {
    const V s = hn::Add(a, b);
    const V of_b = hn::Sub(s, a);
    return {s, hn::Add(hn::Sub(a, hn::Sub(s, of_b)), hn::Sub(b, of_b))};
  }
  // Exact where the product's last bit is above 2^-1074 and, without a fused multiply-add, the
  // factors are below 2^996.
  HWY_INLINE static Pair product(V a, V b) {
    const V p = hn::Mul(a, b);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON
    return {p, hn::MulSub(a, b, p)};
#else
    const Pair x = halves(a), y = halves(b);
    const V rest =
        hn::Add(hn::Sub(hn::Mul(x.hi, y.hi), p), hn::Add(hn::Mul(x.hi, y.lo), hn::Mul(x.lo, y.hi)));
    return {p, hn::Add(rest, hn::Mul(x.lo, y.lo))};
#endif
  }
  // Within 2^-101 of its size.
  HWY_INLINE static Pair product(Pair a, Pair b) {
    const Pair p = product(a.hi, b.hi);
    return ordered_sum(p.hi, hn::Add(p.lo, hn::MulAdd(a.hi, b.lo, hn::Mul(a.lo, b.hi))));
  }
  HWY_INLINE static Pair quotient(Pair a, Pair b) {
    const V q = hn::Div(a.hi, b.hi);
    const Pair p = product(q, b.hi);
    const V rest = hn::Add(hn::Sub(hn::Sub(a.hi, p.hi), p.lo), hn::NegMulAdd(q, b.lo, a.lo));
    return ordered_sum(q, hn::Div(rest, b.hi));
  }
  HWY_INLINE static Pair pair(double hi, double lo) { return {set(hi), set(lo)}; }
  HWY_INLINE static Pair scaled(Pair a, V by) { return {hn::Mul(a.hi, by), hn::Mul(a.lo, by)}; }
  HWY_INLINE static Pair select(M which, Pair a, Pair b) {
    return {hn::IfThenElse(which, a.hi, b.hi), hn::IfThenElse(which, a.lo, b.lo)};
  }
  HWY_INLINE static V gather(const double* table, U index) {
#if HWY_TARGET == HWY_AVX2
    // Into zeros, and with a mask that the compiler knows nothing of: otherwise it takes any
    // register to be filled, and the instruction waits for who wrote that one last, which may be
    // the end of the round before (log: 6 ns instead of 4).
    __m256d all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
    asm("" : "+x"(all));
    return V{_mm256_mask_i64gather_pd(_mm256_setzero_pd(), table, index.raw, all, 8)};
#else
    return hn::GatherIndex(D(), table, hn::BitCast(DI(), index));
#endif
  }

  // A number as a sum of two with at most 26 bits each.
  HWY_INLINE static Pair halves(V a) {
    const V large = hn::Mul(a, set(0x1p27 + 1));
    const V upper = hn::Sub(large, hn::Sub(large, a));
    return {upper, hn::Sub(a, upper)};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
