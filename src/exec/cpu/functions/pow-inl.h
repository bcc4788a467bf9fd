// Estimates of pow.
#if defined(HADAMARD_EXEC_CPU_FUNCTIONS_POW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTIONS_POW_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTIONS_POW_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTIONS_POW_INL_H_
#endif

#include "exec/cpu/function_pairs-inl.h"
#include "exec/cpu/functions/exp-inl.h"
#include "exec/cpu/functions/log-inl.h"
#include "op/pow.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <>
struct SingleFunction<op::Pow> : SingleParts {
  static constexpr double kPromise = 0x1p-41;

  // |a|^b = e^t, t = b log|a|. Five roundings of the logarithm, at most doubled where a power of
  // two cancels, are within 2^-49.3, and no float is left beyond |t| = 105: within 2^-42.5.
  HWY_INLINE static V value(V a, V b) {
    const M easy = is_one_operation(b);
    if (hn::AllTrue(D(), easy)) return one_operation(a, b);
    const V p = hn::Xor(
        SingleFunction<op::Exp>::value(hn::Mul(b, SingleFunction<op::Log>::value(hn::Abs(a)))),
        sign_of_power(a, b));
    const V result = undecided_unless(has_power(a, b), p);
    if (hn::AllFalse(D(), easy)) return result;
    return hn::IfThenElse(easy, one_operation(a, b), result);
  }
};

template <>
struct PairFunction<op::Pow> : PairParts {
  // |x|^y = e^t, t = y log|x|. An error of t is one of the result's size: y times what the
  // logarithm claims, which is at most 2^-66 of it, and 2^-103 t for the product. So up to 2^-56
  // where x is near to 1 and t is large, but below 2^-68 for most. Beyond 760 the result is
  // infinity or zero; from 690 to there nothing is known.
  HWY_INLINE PairEstimate value(Lanes a, Lanes b) const {
    const M easy = is_one_operation(b);
    if (hn::AllTrue(D(), easy)) return {one_operation(a, b), set(0), set(0)};
    return power_with(log_of_base(a), a, b, easy);
  }

  // As `value`, in two rounds for some vectors at a time: the processor looks about 250
  // instructions ahead, which is less than one vector's logarithm and power, but several of either.
  HWY_INLINE void bounds(const double* a, const double* b, double* low, double* high,
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
        const PairEstimate log = log_of_base(x);
        hn::Store(log.hi, D(), hi + i);
        hn::Store(log.lo, D(), lo + i);
        hn::Store(log.error, D(), error + i);
      }
      for (std::int64_t i = 0; !is_done && i < count; i += step) {
        const Lanes x = hn::LoadU(D(), a + begin + i), y = hn::LoadU(D(), b + begin + i);
        const M easy = is_one_operation(y);
        if (hn::AllTrue(D(), easy)) continue;
        const PairEstimate log{hn::Load(D(), hi + i), hn::Load(D(), lo + i),
                               hn::Load(D(), error + i)};
        store_bounds(power_with(log, x, y, easy), low + begin + i, high + begin + i);
      }
    }
  }

 private:
  HWY_INLINE PairEstimate log_of_base(Lanes a) const {
    const Lanes x = hn::Abs(a);
    const Logarithm l = log_of(x);
    return claimed(x, with_powers_of_two(l), l, 1);
  }
  // x^y with the logarithm of |x|; `easy` is where y makes it one operation.
  HWY_INLINE PairEstimate power_with(const PairEstimate& log, Lanes x, Lanes y, M easy) const {
    const Pair t = product(y, log.hi);
    Reduced r = reduced(t.hi);
    // The low part of t, up to 2^-44, may be more than what is left of the high one.
    r.rest = sum(r.rest.hi, hn::Add(r.rest.lo, hn::MulAdd(y, log.lo, t.lo)));
    const Pair p = scaled(power(r), power_of_two(hn::ShiftRight<7>(r.steps)));
    const Lanes share = hn::MulAdd(hn::Abs(y), log.error, set(0x1p-74));
    PairEstimate e = within(690, t.hi, {p.hi, p.lo, hn::Mul(p.hi, share)});
    const Lanes infinity = set(std::numeric_limits<double>::infinity());
    const Lanes limit = hn::IfThenElseZero(hn::Gt(t.hi, set(0)), infinity);
    e = where(hn::Gt(hn::Abs(t.hi), set(760)), {limit, set(0), set(0)}, e);
    const Lanes sign = sign_of_power(x, y);
    e.hi = undecided_unless(has_power(x, y), hn::Xor(e.hi, sign));
    e.lo = hn::Xor(e.lo, sign);
    if (hn::AllFalse(D(), easy)) return e;
    return where(easy, {one_operation(x, y), set(0), set(0)}, e);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
