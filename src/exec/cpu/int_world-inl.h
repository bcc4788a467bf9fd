// SIMD worlds of the integer types.
#if defined(HADAMARD_EXEC_CPU_INT_WORLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_INT_WORLD_INL_H_
#undef HADAMARD_EXEC_CPU_INT_WORLD_INL_H_
#else
#define HADAMARD_EXEC_CPU_INT_WORLD_INL_H_
#endif

#include "exec/cpu/simd_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// f(wide a, wide b) in lanes twice as wide, and the low half of each result lane.
template <class D, class F>
HWY_INLINE hn::Vec<D> by_wider_lanes(D d, hn::Vec<D> a, hn::Vec<D> b, F f) {
  using T = hn::TFromD<D>;
  using Wide = hwy::MakeWide<T>;
#if HWY_TARGET == HWY_SCALAR
  const hn::Rebind<Wide, D> dw;
  const hn::RebindToUnsigned<decltype(dw)> duw;
  const hn::RebindToUnsigned<D> du;
  const auto wide = f(dw, hn::PromoteTo(dw, a), hn::PromoteTo(dw, b));
  return hn::BitCast(d, hn::TruncateTo(du, hn::BitCast(duw, wide)));
#else
  const hn::Half<D> dh;
  const hn::Rebind<Wide, decltype(dh)> dw;
  const hn::RebindToUnsigned<decltype(dw)> duw;
  const hn::RebindToUnsigned<decltype(dh)> duh;
  const auto low =
      f(dw, hn::PromoteTo(dw, hn::LowerHalf(dh, a)), hn::PromoteTo(dw, hn::LowerHalf(dh, b)));
  const auto high =
      f(dw, hn::PromoteTo(dw, hn::UpperHalf(dh, a)), hn::PromoteTo(dw, hn::UpperHalf(dh, b)));
  return hn::Combine(d, hn::BitCast(dh, hn::TruncateTo(duh, hn::BitCast(duw, high))),
                     hn::BitCast(dh, hn::TruncateTo(duh, hn::BitCast(duw, low))));
#endif
}

// Rounds a quotient that is no further from the true one than any integer but the true one's.
template <IntDivision kRounding, class V>
HWY_INLINE V round_quotient(V quotient) {
  return kRounding == IntDivision::floor ? hn::Floor(quotient) : hn::Trunc(quotient);
}

// Exact for |a|, |b| <= 2^16: where a/b is not whole it is at least 1/|b| from every integer, which
// is more than the rounding error of the float quotient, so that error can neither reach nor cross
// one.
template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> divide_small(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const hn::RebindToFloat<D> df;
  const auto quotient = hn::Div(hn::ConvertTo(df, a), hn::ConvertTo(df, b));
  return hn::ConvertTo(d, round_quotient<kRounding>(quotient));
}

// The same argument in double holds for all of int32: 2^-32 against 2^-53.
template <IntDivision kRounding, class DH>
HWY_INLINE hn::Vec<DH> divide_int32_half(DH dh, hn::Vec<DH> a, hn::Vec<DH> b) {
  const hn::Rebind<double, DH> dd;
  const auto quotient = hn::Div(hn::PromoteTo(dd, a), hn::PromoteTo(dd, b));
  return hn::DemoteTo(dh, round_quotient<kRounding>(quotient));
}

// uint32 by way of int32 conversions: x = (x ^ 2^31 as signed) + 2^31.
template <class DH>
HWY_INLINE hn::Vec<DH> divide_uint32_half(DH dh, hn::Vec<DH> a, hn::Vec<DH> b) {
  const hn::Rebind<double, DH> dd;
  const hn::RebindToSigned<DH> di;
  const auto top = hn::Set(di, static_cast<std::int32_t>(0x80000000u));
  const auto offset = hn::Set(dd, 0x1p31);
  const auto to_double = [&](auto x) HWY_ATTR {
    return hn::Add(hn::PromoteTo(dd, hn::Xor(hn::BitCast(di, x), top)), offset);
  };
  const auto quotient = hn::Floor(hn::Div(to_double(a), to_double(b)));
  return hn::BitCast(dh, hn::Xor(hn::DemoteTo(di, hn::Sub(quotient, offset)), top));
}

template <IntDivision kRounding, class DH>
HWY_INLINE hn::Vec<DH> divide_32_half(DH dh, hn::Vec<DH> a, hn::Vec<DH> b) {
  if constexpr (std::is_signed_v<hn::TFromD<DH>>) {
    return divide_int32_half<kRounding>(dh, a, b);
  } else {
    return divide_uint32_half(dh, a, b);
  }
}

template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> divide_32(D d, hn::Vec<D> a, hn::Vec<D> b) {
#if HWY_TARGET == HWY_SCALAR
  auto quotient = divide_32_half<kRounding>(d, a, b);
#else
  const hn::Half<D> dh;
  const auto low = divide_32_half<kRounding>(dh, hn::LowerHalf(dh, a), hn::LowerHalf(dh, b));
  const auto high = divide_32_half<kRounding>(dh, hn::UpperHalf(dh, a), hn::UpperHalf(dh, b));
  auto quotient = hn::Combine(d, high, low);
#endif
  if constexpr (std::is_signed_v<hn::TFromD<D>>) {
    // MIN / -1 is 2^31, which the conversion clamps; ours wraps. In unsigned lanes: no overflow.
    const hn::RebindToUnsigned<D> du;
    const auto negated = hn::BitCast(d, hn::Sub(hn::Zero(du), hn::BitCast(du, a)));
    quotient = hn::IfThenElse(hn::Eq(b, hn::Set(d, -1)), negated, quotient);
  }
  return quotient;
}

template <IntDivision kRounding, class T>
T divide_64(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(0 - static_cast<std::uint64_t>(a));
    const T quotient = a / b;
    const bool inexact = quotient * b != a;
    return kRounding == IntDivision::floor && inexact && ((a < 0) != (b < 0)) ? quotient - 1
                                                                              : quotient;
  } else {
    return a / b;
  }
}

// No vector instruction divides 64-bit integers, and a double does not hold them.
template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> divide_64_lanes(D d, hn::Vec<D> a, hn::Vec<D> b) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T as[hn::MaxLanes(D())];
  HWY_ALIGN T bs[hn::MaxLanes(D())];
  hn::Store(a, d, as);
  hn::Store(b, d, bs);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) as[i] = divide_64<kRounding>(as[i], bs[i]);
  return hn::Load(d, as);
}

// Arithmetic modulo 2^n in lanes of T; adds and multiplies in unsigned lanes, where C++ defines
// overflow too. Division notes zero divisors.
template <class T, IntDivision kRounding>
class IntLanes {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  // Constructors are written out: implicit ones would not be compiled for the target.
  HWY_INLINE IntLanes() : zeros_(hn::Zero(D())) {}
  HWY_INLINE V add(V a, V b) const {
    return hn::BitCast(D(), hn::Add(hn::BitCast(DU(), a), hn::BitCast(DU(), b)));
  }
  HWY_INLINE V sub(V a, V b) const {
    return hn::BitCast(D(), hn::Sub(hn::BitCast(DU(), a), hn::BitCast(DU(), b)));
  }
  HWY_INLINE V mul(V a, V b) const {
    if constexpr (sizeof(T) == 1) {
      return by_wider_lanes(D(), a, b, [](auto, auto x, auto y) HWY_ATTR { return hn::Mul(x, y); });
    } else if constexpr (sizeof(T) == 8) {
      return mul_64(a, b);
    } else {
      return hn::BitCast(D(), hn::Mul(hn::BitCast(DU(), a), hn::BitCast(DU(), b)));
    }
  }
  HWY_INLINE V div(V a, V b) const {
    const auto zero = hn::Eq(b, hn::Zero(D()));
    zeros_ = hn::Or(zeros_, hn::VecFromMask(D(), zero));
    b = hn::IfThenElse(zero, hn::Set(D(), 1), b);  // so that no infinity or NaN is converted below
    if constexpr (sizeof(T) == 8) {
      return divide_64_lanes<kRounding>(D(), a, b);
    } else if constexpr (sizeof(T) == 4) {
      return divide_32<kRounding>(D(), a, b);
    } else if constexpr (sizeof(T) == 2) {
      return divide_16(D(), a, b);
    } else {
      return by_wider_lanes(D(), a, b,
                            [](auto dw, auto x, auto y) HWY_ATTR { return divide_16(dw, x, y); });
    }
  }
  bool zero_divisor() const { return !hn::AllFalse(D(), hn::Ne(zeros_, hn::Zero(D()))); }

 private:
  using DU = hn::RebindToUnsigned<D>;

  // 16-bit lanes by way of signed 32-bit ones, which hold the unsigned values too.
  template <class D16>
  HWY_INLINE static hn::Vec<D16> divide_16(D16 d, hn::Vec<D16> a, hn::Vec<D16> b) {
    return by_wider_lanes(d, a, b, [](auto dw, auto x, auto y) HWY_ATTR {
      const hn::RebindToSigned<decltype(dw)> di;
      const auto q = divide_small<kRounding>(di, hn::BitCast(di, x), hn::BitCast(di, y));
      return hn::BitCast(dw, q);
    });
  }

  // The low 64 bits from 32-bit halves: a_lo*b_lo + ((a_lo*b_hi + a_hi*b_lo) << 32).
  HWY_INLINE V mul_64(V a, V b) const {
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(D(), static_cast<T>(static_cast<std::uint64_t>(hn::GetLane(a)) *
                                       static_cast<std::uint64_t>(hn::GetLane(b))));
#else
    const DU du;
    const hn::Repartition<std::uint32_t, DU> d32;
    const auto low = [&](auto x) HWY_ATTR { return hn::BitCast(d32, x); };
    const auto ua = hn::BitCast(du, a);
    const auto ub = hn::BitCast(du, b);
    const auto a_high = hn::ShiftRight<32>(ua);
    const auto b_high = hn::ShiftRight<32>(ub);
    const auto cross =
        hn::Add(hn::MulEven(low(ua), low(b_high)), hn::MulEven(low(a_high), low(ub)));
    return hn::BitCast(D(), hn::Add(hn::MulEven(low(ua), low(ub)), hn::ShiftLeft<32>(cross)));
#endif
  }

  mutable V zeros_;
};

// 8 to 64 bits: computed as they are stored.
template <class T, IntDivision kRounding>
class IntWorld : public IntLanes<T, kRounding> {
 public:
  using Storage = T;
  using typename IntLanes<T, kRounding>::D;
  using typename IntLanes<T, kRounding>::V;
  using DS = D;

  HWY_INLINE IntWorld() {}
  static T one() { return T{1}; }
  static const T* raw(const T* p) { return p; }
  static T* raw(T* p) { return p; }
  HWY_INLINE V settle(V v) const { return v; }
  HWY_INLINE V splat(T x) const { return hn::Set(D(), x); }
  HWY_INLINE V unpack(V v) const { return v; }
  HWY_INLINE V pack(V v) const { return v; }
};

// 4 bits, a byte each: computed in 8 bits and wrapped. T is the byte.
template <class T, IntDivision kRounding>
class NibbleWorld : public IntWorld<T, kRounding> {
 public:
  using typename IntLanes<T, kRounding>::D;
  using typename IntLanes<T, kRounding>::V;

  HWY_INLINE NibbleWorld() {}
  HWY_INLINE V pack(V v) const { return settle(v); }
  HWY_INLINE V settle(V v) const {
    const V low = hn::And(v, hn::Set(D(), 15));
    if constexpr (std::is_signed_v<T>) {
      return hn::Sub(hn::Xor(low, hn::Set(D(), 8)), hn::Set(D(), 8));
    } else {
      return low;
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
