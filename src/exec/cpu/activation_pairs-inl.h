// Estimates of activations for fp64: sums of two doubles.
#if defined(HADAMARD_EXEC_CPU_ACTIVATION_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_ACTIVATION_PAIRS_INL_H_
#undef HADAMARD_EXEC_CPU_ACTIVATION_PAIRS_INL_H_
#else
#define HADAMARD_EXEC_CPU_ACTIVATION_PAIRS_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// Operands below 2^-900 (of tanh_shrink 2^-300) would lose bits; those above 2^900 are left out for
// the same reason.
class ActivationPairs : public PairEstimates {
 public:
  using V = PairEstimate;

  HWY_INLINE explicit ActivationPairs(const elementary::Tables& tables) : PairEstimates(tables) {}

  template <class Operator>
  HWY_INLINE static void bounds(const double* a, const double* b, double* low, double* high,
                                std::int64_t n, double margin) {
    PairEstimates::bounds<Operator, ActivationPairs>(a, b, low, high, n, margin);
  }

  HWY_INLINE V elu(const V& a) const {
    return where(hn::Gt(a.hi, set(0)), {a.hi, set(0), set(0)}, expm1(a));
  }
  // 1 + |x| is exact as a sum of two.
  HWY_INLINE V softsign(const V& a) const {
    const Lanes x = hn::Abs(a.hi);
    const Pair q = quotient({x, set(0)}, sum(set(1), x));
    return in_reach(0x1p-900, a.hi, estimate(with_sign_of(a.hi, q), 0x1p-96));
  }
  // tanh(y + d) = t + d (1 - t^2), where y + d is 0.67 x; what d^2 would add is nothing.
  HWY_INLINE V stanh(const V& a) const {
    const Lanes x = at_most(hn::Abs(a.hi), 64);
    const Pair y = product(x, set(0x1.570a3d70a3d71p-1));
    const Lanes d = hn::MulAdd(x, set(-0x1.70a3d70a3d70ap-55), y.lo);
    Pair t = tangent(at_most(y.hi, 25));
    t.lo = hn::MulAdd(d, hn::NegMulAdd(t.hi, t.hi, set(1)), t.lo);
    const Pair v = product(t, pair(0x1.b74538ef34d6ap+0, 0x1.61e4f765fd8aep-56));
    return in_reach(0x1p-900, a.hi, estimate(with_sign_of(a.hi, v), 0x1p-67));
  }
  HWY_INLINE V swish(const V& a) const {
    const Lanes x = at_most(a.hi, 100);  // the other factor is 1, from there on
    const Pair q = logistic(x);
    const Pair p = product(a.hi, q.hi);
    const V v = estimate(ordered_sum(p.hi, hn::MulAdd(a.hi, q.lo, p.lo)), 0x1p-72);
    return in_reach(0x1p-900, a.hi, within(640, x, v));
  }
  // max(x, 0) + log(1 + t), t = e^-|x|. An error of t weighs less in the logarithm.
  HWY_INLINE V softplus(const V& a) const {
    const Reduced r = reduced(hn::Neg(at_most(hn::Abs(a.hi), 640)));
    const V l = log_beyond_one(scaled(power(r), power_of_two(hn::ShiftRight<7>(r.steps))));
    const Pair s = sum(at_least(a.hi, 0), l.hi);
    const Pair v = ordered_sum(s.hi, hn::Add(s.lo, l.lo));
    const Lanes error = hn::MulAdd(hn::Abs(v.hi), set(0x1p-72), l.error);
    return {undecided_unless(hn::Ge(a.hi, set(-640)), v.hi), v.lo, error};
  }
  HWY_INLINE V logsigmoid(const V& a) const {
    const V v = softplus({hn::Neg(a.hi), a.lo, a.error});
    return {hn::Neg(v.hi), hn::Neg(v.lo), v.error};
  }
  HWY_INLINE V soft_relu(const V& a) const {
    return softplus({at_least(at_most(a.hi, 40), -40), a.lo, a.error});
  }
  // The difference; of small operands the series of the tangent, with its first two terms exact.
  HWY_INLINE V tanh_shrink(const V& a) const {
    const Lanes x = hn::Abs(a.hi);
    const Pair t = tangent(at_most(x, 25));
    const Pair s = sum(x, hn::Neg(t.hi));
    const V large = {s.hi, hn::Sub(s.lo, t.lo),
                     hn::MulAdd(t.hi, set(0x1p-68), hn::Mul(s.hi, set(0x1p-73)))};
    const V v = where(hn::Lt(x, set(0.1875)), cube_and_more(at_most(x, 1)), large);
    const Pair p = with_sign_of(a.hi, ordered_sum(v.hi, v.lo));
    return in_reach(0x1p-300, a.hi, {p.hi, p.lo, v.error});
  }

 private:
  // Of a positive or zero p.
  HWY_INLINE static Pair with_sign_of(Lanes a, Pair p) {
    const Lanes sign = hn::And(a, set(-0.0));
    return {hn::Xor(p.hi, sign), hn::Xor(p.lo, sign)};
  }
  // Nothing is known of numbers that are very small or very large; f(0) = 0, with its sign.
  HWY_INLINE static V in_reach(double least, Lanes a, V e) {
    const Lanes x = hn::Abs(a);
    const M decided = hn::And(hn::Ge(x, set(least)), hn::Le(x, set(0x1p900)));
    e.hi = undecided_unless(decided, e.hi);
    return where_zero(a, e);
  }
  // x - tanh(x) = x^3/3 - 2x^5/15 + 17x^7/315 - …: ten roundings of the third term, which is less
  // than x^4/6 of the first.
  HWY_INLINE static V cube_and_more(Lanes x) {
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
