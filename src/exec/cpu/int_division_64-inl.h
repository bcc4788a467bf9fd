// Division of 64-bit integers in vectors, and what division of every width uses.
#if defined(HADAMARD_EXEC_CPU_INT_DIVISION_64_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_INT_DIVISION_64_INL_H_
#undef HADAMARD_EXEC_CPU_INT_DIVISION_64_INL_H_
#else
#define HADAMARD_EXEC_CPU_INT_DIVISION_64_INL_H_
#endif

#include <cstdint>
#include <limits>
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

// An unsigned 64-bit number as a double, rounded (relative error at most 2^-53).
template <class D64>
HWY_INLINE auto double_of(D64 d, hn::Vec<D64> v) {
  const hn::RebindToFloat<D64> dd;
  const hn::Repartition<std::uint32_t, D64> d32;
  const auto low =
      hn::BitCast(dd, hn::OddEven(hn::BitCast(d32, hn::Set(dd, 0x1p52)), hn::BitCast(d32, v)));
  const auto high =
      hn::BitCast(dd, hn::Or(hn::ShiftRight<32>(v), hn::BitCast(d, hn::Set(dd, 0x1p84))));
  return hn::Add(hn::Sub(high, hn::Set(dd, 0x1p84 + 0x1p52)), low);
}

// Any operands whose quotients are below 2^49; false where one is not. A double quotient, made a
// bit smaller than the true one, is the right one or 1 less; the remainder tells.
template <IntDivision kRounding, class D>
HWY_INLINE bool divide_64_by_remainder(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D>& result) {
  constexpr bool kSigned = std::is_signed_v<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const hn::RebindToFloat<D> dd;
  const auto sign_of = [&](auto v) HWY_ATTR {
    return hn::VecFromMask(du, hn::RebindMask(du, hn::Lt(hn::BitCast(di, v), hn::Zero(di))));
  };
  auto ua = hn::BitCast(du, a);
  auto ub = hn::BitCast(du, b);
  auto negative = hn::Zero(du);
  if constexpr (kSigned) {
    const auto sa = sign_of(a);
    const auto sb = sign_of(b);
    ua = hn::Sub(hn::Xor(ua, sa), sa);
    ub = hn::Sub(hn::Xor(ub, sb), sb);
    negative = hn::Xor(sa, sb);
  }
  const auto shrunk = hn::Mul(double_of(du, ua), hn::Set(dd, 1 - 0x1p-50));
  const auto estimate = hn::Floor(hn::Div(shrunk, double_of(du, ub)));
  if (!hn::AllTrue(dd, hn::Lt(estimate, hn::Set(dd, 0x1p49)))) return false;  // also for NaN
  const auto magic = hn::Set(dd, 0x1p52);
  auto q = hn::Xor(hn::BitCast(du, hn::Add(estimate, magic)), hn::BitCast(du, magic));
  auto r = hn::Sub(ua, multiply_64(du, q, ub));  // 0 <= r < 2 ub
  const auto top = hn::Set(di, std::numeric_limits<std::int64_t>::min());
  const auto less = hn::Lt(hn::Xor(hn::BitCast(di, r), top), hn::Xor(hn::BitCast(di, ub), top));
  const auto more = hn::AndNot(hn::VecFromMask(du, hn::RebindMask(du, less)), hn::Set(du, 1));
  q = hn::Add(q, more);
  if constexpr (kSigned) {
    if constexpr (kRounding == IntDivision::floor) {
      // A negative quotient that is not whole is one more in size. Whole: r is 0, or was ub.
      const auto whole = hn::Or(hn::Eq(r, hn::Zero(du)), hn::Eq(r, ub));
      const auto bump = hn::AndNot(hn::VecFromMask(du, whole), negative);
      q = hn::Sub(q, bump);
    }
    q = hn::Sub(hn::Xor(q, negative), negative);
  }
  result = hn::BitCast(d, q);
  return true;
}

template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> divide_64(D d, hn::Vec<D> a, hn::Vec<D> b) {
  constexpr bool kSigned = std::is_signed_v<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToFloat<D> dd;
  // Numbers of 51 bits and a sign are doubles, and their quotients as good as those of int32.
  const auto offset = hn::Set(du, kSigned ? std::uint64_t{1} << 51 : 0);
  const auto pa = hn::Add(hn::BitCast(du, a), offset);
  const auto pb = hn::Add(hn::BitCast(du, b), offset);
  if (hn::AllTrue(du, hn::Eq(hn::ShiftRight<52>(hn::Or(pa, pb)), hn::Zero(du)))) {
    const auto exponent = hn::BitCast(du, hn::Set(dd, 0x1p52));
    const auto zero = hn::Set(dd, kSigned ? 0x1.8p52 : 0x1p52);
    const auto double_of_small = [&](auto v) HWY_ATTR {
      return hn::Sub(hn::BitCast(dd, hn::Or(v, exponent)), zero);
    };
    const auto quotient = hn::Div(double_of_small(pa), double_of_small(pb));
    if constexpr (kSigned) {
      const auto magic = hn::BitCast(du, hn::Set(dd, 0x1.8p52));
      return hn::BitCast(d, hn::Sub(hn::BitCast(du, rounded<kRounding>(dd, quotient)), magic));
    } else {
      const auto sum = hn::Add(hn::Floor(quotient), hn::Set(dd, 0x1p52));
      return hn::BitCast(d, hn::Xor(hn::BitCast(du, sum), exponent));
    }
  }
  hn::Vec<D> result;
  if (divide_64_by_remainder<kRounding>(d, a, b, result)) return result;
  return divide_lanes<kRounding>(d, a, b);
}

#endif  // not HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
