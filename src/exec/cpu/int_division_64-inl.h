// Division of 64-bit integers in vectors, and what division of every width uses.
#if defined(HADAMARD_EXEC_CPU_INT_DIVISION_64_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_INT_DIVISION_64_INL_H_
#undef HADAMARD_EXEC_CPU_INT_DIVISION_64_INL_H_
#else
#define HADAMARD_EXEC_CPU_INT_DIVISION_64_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "hadamard/options.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One element, b not 0; MIN / -1 wraps.
template <IntDivision kRounding, class T>
HWY_INLINE T divide_one(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
    const T quotient = static_cast<T>(a / b);
    const bool inexact = static_cast<T>(quotient * b) != a;
    const bool down = kRounding == IntDivision::floor && inexact && ((a < 0) != (b < 0));
    return static_cast<T>(down ? quotient - 1 : quotient);
  } else {
    return static_cast<T>(a / b);
  }
}

// Lanes of type T one by one. Lanes whose divisor is 0 get any value.
template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> divide_lanes(D d, hn::Vec<D> a, hn::Vec<D> b) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T as[hn::MaxLanes(D())];
  HWY_ALIGN T bs[hn::MaxLanes(D())];
  hn::Store(a, d, as);
  hn::Store(b, d, bs);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    as[i] = divide_one<kRounding>(as[i], bs[i] == 0 ? T{1} : bs[i]);
  }
  return hn::Load(d, as);
}

#if HWY_TARGET != HWY_SCALAR

// Rounds a floating-point quotient; what is then added makes it an integer at the bottom of the
// float's own bits, modulo a power of two: no conversion, and no overflow.
template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> rounded(D d, hn::Vec<D> quotient) {
  const auto magic = hn::Set(d, sizeof(hn::TFromD<D>) == 4 ? 0x1.8p23 : 0x1.8p52);
  return hn::Add(kRounding == IntDivision::floor ? hn::Floor(quotient) : hn::Trunc(quotient),
                 magic);
}

// The low 64 bits from 32-bit halves: a_lo*b_lo + ((a_lo*b_hi + a_hi*b_lo) << 32).
template <class D64>
HWY_INLINE hn::Vec<D64> multiply_64(D64, hn::Vec<D64> a, hn::Vec<D64> b) {
  const hn::Repartition<std::uint32_t, D64> d32;
  const auto low = [&](auto x) HWY_ATTR { return hn::BitCast(d32, x); };
  const auto cross = hn::Add(hn::MulEven(low(a), low(hn::ShiftRight<32>(b))),
                             hn::MulEven(low(hn::ShiftRight<32>(a)), low(b)));
  return hn::Add(hn::MulEven(low(a), low(b)), hn::ShiftLeft<32>(cross));
}

// A 64-bit number as a double, rounded once (relative error at most 2^-53): exponents are put over
// its halves, and what they add is taken off again. The upper half of a signed one gets 2^31 more,
// so that it is unsigned.
template <bool kSigned, class D64>
HWY_INLINE auto double_of(D64 d, hn::Vec<D64> v) {
  const hn::RebindToFloat<D64> dd;
  const hn::Repartition<std::uint32_t, D64> d32;
  constexpr std::uint64_t kTopExponent = 0x4530000000000000;  // of 2^84
  const auto low =
      hn::BitCast(dd, hn::OddEven(hn::BitCast(d32, hn::Set(dd, 0x1p52)), hn::BitCast(d32, v)));
  const auto high = hn::BitCast(
      dd, hn::Xor(hn::ShiftRight<32>(v), hn::Set(d, kTopExponent | (kSigned ? 0x80000000u : 0u))));
  return hn::Add(hn::Sub(high, hn::Set(dd, 0x1p84 + 0x1p52 + (kSigned ? 0x1p63 : 0))), low);
}

// Corrections of a quotient of 64-bit numbers that is at most 2^49 in size, by what it leaves over.
template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> corrected_signed(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> q) {
  // q is the integer nearest to an estimate that is off by 3/16 or less, so a/b is less than 1 from
  // it, and r has a meaning as a signed number. Its sign says on which side of q the true quotient
  // lies.
  const hn::RebindToUnsigned<D> du;
  const auto product = multiply_64(du, hn::BitCast(du, q), hn::BitCast(du, b));
  const auto r = hn::BitCast(d, hn::Sub(hn::BitCast(du, a), product));
  const auto whole = hn::VecFromMask(d, hn::Eq(r, hn::Zero(d)));
  if constexpr (kRounding == IntDivision::floor) {
    const auto above = hn::AndNot(whole, hn::BroadcastSignBit(hn::Xor(r, b)));
    return hn::Add(q, above);
  } else {
    const auto outside = hn::AndNot(whole, hn::BroadcastSignBit(hn::Xor(r, a)));
    const auto negative = hn::BroadcastSignBit(hn::Xor(a, b));
    return hn::Add(q, hn::Sub(hn::Xor(outside, negative), negative));
  }
}
template <class DU>
HWY_INLINE hn::Vec<DU> corrected_unsigned(DU d, hn::Vec<DU> a, hn::Vec<DU> b, hn::Vec<DU> q) {
  // q is the right one or 1 less: 0 <= r < 2b, and r <= a.
  const hn::RebindToSigned<DU> di;
  const auto r = hn::Sub(a, multiply_64(d, q, b));
  const auto top = hn::Set(d, std::uint64_t{1} << 63);
  const auto less = hn::Lt(hn::BitCast(di, hn::Xor(r, top)), hn::BitCast(di, hn::Xor(b, top)));
  return hn::Add(q, hn::AndNot(hn::VecFromMask(d, hn::RebindMask(d, less)), hn::Set(d, 1)));
}
template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> corrected(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> q) {
  if constexpr (std::is_signed_v<hn::TFromD<D>>) {
    return corrected_signed<kRounding>(d, a, b, q);
  } else {
    return corrected_unsigned(d, a, b, q);
  }
}

// A quotient in double. Signed: off by three roundings, 3u of its size with u = 2^-53; at 2^49 that
// is 3/16. Unsigned: made smaller by 8u before four roundings of u each, so that it is never above
// the true one and below it by 12u at most; at 2^49 that is 3/4. NaN or infinite where b is 0.
template <class D>
HWY_INLINE auto estimated_quotient(D, hn::Vec<D> a, hn::Vec<D> b) {
  constexpr bool kSigned = std::is_signed_v<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToFloat<D> dd;
  const auto da = double_of<kSigned>(du, hn::BitCast(du, a));
  const auto db = double_of<kSigned>(du, hn::BitCast(du, b));
  if constexpr (kSigned) {
    return hn::Div(da, db);
  } else {
    return hn::Floor(hn::Div(hn::Mul(da, hn::Set(dd, 1 - 0x1p-50)), db));
  }
}
// The integer nearest to it.
template <class D>
HWY_INLINE hn::Vec<D> integer_of(D d, hn::Vec<hn::RebindToFloat<D>> estimate) {
  const auto magic = hn::Set(hn::RebindToFloat<D>(), 0x1.8p52);
  return hn::Sub(hn::BitCast(d, hn::Add(estimate, magic)), hn::BitCast(d, magic));
}

// For any operands but 0 as divisor.
template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> divide_64(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const hn::RebindToFloat<D> dd;
  const auto estimate = estimated_quotient(d, a, b);
  if (HWY_LIKELY(hn::AllTrue(dd, hn::Lt(hn::Abs(estimate), hn::Set(dd, 0x1p49))))) {
    return corrected<kRounding>(d, a, b, integer_of(d, estimate));
  }
  return divide_lanes<kRounding>(d, a, b);
}

#endif  // not HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
