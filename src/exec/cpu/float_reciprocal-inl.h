// Division of floats by one number, by its reciprocal: correctly rounded, without the divider.
#if defined(HADAMARD_EXEC_CPU_FLOAT_RECIPROCAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FLOAT_RECIPROCAL_INL_H_
#undef HADAMARD_EXEC_CPU_FLOAT_RECIPROCAL_INL_H_
#else
#define HADAMARD_EXEC_CPU_FLOAT_RECIPROCAL_INL_H_
#endif

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "exec/cpu/float_world-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

#if HWY_NATIVE_FMA

// x / c, for one c and many x. With m = |c| and z = 1/m:
//
//   q = x * below + x * rest    below + rest is z but for 2^(1-2p) of it; both products are rounded
//                               once: that with rest, and the sum with the other
//   r = m * q - x               exact
//   y = q - r * nearest         nearest is z, rounded
//
// Why y is x/c, rounded (p digits; X and C are the integers of p digits in x and c, u the unit in
// the last place of x/c):
//   - q is at most (1/2 + 2^(4-p)) u from x/c: 2^(1-p) u by what below + rest lacks, as much by the
//     rounding of x * rest, less where that is subnormal, and the rounding of the sum. q is a
//     multiple of u also where x/c is just above a power of two, because the sum then rounds to
//     that power at the least. So r, in units of u times the last place of c, is an integer R of at
//     most C: exact.
//   - y is rounded from x/c + r (z - nearest), which is off by at most |R| 2^-2p u.
//   - It is wrong only if a midpoint between two floats lies between. x/c is d/(2C) u from one, for
//     an integer d, which is not 0: a midpoint times C has more digits than X. If d >= 2, the
//     distance is at least 1/C > C 2^-2p, and the midpoint below a power of two is u/4 away from
//     what is above. If d = 1, q is one of the two floats beside the midpoint: |R| <= (C + 1)/2,
//     and 1/(2C) > (C + 1)/2 2^-2p because C(C + 1) < 2^2p.
//   - A zero keeps its sign because below and rest have one sign, and r is then +0.
// The tests take the X for which d is 1: of fp32 all (tests/exhaustive/reciprocals.cpp).
//
// c and x are of middle size, x may be zero too: then nothing overflows, and of nothing but x *
// rest can a digit be lost below the smallest normal number.
template <class F, bool kNegative>
class Reciprocal {
 public:
  using D = hn::ScalableTag<F>;
  using V = hn::Vec<D>;

  static bool serves(F c) {
    const U exponent = std::bit_cast<U>(c) << 1 >> kDigits;
    return exponent >= kBias - kMostExponent && exponent <= kBias + kMostExponent;
  }
  HWY_INLINE explicit Reciprocal(F c) {
    const V one = hn::Set(D(), F{1});
    size_ = hn::Abs(hn::Set(D(), c));
    nearest_ = hn::Div(one, size_);
    const auto above = hn::Lt(hn::NegMulAdd(size_, nearest_, one), hn::Zero(D()));
    const auto less = hn::Sub(hn::BitCast(DU(), nearest_), hn::Set(DU(), U{1}));
    below_ = hn::IfThenElse(above, hn::BitCast(D(), less), nearest_);
    rest_ = hn::Div(hn::NegMulAdd(size_, below_, one), size_);
    if constexpr (kNegative) {
      below_ = hn::Neg(below_);
      rest_ = hn::Neg(rest_);
    }
  }

  // Whether all are of middle size, or zero where that is asked for too, which takes longer.
  template <bool kOrZero>
  HWY_INLINE static bool takes(V x0, V x1, V x2, V x3) {
    const auto all = hn::And(hn::And(middle<kOrZero>(x0), middle<kOrZero>(x1)),
                             hn::And(middle<kOrZero>(x2), middle<kOrZero>(x3)));
    const hn::RebindToSigned<D> di;
    const auto signs = hn::BroadcastSignBit(hn::BitCast(di, all));
    return hn::AllTrue(di, hn::MaskFromVec(signs));
  }
  HWY_INLINE V divide(V x) const {
    const V q = hn::MulAdd(x, below_, hn::Mul(x, rest_));
    const V r = kNegative ? hn::MulAdd(size_, q, x) : hn::MulSub(size_, q, x);
    return hn::NegMulAdd(r, nearest_, q);
  }

 private:
  using U = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
  using DU = hn::RebindToUnsigned<D>;
  static constexpr int kDigits = std::numeric_limits<F>::digits;
  static constexpr U kBias = std::numeric_limits<F>::max_exponent - 1;
  // x is of half of all exponents, from 2^-64 on (2^-512). A last place of q times one of c is not
  // smaller than 2^-149 (2^-1074) for those; c is such that q is normal with 24 (53) places to
  // spare, and so is rest_.
  static constexpr U kLeast = kBias - (kBias + 1) / 2;
  static constexpr U kMostExponent = (kBias + 1) / 2 - kDigits - 4;

  // The first bit is set for exponents from kLeast on; the addition drops the sign.
  template <bool kOrZero>
  HWY_INLINE static hn::Vec<DU> middle(V x) {
    const auto bits = hn::BitCast(DU(), x);
    const auto offset = hn::Set(DU(), (kBias + 1 - kLeast) << kDigits);
    const auto moved = hn::Add(hn::Add(bits, bits), offset);
    return kOrZero ? hn::Or(moved, hn::VecFromMask(DU(), hn::Eq(moved, offset))) : moved;
  }

  V size_, nearest_, below_, rest_;
};

template <class F, bool kNegative>
class ReciprocalWorld : public FloatWorld<F> {
 public:
  using typename FloatWorld<F>::D;
  using typename FloatWorld<F>::V;
  HWY_INLINE explicit ReciprocalWorld(F divisor) : by_(divisor) {}
  HWY_INLINE V div(V a, V) const { return by_.divide(a); }
  // There are no NaNs here. Integers have units to spare, while those of floats are busy.
  HWY_INLINE V max_of_zero(V a) const {
    if constexpr (sizeof(F) == 4) {
      const hn::RebindToSigned<D> di;
      return hn::BitCast(D(), hn::Max(hn::BitCast(di, a), hn::Zero(di)));
    } else {
      return FloatWorld<F>::max_of_zero(a);
    }
  }

 private:
  Reciprocal<F, kNegative> by_;
};

// A line of them; what the reciprocal does not take is left to the divider, for a stretch.
template <class Operator, class F, bool kNegative>
class ReciprocalLoop {
 public:
  HWY_INLINE explicit ReciprocalLoop(const Line& line)
      : world_(*static_cast<const F*>(line.b)),
        line_(line),
        a_(static_cast<const F*>(line.a)),
        y_(static_cast<F*>(line.y)) {}

  HWY_INLINE void run() const {
    const std::int64_t n = line_.n;
    const std::int64_t step = World::lanes();
    const auto vector = static_cast<std::uintptr_t>(step) * sizeof(F);
    // Up to where the output is aligned.
    std::int64_t i = static_cast<std::int64_t>(
        (vector - reinterpret_cast<std::uintptr_t>(y_) % vector) % vector / sizeof(F));
    if (i > 0) divide(0, i);
    std::int64_t divided = kStretch;  // so many, once there is one to be left to the divider
    while (i + 4 * step <= n) {
      const std::int64_t begin = i;
      i = multiply<false>(i, n, step);
      std::int64_t stop = n - i < kStretch ? n : i + kStretch;
      i = multiply<true>(i, stop, step);
      if (i + 4 * step > stop) continue;
      // Where there are many of them, trying costs more than it brings.
      divided = i - begin >= kStretch ? kStretch : divided < kMostDivided ? 2 * divided : divided;
      stop = n - i < divided ? n : i + divided;
      divide(i, stop - i);
      i = stop;
    }
    if (i < n) divide(i, n - i);
  }

 private:
  using D = hn::ScalableTag<F>;
  using V = hn::Vec<D>;
  using World = ReciprocalWorld<F, kNegative>;
  static constexpr std::int64_t kStretch = 512;
  static constexpr std::int64_t kMostDivided = 1 << 14;

  // From i on, in blocks of four vectors. Returns where it stopped: where no block is left before
  // `end`, or where there is a number that the reciprocal does not take.
  template <bool kOrZero>
  HWY_INLINE std::int64_t multiply(std::int64_t i, std::int64_t end, std::int64_t step) const {
    for (; i + 4 * step <= end; i += 4 * step) {
      const V x0 = world_.load(a_ + i);
      const V x1 = world_.load(a_ + i + step);
      const V x2 = world_.load(a_ + i + 2 * step);
      const V x3 = world_.load(a_ + i + 3 * step);
      if (HWY_UNLIKELY((!Reciprocal<F, kNegative>::template takes<kOrZero>(x0, x1, x2, x3)))) break;
      const V y0 = result(x0);
      const V y1 = result(x1);
      const V y2 = result(x2);
      const V y3 = result(x3);
      world_.store(y0, y_ + i);
      world_.store(y1, y_ + i + step);
      world_.store(y2, y_ + i + 2 * step);
      world_.store(y3, y_ + i + 3 * step);
    }
    return i;
  }
  HWY_INLINE V result(V a) const {
    return Evaluate<World, V>{world_, a, a}(op::Formula<Operator>{});
  }
  HWY_INLINE void divide(std::int64_t begin, std::int64_t n) const {
    Line part = line_;
    part.a = a_ + begin;
    part.y = y_ + begin;
    part.n = n;
    run_line<Operator, FloatWorld<F>, false, true>(part);
  }

  World world_;
  const Line line_;
  const F* const a_;
  F* const y_;
};

template <class Operator, class World>
HWY_NOINLINE bool run_by_reciprocal(const Line& line) {
  using F = typename World::Storage;
  const F divisor = *static_cast<const F*>(line.b);
  if (!Reciprocal<F, false>::serves(divisor)) {
    return run_line<Operator, World, false, true>(line);
  }
  if (divisor < 0) {
    ReciprocalLoop<Operator, F, true>(line).run();
  } else {
    ReciprocalLoop<Operator, F, false>(line).run();
  }
  return false;  // floats have an answer for a zero divisor
}

#endif  // HWY_NATIVE_FMA

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
