// Estimates of elementary functions for fp64: sums of two doubles.
#if defined(HADAMARD_EXEC_CPU_FUNCTION_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTION_PAIRS_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTION_PAIRS_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTION_PAIRS_INL_H_
#endif

#include "exec/cpu/pair_series-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// An estimate: the true value is within `error` of hi + lo. NaN where nothing is known; where hi is
// the result, the other two are 0.
struct PairEstimate {
  FunctionLanes::V hi;
  FunctionLanes::V lo;
  FunctionLanes::V error;
};

// What the estimates for fp64 are made of. Each function claims at least twice the sum of its
// parts' errors.
class PairParts : public PairSeries {
 public:
  // A zero is exact, and keeps its sign.
  HWY_INLINE static void store_bounds(const PairEstimate& e, double* low, double* high) {
    const M zero = hn::Eq(e.hi, set(0));
    hn::StoreU(hn::IfThenElse(zero, e.hi, hn::Add(e.hi, hn::Sub(e.lo, e.error))), D(), low);
    hn::StoreU(hn::IfThenElse(zero, e.hi, hn::Add(e.hi, hn::Add(e.lo, e.error))), D(), high);
  }

 protected:
  // t / (t + 2), t = e^2x - 1: an error of t weighs less in the quotient. 0 <= x <= 25, from where
  // on it is 1, rounded.
  HWY_INLINE Pair tangent(Lanes x) const {
    const Pair t = minus_one(hn::Add(x, x));
    const Pair above = sum(set(2), t.hi);
    return quotient(t, {above.hi, hn::Add(above.lo, t.lo)});
  }
  // 1 / (1 + e^-x), -640 <= x <= 640.
  HWY_INLINE Pair logistic(Lanes x) const {
    const Reduced r = reduced(hn::Neg(x));
    const Pair z = scaled(power(r), power_of_two(hn::ShiftRight<7>(r.steps)));
    const Pair above = sum(set(1), z.hi);
    return quotient(pair(1, 0), {above.hi, hn::Add(above.lo, z.lo)});
  }
  // log(1 + a). 1 + a as a pair: u. Where the table has 1 for it, a is what is left.
  HWY_INLINE PairEstimate log_beyond_one(Pair a) const {
    const Pair u = sum(set(1), a.hi);
    const Parts p = parts_of(u.hi);
    const U index = hn::ShiftRight<44>(p.above);
    const Lanes c = gather(tables_.log.c, index);
    const M small = hn::And(hn::Eq(p.exponent, set(0)), hn::Eq(c, set(1)));
    const Lanes shrink = power_of_two(bits(hn::Sub(set(kToInteger), p.exponent)));
    const Lanes r = hn::IfThenElse(small, a.hi, less_one(p.significand, c));
    const Lanes rest =
        hn::IfThenElse(small, a.lo, hn::Mul(hn::Mul(hn::Add(u.lo, a.lo), shrink), c));
    const Logarithm l = log_with(p.exponent, index, r, rest);
    return claimed(u.hi, with_powers_of_two(l), l, 1);
  }

  HWY_INLINE static PairEstimate estimate(Pair p, double share) {
    return {p.hi, p.lo, hn::Mul(hn::Abs(p.hi), set(share))};
  }
  HWY_INLINE static PairEstimate within(double limit, Lanes x, PairEstimate e) {
    e.hi = undecided_unless(hn::Le(hn::Abs(x), set(limit)), e.hi);
    return e;
  }
  HWY_INLINE static PairEstimate where(M which, const PairEstimate& a, const PairEstimate& b) {
    return {hn::IfThenElse(which, a.hi, b.hi), hn::IfThenElse(which, a.lo, b.lo),
            hn::IfThenElse(which, a.error, b.error)};
  }
  // f(0) = 0, with its sign.
  HWY_INLINE static PairEstimate where_zero(Lanes x, PairEstimate e) {
    const M zero = hn::Eq(x, set(0));
    return {hn::IfThenElse(zero, x, e.hi), e.lo, e.error};
  }
  HWY_INLINE static M in_reach_of_squares(Lanes x) {
    const M large = hn::Or(hn::Ge(x, set(0x1p-400)), hn::Eq(x, set(0)));
    return hn::And(large, hn::Le(x, set(0x1p400)));
  }

  HWY_INLINE static PairEstimate claimed(Lanes x, Pair value, const Logarithm& l, double scale) {
    const M decided =
        hn::And(hn::Ge(x, set(0x1p-1022)), hn::Lt(x, set(std::numeric_limits<double>::infinity())));
    const Lanes error = hn::MulAdd(hn::Abs(value.hi), set(0x1p-73), hn::Mul(l.error, set(scale)));
    return {undecided_unless(decided, value.hi), value.lo, error};
  }

  // --- Sines. A step is pi/512. sin(a + steps) for |a| <= 4096: the count has 20 bits and the
  // parts of a step 33, so that three products, and the first difference, are exact. No double in
  // that range comes nearer to a multiple of pi/2 than 2^-64.
  HWY_INLINE PairEstimate sine_of_turned(Lanes a, std::uint64_t steps) const {
    const Lanes sum = hn::MulAdd(a, set(0x1.45f306dc9c883p+7), set(kToInteger));
    const Lanes n = integer_of(sum);
    const Lanes off = hn::NegMulAdd(n, set(0x1.921fb54400000p-8), a);
    const Pair r1 = PairLanes::sum(off, hn::Mul(n, set(-0x1.0b4611a600000p-42)));
    const Pair r2 = PairLanes::sum(r1.hi, hn::Mul(n, set(-0x1.3198a2e000000p-77)));
    const Lanes off_lo = hn::NegMulAdd(n, set(0x1.b839a252049c1p-112), hn::Add(r1.lo, r2.lo));
    const Pair r = ordered_sum(r2.hi, off_lo);
    const U turned = hn::Add(bits(sum), set_bits(steps));
    const U index = hn::And(turned, set_bits(255));
    const U mirrored = hn::Sub(set_bits(256), index);
    const auto odd = hn::Ne(hn::And(turned, set_bits(256)), set_bits(0));
    // u cos(r) + w sin(r)
    const U of_u = hn::IfThenElse(odd, mirrored, index),
            of_w = hn::IfThenElse(odd, index, mirrored);
    const Pair u = {gather(tables_.sin.hi, of_u), gather(tables_.sin.lo, of_u)};
    const Lanes flip = from_bits(hn::IfThenElseZero(odd, bits(set(-0.0))));
    const Pair w = {hn::Xor(gather(tables_.sin.hi, of_w), flip),
                    hn::Xor(gather(tables_.sin.lo, of_w), flip)};
    Pair result = rotated(u, w, r);
    const Lanes sign = from_bits(hn::ShiftLeft<54>(hn::And(turned, set_bits(512))));
    result = {hn::Xor(result.hi, sign), hn::Xor(result.lo, sign)};
    return within(4096, a, estimate(result, 0x1p-68));
  }
  // |r| <= 2^-8.3. What is in one double: r^3/6, with six roundings, and r^4/24. Within 2^-69.5.
  HWY_INLINE static Pair rotated(Pair u, Pair w, Pair r) {
    constexpr double kSine[] = {-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880};
    constexpr double kCosine[] = {1.0 / 24, -1.0 / 720, 1.0 / 40320};
    const Lanes z = hn::Mul(r.hi, r.hi);
    const Pair minus_square = product(r.hi, hn::Mul(r.hi, set(-0.5)));
    const Pair sine = ordered_sum(r.hi, hn::MulAdd(hn::Mul(z, r.hi), polynomial(kSine, z), r.lo));
    const Pair m = product(w.hi, sine.hi);
    const Pair c = product(u.hi, minus_square.hi);
    const Lanes c_rest = hn::MulAdd(hn::Mul(z, z), polynomial(kCosine, z),
                                    hn::NegMulAdd(r.hi, r.lo, minus_square.lo));
    const Pair first = PairLanes::sum(u.hi, m.hi);
    const Pair second = ordered_sum(first.hi, c.hi);
    const Lanes m_lo = hn::Add(m.lo, hn::MulAdd(w.hi, sine.lo, hn::Mul(w.lo, sine.hi)));
    const Lanes c_lo = hn::Add(c.lo, hn::MulAdd(u.hi, c_rest, u.lo));
    return ordered_sum(second.hi, hn::Add(hn::Add(first.lo, second.lo), hn::Add(m_lo, c_lo)));
  }
  // Of a positive or zero p.
  HWY_INLINE static Pair with_sign_of(Lanes a, Pair p) {
    const Lanes sign = hn::And(a, set(-0.0));
    return {hn::Xor(p.hi, sign), hn::Xor(p.lo, sign)};
  }
  // Nothing is known of numbers that are very small or very large; f(0) = 0, with its sign.
  HWY_INLINE static PairEstimate in_reach(double least, Lanes a, PairEstimate e) {
    const Lanes x = hn::Abs(a);
    const M decided = hn::And(hn::Ge(x, set(least)), hn::Le(x, set(0x1p900)));
    e.hi = undecided_unless(decided, e.hi);
    return where_zero(a, e);
  }
};

// The estimate of an operator: `value` of one or two operands, and perhaps `bounds` of many. Those
// that there are stand in functions/.
template <class Operator>
struct PairFunction;

struct PairEstimates {
  template <class Operator>
  using Function = PairFunction<Operator>;
  using D = FunctionLanes::D;
  using V = FunctionLanes::V;

  template <class Operator>
  HWY_NOINLINE static void bounds(const double* a, const double* b, double* low, double* high,
                                  std::int64_t n, double /*margin*/) {
    const PairFunction<Operator> function{};
    if constexpr (requires { function.bounds(a, b, low, high, n); }) {
      return function.bounds(a, b, low, high, n);
    } else {
      for (std::int64_t i = 0; i < n; i += static_cast<std::int64_t>(hn::Lanes(D()))) {
        const PairEstimate e = value(function, hn::LoadU(D(), a + i), hn::LoadU(D(), b + i));
        function.store_bounds(e, low + i, high + i);
      }
    }
  }
  template <class Operator>
  HWY_INLINE static PairEstimate value(const PairFunction<Operator>& function, V a,
                                       [[maybe_unused]] V b) {
    if constexpr (op::arity_of<Operator> == 2) {
      return function.value(a, b);
    } else {
      return function.value(a);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
