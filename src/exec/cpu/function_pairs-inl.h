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
// the result, the other two are 0. An operand is its hi. (One type, because an operator's formula
// is computed in one.)
struct PairEstimate {
  FunctionLanes::V hi;
  FunctionLanes::V lo;
  FunctionLanes::V error;
};

// Each function claims at least twice the sum of its parts' errors.
class PairEstimates : public PairSeries {
 public:
  using V = PairEstimate;

  HWY_INLINE explicit PairEstimates(const elementary::Tables& tables) : PairSeries(tables) {}

  template <class Operator, class World>
  HWY_NOINLINE static void bounds(const double* a, const double* b, double* low, double* high,
                                  std::int64_t n, double /*margin*/) {
    const World world(elementary::tables());
    if constexpr (std::is_same_v<Operator, op::Pow>)
      return world.bounds_of_powers(a, b, low, high, n);
    for (std::int64_t i = 0; i < n; i += static_cast<std::int64_t>(hn::Lanes(D()))) {
      const V e =
          Evaluate<World, V>{world, operand(a + i), operand(b + i)}(op::Formula<Operator>{});
      store_bounds(e, low + i, high + i);
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
  // Operands below 2^-900 would lose bits.
  HWY_INLINE V tanh(const V& a) const {
    const Lanes x = at_most(hn::Abs(a.hi), 25);
    Pair q = tangent(x);
    q = {hn::CopySign(q.hi, a.hi), hn::Xor(q.lo, hn::And(a.hi, set(-0.0)))};
    V result = estimate(q, 0x1p-68);
    result.hi = undecided_unless(hn::Ge(x, set(0x1p-900)), result.hi);
    return where_zero(a.hi, result);
  }
  // 1 / (1 + e^-x). From 100 on it is 1, rounded.
  HWY_INLINE V sigmoid(const V& a) const {
    const Lanes x = at_most(a.hi, 100);
    return within(640, x, estimate(logistic(x), 0x1p-73));
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
  HWY_INLINE V log1p(const V& a) const {
    V result = log_beyond_one({a.hi, set(0)});
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

  // |x|^y = e^t, t = y log|x|. An error of t is one of the result's size: y times what the
  // logarithm claims, which is at most 2^-66 of it, and 2^-103 t for the product. So up to 2^-56
  // where x is near to 1 and t is large, but below 2^-68 for most. Beyond 760 the result is
  // infinity or zero; from 690 to there nothing is known.
  HWY_INLINE V pow(const V& a, const V& b) const {
    const M easy = is_one_operation(b.hi);
    if (hn::AllTrue(D(), easy)) return {one_operation(a.hi, b.hi), set(0), set(0)};
    return power_with(log_of_base(a.hi), a.hi, b.hi, easy);
  }

 private:
  HWY_INLINE static V operand(const double* p) {
    const Lanes x = hn::LoadU(D(), p);
    return {x, x, x};
  }
  // A zero is exact, and keeps its sign.
  HWY_INLINE static void store_bounds(const V& e, double* low, double* high) {
    const M zero = hn::Eq(e.hi, set(0));
    hn::StoreU(hn::IfThenElse(zero, e.hi, hn::Add(e.hi, hn::Sub(e.lo, e.error))), D(), low);
    hn::StoreU(hn::IfThenElse(zero, e.hi, hn::Add(e.hi, hn::Add(e.lo, e.error))), D(), high);
  }

  // As pow, in two rounds for some vectors at a time: the processor looks about 250 instructions
  // ahead, which is less than one vector's logarithm and power, but several of either.
  HWY_INLINE void bounds_of_powers(const double* a, const double* b, double* low, double* high,
                                   std::int64_t n) const {
    constexpr std::int64_t kRound = 64;
    const auto step = static_cast<std::int64_t>(hn::Lanes(D()));
    HWY_ALIGN double hi[kRound], lo[kRound], error[kRound];
    for (std::int64_t begin = 0; begin < n; begin += kRound) {
      const std::int64_t count = std::min(kRound, n - begin);
      bool is_done = true;
      for (std::int64_t i = 0; i < count; i += step) {
        const Lanes x = hn::LoadU(D(), a + begin + i), y = hn::LoadU(D(), b + begin + i);
        if (hn::AllTrue(D(), is_one_operation(y))) {
          store_bounds({one_operation(x, y), set(0), set(0)}, low + begin + i, high + begin + i);
          continue;
        }
        is_done = false;
        const V log = log_of_base(x);
        hn::Store(log.hi, D(), hi + i);
        hn::Store(log.lo, D(), lo + i);
        hn::Store(log.error, D(), error + i);
      }
      for (std::int64_t i = 0; !is_done && i < count; i += step) {
        const Lanes x = hn::LoadU(D(), a + begin + i), y = hn::LoadU(D(), b + begin + i);
        const M easy = is_one_operation(y);
        if (hn::AllTrue(D(), easy)) continue;
        const V log{hn::Load(D(), hi + i), hn::Load(D(), lo + i), hn::Load(D(), error + i)};
        store_bounds(power_with(log, x, y, easy), low + begin + i, high + begin + i);
      }
    }
  }
  HWY_INLINE V log_of_base(Lanes a) const {
    const Lanes x = hn::Abs(a);
    const Logarithm l = log_of(x);
    return claimed(x, with_powers_of_two(l), l, 1);
  }
  // x^y with the logarithm of |x|; `easy` is where y makes it one operation.
  HWY_INLINE V power_with(const V& log, Lanes x, Lanes y, M easy) const {
    const Pair t = product(y, log.hi);
    Reduced r = reduced(t.hi);
    // The low part of t, up to 2^-44, may be more than what is left of the high one.
    r.rest = sum(r.rest.hi, hn::Add(r.rest.lo, hn::MulAdd(y, log.lo, t.lo)));
    const Pair p = scaled(power(r), power_of_two(hn::ShiftRight<7>(r.steps)));
    const Lanes share = hn::MulAdd(hn::Abs(y), log.error, set(0x1p-74));
    V e = within(690, t.hi, {p.hi, p.lo, hn::Mul(p.hi, share)});
    const Lanes infinity = set(std::numeric_limits<double>::infinity());
    const Lanes limit = hn::IfThenElseZero(hn::Gt(t.hi, set(0)), infinity);
    e = where(hn::Gt(hn::Abs(t.hi), set(760)), {limit, set(0), set(0)}, e);
    const Lanes sign = sign_of_power(x, y);
    e.hi = undecided_unless(has_power(x, y), hn::Xor(e.hi, sign));
    e.lo = hn::Xor(e.lo, sign);
    if (hn::AllFalse(D(), easy)) return e;
    return where(easy, {one_operation(x, y), set(0), set(0)}, e);
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
  HWY_INLINE V log_beyond_one(Pair a) const {
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

  HWY_INLINE static V estimate(Pair p, double share) {
    return {p.hi, p.lo, hn::Mul(hn::Abs(p.hi), set(share))};
  }
  HWY_INLINE static V within(double limit, Lanes x, V e) {
    e.hi = undecided_unless(hn::Le(hn::Abs(x), set(limit)), e.hi);
    return e;
  }
  HWY_INLINE static V where(M which, const V& a, const V& b) {
    return {hn::IfThenElse(which, a.hi, b.hi), hn::IfThenElse(which, a.lo, b.lo),
            hn::IfThenElse(which, a.error, b.error)};
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
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
