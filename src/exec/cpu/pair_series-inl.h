// Exponentials and logarithms as sums of two doubles: tables, and series of what they leave.
#if defined(HADAMARD_EXEC_CPU_PAIR_SERIES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_PAIR_SERIES_INL_H_
#undef HADAMARD_EXEC_CPU_PAIR_SERIES_INL_H_
#else
#define HADAMARD_EXEC_CPU_PAIR_SERIES_INL_H_
#endif

#include "exec/cpu/pair_lanes-inl.h"
#include "num/elementary_tables.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// The errors of the parts are written beside them, as shares of the function's value. r is what is
// left of an operand when the next entry of a table has been taken away from it: at most 2^-8, so
// that r^3/6 in one double is good for 2^-70.
class PairSeries : public PairLanes {
 public:
  using Lanes = FunctionLanes::V;

  PairSeries() : tables_(elementary::tables()) {}

 protected:
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

  const elementary::Tables& tables_;
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
