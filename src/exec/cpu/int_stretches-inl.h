// Division of 32- and 64-bit integers by stretches: what the operands of a stretch have in common
// decides how it is divided. Asking once for many elements keeps branches out of the loops.
#if defined(HADAMARD_EXEC_CPU_INT_STRETCHES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_INT_STRETCHES_INL_H_
#undef HADAMARD_EXEC_CPU_INT_STRETCHES_INL_H_
#else
#define HADAMARD_EXEC_CPU_INT_STRETCHES_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "exec/cpu/int_division-inl.h"
#include "exec/cpu/run_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// What worlds that only divide have in common.
template <class Derived, class T>
class QuotientWorld : public OneVector<Derived, hn::ScalableTag<T>> {
 public:
  using Storage = T;
  using D = hn::ScalableTag<T>;

  static T filler() { return T{1}; }
  static const T* raw(const T* p) { return p; }
  static T* raw(T* p) { return p; }
  HWY_INLINE auto splat(T x) const {
    return static_cast<const Derived*>(this)->unpack(hn::Set(D(), x));
  }
  template <class Operator>
  static constexpr bool kHeavy = true;
};

// Floats below 2^31 as integers, towards zero. Highway's conversion also mends those above.
template <class V>
HWY_INLINE auto integer_below_2_31(V v) {
#if HWY_TARGET == HWY_AVX2
  return hn::Vec256<std::int32_t>{_mm256_cvttps_epi32(v.raw)};
#elif HWY_TARGET == HWY_SSE4
  return hn::Vec128<std::int32_t>{_mm_cvttps_epi32(v.raw)};
#else
  return hn::ConvertTo(hn::ScalableTag<std::int32_t>(), v);
#endif
}

// Numbers that the float type of their width holds exactly. Its quotients are as good as those of
// smaller integers (divide_small): |a| 2^-24 (2^-53) is less than 1. It looks at all that it loads,
// beside the division, which leaves time for it, and says afterwards whether they were such
// numbers.
template <class T, IntDivision kRounding>
class NarrowWorld : public QuotientWorld<NarrowWorld<T, kRounding>, T> {
 public:
  using typename QuotientWorld<NarrowWorld<T, kRounding>, T>::D;
  using DF = hn::RebindToFloat<D>;
  using V = hn::Vec<DF>;

  static constexpr bool kSigned = std::is_signed_v<T>;
  // Of unsigned numbers; of signed ones with the sign. -2^51 / -1 is 2^51, which still comes out
  // right: the bits of the sum in pack() go on counting where its exponent changes.
  static constexpr int kBits = sizeof(T) == 4 ? 24 : 52;

  HWY_INLINE NarrowWorld() : high_(hn::Zero(DU())) {}
  // Added to numbers of kBits, it leaves the bits above them empty.
  static constexpr auto kOffset =
      static_cast<std::make_unsigned_t<T>>(kSigned ? std::make_unsigned_t<T>{1} << (kBits - 1) : 0);
  bool fits() const { return is_zero(hn::ShiftRight<kBits>(high_)); }
  bool zero_divisor() const { return zeros_.any(); }

  HWY_INLINE V unpack(hn::Vec<D> v) const {
    high_ = hn::Or(high_, hn::Add(hn::BitCast(DU(), v), hn::Set(DU(), kOffset)));
    if constexpr (sizeof(T) == 4) {
      return hn::ConvertTo(DF(), hn::BitCast(hn::RebindToSigned<D>(), v));
    } else {
      const V zero = hn::Set(DF(), kZero);
      return hn::Sub(hn::BitCast(DF(), hn::Add(v, hn::BitCast(D(), zero))), zero);
    }
  }
  HWY_INLINE hn::Vec<D> pack(V quotient) const {
    if constexpr (kRounding == IntDivision::floor) quotient = hn::Floor(quotient);
    if constexpr (sizeof(T) == 4) {
      return hn::BitCast(D(), integer_below_2_31(quotient));
    } else {
      if constexpr (kRounding == IntDivision::trunc) quotient = hn::Trunc(quotient);
      const V zero = hn::Set(DF(), kZero);
      return hn::Sub(hn::BitCast(D(), hn::Add(quotient, zero)), hn::BitCast(D(), zero));
    }
  }
  HWY_INLINE V div(V a, V b) const {
    zeros_.take(b);
    return hn::Div(a, b);
  }

 private:
  using DU = hn::RebindToUnsigned<D>;
  HWY_INLINE static bool is_zero(hn::Vec<DU> v) {
    return hn::AllTrue(DU(), hn::Eq(v, hn::Zero(DU())));
  }
  static constexpr double kZero = kSigned ? 0x1.8p52 : 0x1p52;  // added, it makes integers doubles

  mutable hn::Vec<DU> high_;
  mutable ZeroNote<DF> zeros_;  // the bits of 0.0, which an integer becomes, are those of 0
};

// 64 bits, by divisors of at least 2^14 in size, unsigned ones of at least 2^15: no quotient is
// above 2^49, which the estimate needs (estimated_quotient). In two stages, because the chain of
// operations is long.
template <class T, IntDivision kRounding>
class LargeDivisorWorld : public QuotientWorld<LargeDivisorWorld<T, kRounding>, T> {
 public:
  using typename QuotientWorld<LargeDivisorWorld<T, kRounding>, T>::D;
  using V = hn::Vec<D>;

  HWY_INLINE LargeDivisorWorld() {}
  bool zero_divisor() const { return false; }
  HWY_INLINE V unpack(V v) const { return v; }
  HWY_INLINE V pack(V v) const { return v; }
  HWY_INLINE V div(V a, V b) const { return corrected<kRounding>(D(), a, b, estimate(a, b)); }

  using Stage = V;
  template <class Operator>
  static constexpr bool kStaged = true;
  template <class Operator>
  HWY_INLINE void begin(V a, V b, Stage& quotient, Stage& unused) const {
    quotient = unused = estimate(a, b);
  }
  template <class Operator>
  HWY_INLINE V finish(V a, V b, const Stage& quotient, const Stage&) const {
    return corrected<kRounding>(D(), a, b, quotient);
  }

 private:
  HWY_INLINE static V estimate(V a, V b) { return integer_of(D(), estimated_quotient(D(), a, b)); }
};

// The look at a stretch of at least a vector, which stops where it has seen enough.
template <class T>
class OperandScan {
 public:
  HWY_INLINE explicit OperandScan(std::int64_t n) : n_(n) {}

  // Whether they are numbers for NarrowWorld.
  static bool is_narrow(T x) {
    return static_cast<U>(static_cast<U>(x) + Narrow::kOffset) >> Narrow::kBits == 0;
  }
  HWY_INLINE bool are_narrow(const T* p) const {
    V high = hn::Zero(DU());
    return each_vector(
        [&](std::int64_t i)
            HWY_ATTR { high = hn::Or(high, hn::Add(load(p + i), hn::Set(DU(), Narrow::kOffset))); },
        [&]() HWY_ATTR { return is_zero(hn::ShiftRight<Narrow::kBits>(high)); });
  }
  // Whether they are divisors for LargeDivisorWorld.
  HWY_INLINE bool are_large(const T* p) const {
    const V edge = hn::Set(DU(), std::is_signed_v<T> ? 1u << 14 : 0u);
    V small = hn::Zero(DU());
    return each_vector(
        [&](std::int64_t i) HWY_ATTR {
          const V beyond = hn::ShiftRight<15>(hn::Add(load(p + i), edge));
          small = hn::Or(small, hn::VecFromMask(DU(), hn::Eq(beyond, hn::Zero(DU()))));
        },
        [&]() HWY_ATTR { return is_zero(small); });
  }

 private:
  using U = std::make_unsigned_t<T>;
  using DU = hn::ScalableTag<U>;
  using V = hn::Vec<DU>;
  using Narrow = NarrowWorld<T, IntDivision::floor>;

  HWY_INLINE static V load(const T* p) { return hn::LoadU(DU(), reinterpret_cast<const U*>(p)); }
  HWY_INLINE static bool is_zero(V v) { return hn::AllTrue(DU(), hn::Eq(v, hn::Zero(DU()))); }
  // Calls `at` for every vector, the last of which may overlap, as long as `good` says so.
  template <class At, class Good>
  HWY_INLINE bool each_vector(const At& at, const Good& good) const {
    const auto step = static_cast<std::int64_t>(hn::Lanes(DU()));
    std::int64_t i = 0;
    for (; i + 4 * step <= n_; i += 4 * step) {
      at(i);
      at(i + step);
      at(i + 2 * step);
      at(i + 3 * step);
      if (!good()) return false;
    }
    for (; i + step <= n_; i += step) at(i);
    at(n_ - step);
    return good();
  }

  const std::int64_t n_;
};

// Bytes in a stretch: few enough that they are still in the first cache when they are used again.
inline constexpr std::int64_t kStretchBytes = 8192;

template <class Operator, class World, bool kAScalar>
class Stretches {
 public:
  using T = typename World::Storage;

  HWY_INLINE explicit Stretches(const Line& line) : line_(line) {}
  HWY_INLINE bool run() {
    constexpr std::int64_t kStretch = kStretchBytes / static_cast<std::int64_t>(sizeof(T));
    bool zero_divisor = false;
    for (std::int64_t done = 0; done < line_.n && !zero_divisor;) {
      const std::int64_t left = line_.n - done;
      const std::int64_t n = left < 2 * kStretch ? left : kStretch;  // no short one at the end
      zero_divisor = run_part(part(done, n));
      done += n;
    }
    return zero_divisor;
  }

 private:
  HWY_INLINE Line part(std::int64_t begin, std::int64_t n) const {
    Line part = line_;
    if (!kAScalar) part.a = static_cast<const T*>(line_.a) + begin;
    part.b = static_cast<const T*>(line_.b) + begin;
    part.y = static_cast<T*>(line_.y) + begin;
    part.n = n;
    return part;
  }
  HWY_INLINE bool run_part(const Line& part) {
    const OperandScan<T> scan(part.n);
    const T* const a = static_cast<const T*>(part.a);
    const T* const b = static_cast<const T*>(part.b);
    // Where the last ones were narrow, these may be: tried, unless a failure would cost an operand.
    const bool may_try = last_was_narrow_ && part.y != part.a && part.y != part.b;
    last_was_narrow_ =
        may_try || (scan.are_narrow(b) && (kAScalar ? scan.is_narrow(*a) : scan.are_narrow(a)));
    if (last_was_narrow_) {
      LineLoop<Operator, typename World::Narrow, kAScalar, false> loop(part);
      const bool zero_divisor = loop.run(part.stream);
      last_was_narrow_ = loop.world().fits();
      if (last_was_narrow_) return zero_divisor;
    }
    if constexpr (sizeof(T) == 8) {
      if (scan.are_large(b)) {
        return run_line<Operator, typename World::LargeDivisor, kAScalar, false>(part);
      }
      return run_one_by_one(part);
    } else {
      return run_line<Operator, World, kAScalar, false>(part);
    }
  }
  // Large quotients: the processor's own division is as fast as anything made of vectors.
  HWY_NOINLINE static bool run_one_by_one(const Line& part) {
    const T* const a = static_cast<const T*>(part.a);
    const T* const b = static_cast<const T*>(part.b);
    T* const y = static_cast<T*>(part.y);
    bool zero_divisor = false;
    for (std::int64_t i = 0; i < part.n; ++i) {
      const bool zero = kNotesZeroDivisors && b[i] == 0;
      zero_divisor |= zero;
      y[i] = divide_one<World::kDivision>(a[kAScalar ? 0 : i], zero ? T{1} : b[i]);
    }
    return zero_divisor;
  }

  const Line line_;
  bool last_was_narrow_ = false;
};

template <class Operator, class World, bool kAScalar>
HWY_NOINLINE bool run_stretches(const Line& line) {
  return Stretches<Operator, World, kAScalar>(line).run();
}

#endif  // not HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
