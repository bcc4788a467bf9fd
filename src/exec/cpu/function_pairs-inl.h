// Estimates of elementary functions for fp64: sums of two doubles.
#if defined(HADAMARD_EXEC_CPU_FUNCTION_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTION_PAIRS_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTION_PAIRS_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTION_PAIRS_INL_H_
#endif

#include "exec/cpu/pair_lanes-inl.h"
#include "num/elementary_tables.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// An estimate: the true value is within `error` of hi + lo. NaN where nothing is known. An operand
// is its hi. (One type, because an operator's formula is computed in one.)
struct PairEstimate {
  FunctionLanes::V hi;
  FunctionLanes::V lo;
  FunctionLanes::V error;
};

// The errors of the parts are written beside them, as shares of the function's value; each function
// claims at least twice their sum. r is what is left of an operand when the next entry of a table
// has been taken away from it: at most 2^-8, so that r^3/6 in one double is good for 2^-70.
class PairEstimates : public PairLanes {
 public:
  using V = PairEstimate;
  using Lanes = FunctionLanes::V;

  HWY_INLINE explicit PairEstimates(const elementary::Tables& tables) : tables_(tables) {}

  template <class Operator>
  HWY_NOINLINE static void bounds(const double* a, const double* b, double* low, double* high,
                                  std::int64_t n, double /*margin*/) {
    const PairEstimates world(elementary::tables());
    const D d;
    for (std::int64_t i = 0; i < n; i += static_cast<std::int64_t>(hn::Lanes(d))) {
      const Lanes x = hn::LoadU(d, a + i), z = hn::LoadU(d, b + i);
      const V va{x, x, x}, vb{z, z, z};
      const V e = Evaluate<PairEstimates, V>{world, va, vb}(op::Formula<Operator>{});
      // A zero is exact, and keeps its sign.
      const M zero = hn::Eq(e.hi, set(0));
      hn::StoreU(hn::IfThenElse(zero, e.hi, hn::Add(e.hi, hn::Sub(e.lo, e.error))), d, low + i);
      hn::StoreU(hn::IfThenElse(zero, e.hi, hn::Add(e.hi, hn::Add(e.lo, e.error))), d, high + i);
    }
  }

  // For operands of at most 690 both parts of the result, and the error, are normal numbers. The
  // error is that of a factor 1 + p.
  HWY_INLINE V exp(const V& a) const {
    const Reduced r = reduced(a.hi);
    const Lanes scale = power_of_two(hn::ShiftRight<7>(r.steps));
    return within(690, a.hi, estimate(scaled(power(r), scale), 0x1p-74));
  }
  HWY_INLINE V exp2(const V& a) const {
    const Lanes x = a.hi;
    const Lanes steps = hn::Add(x, set(kToInteger / 128));
    const Lanes rest = hn::Sub(x, hn::Sub(steps, set(kToInteger / 128)));
    const Pair p = product(rest, set(0x1.62e42fefa39efp-1));
    const Lanes lo = hn::MulAdd(rest, set(0x1.abc9e3b39803fp-56), p.lo);
    const Reduced r{set(0), ordered_sum(p.hi, lo), bits(steps)};
    const Lanes scale = power_of_two(hn::ShiftRight<7>(r.steps));
    return within(990, x, estimate(scaled(power(r), scale), 0x1p-74));
  }
  HWY_INLINE V expm1(const V& a) const {
    const Lanes x = at_least(a.hi, -60);  // -1 + e^-60 is -1, rounded
    return where_zero(a.hi, within(708, x, estimate(minus_one(x), 0x1p-68)));
  }
  // t / (t + 2), t = e^2x - 1: an error of t weighs less in the quotient. Operands below 2^-900
  // would lose bits.
  HWY_INLINE V tanh(const V& a) const {
    const Lanes x = at_most(hn::Abs(a.hi), 25);
    const Pair t = minus_one(hn::Add(x, x));
    const Pair above = sum(set(2), t.hi);
    Pair q = quotient(t, {above.hi, hn::Add(above.lo, t.lo)});
    q = {hn::CopySign(q.hi, a.hi), hn::Xor(q.lo, hn::And(a.hi, set(-0.0)))};
    V result = estimate(q, 0x1p-68);
    result.hi = undecided_unless(hn::Ge(x, set(0x1p-900)), result.hi);
    return where_zero(a.hi, result);
  }
  // 1 / (1 + e^-x). From 100 on it is 1, rounded.
  HWY_INLINE V sigmoid(const V& a) const {
    const Lanes x = hn::Neg(at_most(a.hi, 100));
    const Reduced r = reduced(x);
    const Pair z = scaled(power(r), power_of_two(hn::ShiftRight<7>(r.steps)));
    const Pair above = sum(set(1), z.hi);
    const Pair q = quotient(pair(1, 0), {above.hi, hn::Add(above.lo, z.lo)});
    return within(640, x, estimate(q, 0x1p-73));
  }

  HWY_INLINE V log(const V& a) const {
    const Logarithm l = log_of(a.hi);
    return claimed(a.hi, with_powers_of_two(l), l, 1);
  }
  HWY_INLINE V log2(const V& a) const {
    const Logarithm l = log_of(a.hi);
    const Pair scaled_log = product(l.value, pair(0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56));
    const Pair s = sum(l.exponent, scaled_log.hi);
    return claimed(a.hi, ordered_sum(s.hi, hn::Add(s.lo, scaled_log.lo)), l, 1.5);
  }
  HWY_INLINE V log10(const V& a) const {
    const Logarithm l = log_of(a.hi);
    const Pair inverse = pair(0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
    return claimed(a.hi, product(with_powers_of_two(l), inverse), l, 1);
  }
  // 1 + a as a pair: u. Where the table has 1 for it, a is what is left.
  HWY_INLINE V log1p(const V& a) const {
    const Pair u = sum(set(1), a.hi);
    const Parts p = parts_of(u.hi);
    const U index = hn::ShiftRight<44>(p.above);
    const Lanes c = gather(tables_.log.c, index);
    const M small = hn::And(hn::Eq(p.exponent, set(0)), hn::Eq(c, set(1)));
    const Lanes shrink = power_of_two(bits(hn::Sub(set(kToInteger), p.exponent)));
    const Lanes r = hn::IfThenElse(small, a.hi, less_one(p.significand, c));
    const Lanes rest = hn::IfThenElse(small, set(0), hn::Mul(hn::Mul(u.lo, shrink), c));
    const Logarithm l = log_with(p.exponent, index, r, rest);
    V result = claimed(u.hi, with_powers_of_two(l), l, 1);
    result.hi = undecided_unless(hn::Lt(a.hi, set(0x1p1000)), result.hi);
    return where_zero(a.hi, result);
  }

  HWY_INLINE V sin(const V& a) const { return where_zero(a.hi, sine_of_turned(a.hi, 0)); }
  HWY_INLINE V cos(const V& a) const { return sine_of_turned(a.hi, 256); }

  // The root of the sum of squares, and one step of Newton's.
  HWY_INLINE V hypot(const V& a, const V& b) const {
    const Lanes x = hn::Abs(a.hi), y = hn::Abs(b.hi);
    const Pair xx = product(x, x), yy = product(y, y);
    const Pair s = sum(xx.hi, yy.hi);
    const Lanes rest = hn::Add(s.lo, hn::Add(xx.lo, yy.lo));
    const Lanes root = hn::Sqrt(s.hi);
    const Pair square = product(root, root);
    const Lanes off = hn::Add(hn::Sub(hn::Sub(s.hi, square.hi), square.lo), rest);
    const Pair h = ordered_sum(root, hn::Div(off, hn::Add(root, root)));
    V result = estimate(h, 0x1p-96);
    const M decided = hn::And(in_reach_of_squares(x), in_reach_of_squares(y));
    result.hi = undecided_unless(decided, result.hi);
    return result;
  }

 private:
  HWY_INLINE static V estimate(Pair p, double share) {
    return {p.hi, p.lo, hn::Mul(hn::Abs(p.hi), set(share))};
  }
  HWY_INLINE static V within(double limit, Lanes x, V e) {
    e.hi = undecided_unless(hn::Le(hn::Abs(x), set(limit)), e.hi);
    return e;
  }
  // f(0) = 0, with its sign.
  HWY_INLINE static V where_zero(Lanes x, V e) {
    const M zero = hn::Eq(x, set(0));
    return {hn::IfThenElse(zero, x, e.hi), e.lo, e.error};
  }
  HWY_INLINE static M in_reach_of_squares(Lanes x) {
    const M large = hn::Or(hn::Ge(x, set(0x1p-400)), hn::Eq(x, set(0)));
    return hn::And(large, hn::Le(x, set(0x1p400)));
  }

  // --- Exponentials. A step is log(2)/128.
  struct Reduced {
    Lanes count;  // of steps
    Pair rest;    // |rest| <= 2^-8.5
    U steps;      // count, in the lowest bits
  };
  // count has 18 bits and the parts of a step 35: two products, and the first difference, are
  // exact.
  HWY_INLINE static Reduced reduced(Lanes x) {
    const Lanes sum = hn::MulAdd(x, set(0x1.71547652b82fep+7), set(kToInteger));
    const Lanes count = integer_of(sum);
    const Lanes off = hn::NegMulAdd(count, set(0x1.62e42fefc0000p-8), x);
    const Pair r = PairLanes::sum(off, hn::Mul(count, set(0x1.c610ca86c0000p-44)));
    return {count, {r.hi, hn::MulAdd(count, set(0x1.c4c67fc0d0951p-83), r.lo)}, bits(sum)};
  }
  // e^r - 1 = r + r^2/2 + r^3 (1/6 + …), within 2^-69.4 of its size, 2^-77.9 in all: nine roundings
  // of r^3/6.
  HWY_INLINE static Pair small_minus_one(Pair r) {
    constexpr double kRest[] = {1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040};
    const Pair square = product(r.hi, hn::Mul(r.hi, set(0.5)));
    const Lanes cube = hn::Mul(hn::Mul(r.hi, r.hi), r.hi);
    const Pair s = ordered_sum(r.hi, square.hi);
    const Lanes rest = hn::MulAdd(cube, polynomial(kRest, r.hi), hn::MulAdd(r.lo, r.hi, r.lo));
    return ordered_sum(s.hi, hn::Add(s.lo, hn::Add(square.lo, rest)));
  }
  // 2^(i/128) e^r, where i is what the steps have beyond whole powers of two.
  HWY_INLINE Pair power(const Reduced& r) const { return power(r, small_minus_one(r.rest)); }
  HWY_INLINE Pair power(const Reduced& r, Pair p) const {
    const U index = hn::And(r.steps, set_bits(127));
    const Pair t = {gather(tables_.exp.hi, index), gather(tables_.exp.lo, index)};
    const Pair m = product(t.hi, p.hi);
    const Pair s = ordered_sum(t.hi, m.hi);
    const Lanes rest = hn::Add(t.lo, hn::MulAdd(t.hi, p.lo, hn::Mul(t.lo, p.hi)));
    return ordered_sum(s.hi, hn::Add(s.lo, hn::Add(m.lo, rest)));
  }
  // e^x - 1 for x <= 708. Without steps, that is |x| < 2^-8.5, it is p; otherwise the difference is
  // above 2^-8.6, so that 2^-77.9 of the power are 2^-69.3.
  HWY_INLINE Pair minus_one(Lanes x) const {
    const Reduced r = reduced(x);
    const Pair p = small_minus_one(r.rest);
    const Pair e = scaled(power(r, p), power_of_two(hn::ShiftRight<7>(r.steps)));
    const Pair s = sum(e.hi, set(-1));
    return select(hn::Eq(r.count, set(0)), p, ordered_sum(s.hi, hn::Add(s.lo, e.lo)));
  }

  // --- Logarithms.
  struct Logarithm {
    Lanes exponent;
    U index;
    Pair value;   // of the significand
    Lanes error;  // of it: what r^3/3 in one double costs
  };
  // m c - 1, exactly: c has few bits.
  HWY_INLINE static Lanes less_one(Lanes m, Lanes c) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON
    return hn::MulSub(m, c, set(1));
#else
    const Pair h = halves(m);
    return hn::Add(hn::Sub(hn::Mul(h.hi, c), set(1)), hn::Mul(h.lo, c));
#endif
  }
  HWY_INLINE Logarithm log_of(Lanes x) const {
    const Parts p = parts_of(x);
    const U index = hn::ShiftRight<44>(p.above);
    return log_with(p.exponent, index, less_one(p.significand, gather(tables_.log.c, index)),
                    set(0));
  }
  // log((1 + r + rest) / c) = -log(c) + r - r^2/2 + r^3 (1/3 - …) + rest (1 - r + r^2). Eight
  // roundings of at most 2^-53 |r^3| / 3; the rest of the series is below 2^-75 |r|.
  HWY_INLINE Logarithm log_with(Lanes exponent, U index, Lanes r, Lanes rest) const {
    constexpr double kRest[] = {1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7, -1.0 / 8, 1.0 / 9};
    const Pair minus_square = product(r, hn::Mul(r, set(-0.5)));
    const Lanes cube = hn::Mul(hn::Mul(r, r), r);
    const Pair first = ordered_sum(gather(tables_.log.hi, index), r);
    const Pair second = ordered_sum(first.hi, minus_square.hi);
    const Lanes derivative = hn::MulAdd(r, r, hn::Sub(set(1), r));
    const Lanes tail = hn::MulAdd(cube, polynomial(kRest, r), hn::Mul(rest, derivative));
    const Lanes small =
        hn::Add(hn::Add(first.lo, second.lo),
                hn::Add(minus_square.lo, hn::Add(gather(tables_.log.lo, index), tail)));
    return {exponent, index, ordered_sum(second.hi, small), hn::Mul(hn::Abs(cube), set(0x1p-50))};
  }
  HWY_INLINE static Pair with_powers_of_two(const Logarithm& l) {
    const Pair s = ordered_sum(hn::Mul(l.exponent, set(0x1.62e42fefa3800p-1)), l.value.hi);
    const Lanes lo = hn::MulAdd(l.exponent, set(0x1.ef35793c76730p-45), l.value.lo);
    return ordered_sum(s.hi, hn::Add(s.lo, lo));
  }
  HWY_INLINE static V claimed(Lanes x, Pair value, const Logarithm& l, double scale) {
    const M decided =
        hn::And(hn::Ge(x, set(0x1p-1022)), hn::Lt(x, set(std::numeric_limits<double>::infinity())));
    const Lanes error = hn::MulAdd(hn::Abs(value.hi), set(0x1p-73), hn::Mul(l.error, set(scale)));
    return {undecided_unless(decided, value.hi), value.lo, error};
  }

  // --- Sines. A step is pi/512. sin(a + steps) for |a| <= 4096: the count has 20 bits and the
  // parts of a step 33, so that three products, and the first difference, are exact. No double in
  // that range comes nearer to a multiple of pi/2 than 2^-64.
  HWY_INLINE V sine_of_turned(Lanes a, std::uint64_t steps) const {
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

  const elementary::Tables& tables_;
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
