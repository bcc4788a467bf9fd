// Division of integer vectors by one number: multiplication by its inverse, which is computed once.
#if defined(HADAMARD_EXEC_CPU_INT_INVERSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_INT_INVERSE_INL_H_
#undef HADAMARD_EXEC_CPU_INT_INVERSE_INL_H_
#else
#define HADAMARD_EXEC_CPU_INT_INVERSE_INL_H_
#endif

#include <type_traits>

#include "base/int128.hpp"
#include "exec/cpu/int_division-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// |b|, which for the smallest number is one more than the type can hold.
template <class T>
HWY_INLINE std::make_unsigned_t<T> size_of(T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(b < 0 ? U{0} - static_cast<U>(b) : static_cast<U>(b));
}

// 8 bits, in 16-bit lanes. With m = ceil(2^16/d), u*m/2^16 exceeds u/d by less than u/2^16, and u/d
// is at least 1/d below the next integer; u <= 255 and d <= 255 make the first the smaller one.
template <class T, IntDivision kRounding>
class Inverse8 {
 public:
  using D = hn::ScalableTag<T>;
  HWY_INLINE explicit Inverse8(T b)
      : multiplier_(hn::Set(DU(), size_of(b) == 1 ? std::uint16_t{0} : ceiling(size_of(b)))),
        by_one_(hn::Set(DU(), size_of(b) == 1 ? std::uint16_t{0xFFFF} : std::uint16_t{0})),
        less_one_(hn::Set(DU(), static_cast<std::uint16_t>(size_of(b) - 1))),
        sign_(hn::Set(DU(), b < 0 ? std::uint16_t{0xFFFF} : std::uint16_t{0})) {}
  HWY_INLINE hn::Vec<D> divide(hn::Vec<D> a) const {
    const auto v = hn::BitCast(DI(), a);
    const auto bits = hn::BitCast(DU(), a);
    const auto even = std::is_signed_v<T>
                          ? quotient(hn::ShiftRight<8>(hn::ShiftLeft<8>(v)))
                          : quotient(hn::BitCast(DI(), hn::And(bits, hn::Set(DU(), 255))));
    const auto odd = std::is_signed_v<T> ? quotient(hn::ShiftRight<8>(v))
                                         : quotient(hn::BitCast(DI(), hn::ShiftRight<8>(bits)));
    return hn::BitCast(D(), hn::Or(hn::And(even, hn::Set(DU(), 255)), hn::ShiftLeft<8>(odd)));
  }

 private:
  using DU = hn::Repartition<std::uint16_t, D>;
  using DI = hn::RebindToSigned<DU>;
  static std::uint16_t ceiling(unsigned d) {
    return static_cast<std::uint16_t>((0x10000u + d - 1) / d);
  }
  HWY_INLINE hn::Vec<DU> quotient(hn::Vec<DI> x) const {
    auto u = hn::BitCast(DU(), x);
    if constexpr (std::is_signed_v<T>) {
      const auto negative = hn::Xor(hn::BitCast(DU(), hn::ShiftRight<15>(x)), sign_);
      u = hn::BitCast(DU(), hn::Abs(x));
      if (kRounding == IntDivision::floor) u = hn::Add(u, hn::And(negative, less_one_));
      const auto q = hn::Add(hn::MulHigh(u, multiplier_), hn::And(u, by_one_));
      return hn::Sub(hn::Xor(q, negative), negative);
    } else {
      return hn::Add(hn::MulHigh(u, multiplier_), hn::And(u, by_one_));
    }
  }
  hn::Vec<DU> multiplier_, by_one_, less_one_, sign_;
};

// 32 bits in double, which has 20 bits more than the quotient: the product is off by less than
// 2^-19/|b|, and a quotient that is not whole is 1/|b| from the next integer. For floor,
// (1/2 - 1/(2|b|)) is taken off and the sum rounded to nearest; for truncation the inverse is made
// larger by a little more than it may be too small.
template <bool kFloor>
class DoubleInverse {
 public:
  using D = hn::ScalableTag<double>;
  HWY_INLINE explicit DoubleInverse(double b)
      : inverse_(hn::Set(D(), kFloor ? 1 / b : (1 + 0x1p-40) / b)),
        offset_(hn::Set(D(), 0.5 / (b < 0 ? -b : b) - 0.5)) {}
  // In the low bits of each lane.
  HWY_INLINE auto quotient(hn::Vec<D> a) const {
    const hn::RebindToUnsigned<D> du;
    const auto product = hn::Mul(a, inverse_);
    const auto rounded = kFloor ? hn::Add(product, offset_) : hn::Trunc(product);
    return hn::BitCast(du, hn::Add(rounded, hn::Set(D(), 0x1.8p52)));
  }

 private:
  hn::Vec<D> inverse_, offset_;
};

// Signed 32 bits.
template <IntDivision kRounding>
class Inverse32 {
 public:
  using D = hn::ScalableTag<std::int32_t>;
  HWY_INLINE explicit Inverse32(std::int32_t b) : by_(static_cast<double>(b)) {}
  HWY_INLINE hn::Vec<D> divide(hn::Vec<D> a) const {
    const hn::Repartition<std::uint64_t, D> d64;
    const auto v = without_sign<true>(d64, hn::BitCast(d64, a));
    return hn::BitCast(D(), join_words(d64, by_.quotient(double_of_low<true>(d64, v)),
                                       by_.quotient(double_of_high<true>(d64, v))));
  }

 private:
  DoubleInverse<kRounding == IntDivision::floor> by_;
};

// n bits: with l = ceil(log2 d) and m = floor(2^n (2^l - d) / d) + 1, the quotient u/d
// is (t + (u - t)/2) / 2^(l-1) where t is the upper half of m*u: a multiplier of n + 1 bits.
template <class T, IntDivision kRounding>
class UpperHalfInverse {
 public:
  using D = hn::ScalableTag<T>;
  HWY_INLINE explicit UpperHalfInverse(T b)
      : multiplier_(hn::Set(DU(), multiplier(size_of(b)))),
        less_one_(hn::Set(DU(), static_cast<U>(size_of(b) - 1))),
        sign_(hn::Set(DU(), b < 0 ? static_cast<U>(~U{0}) : U{0})),
        first_shift_(log2_up(size_of(b)) > 0 ? 1 : 0),
        second_shift_(log2_up(size_of(b)) > 0 ? log2_up(size_of(b)) - 1 : 0) {}
  HWY_INLINE hn::Vec<D> divide(hn::Vec<D> a) const {
    const DU du;
    auto u = hn::BitCast(du, a);
    auto negative = hn::Zero(du);
    if constexpr (std::is_signed_v<T>) {
      const auto s = hn::BitCast(du, hn::BroadcastSignBit(a));
      negative = hn::Xor(s, sign_);
      u = hn::Sub(hn::Xor(u, s), s);
      if (kRounding == IntDivision::floor) u = hn::Add(u, hn::And(negative, less_one_));
    }
    const auto t = upper_half(u);
    auto q = hn::Add(t, hn::ShiftRightSame(hn::Sub(u, t), first_shift_));
    q = hn::ShiftRightSame(q, second_shift_);
    if constexpr (std::is_signed_v<T>) q = hn::Sub(hn::Xor(q, negative), negative);
    return hn::BitCast(D(), q);
  }

 private:
  using U = std::make_unsigned_t<T>;
  using DU = hn::RebindToUnsigned<D>;
  static constexpr int kBits = 8 * sizeof(T);
  static int log2_up(std::uint64_t d) { return d == 1 ? 0 : 64 - __builtin_clzll(d - 1); }
  static U multiplier(U d) {
    const uint128 above = (uint128{1} << log2_up(d)) - d;
    return static_cast<U>((above << kBits) / d + 1);
  }
  // Of multiplier_ * u.
  HWY_INLINE hn::Vec<DU> upper_half(hn::Vec<DU> u) const {
    if constexpr (kBits == 16) {
      return hn::MulHigh(u, multiplier_);
    } else if constexpr (kBits == 32) {
      const hn::Repartition<std::uint64_t, DU> d64;
      const auto even = hn::ShiftRight<32>(hn::MulEven(u, multiplier_));
      const auto u_odd = hn::BitCast(DU(), hn::ShiftRight<32>(hn::BitCast(d64, u)));
      const auto odd = hn::MulEven(u_odd, multiplier_);
      return hn::OddEven(hn::BitCast(DU(), odd), hn::BitCast(DU(), even));
    } else {
      const hn::Repartition<std::uint32_t, DU> d32;
      const auto product = [&](auto x, auto y) HWY_ATTR {
        return hn::MulEven(hn::BitCast(d32, x), hn::BitCast(d32, y));
      };
      const auto u_high = hn::ShiftRight<32>(u);
      const auto m_high = hn::ShiftRight<32>(multiplier_);
      const auto low = hn::Set(DU(), 0xFFFFFFFFu);
      const auto mid =
          hn::Add(product(u_high, multiplier_), hn::ShiftRight<32>(product(u, multiplier_)));
      const auto other = hn::Add(product(u, m_high), hn::And(mid, low));
      return hn::Add(product(u_high, m_high),
                     hn::Add(hn::ShiftRight<32>(mid), hn::ShiftRight<32>(other)));
    }
  }
  hn::Vec<DU> multiplier_, less_one_, sign_;
  int first_shift_, second_shift_;
};

// The fastest for each.
template <class T, IntDivision kRounding>
using Inverse =
    std::conditional_t<sizeof(T) == 1, Inverse8<T, kRounding>,
                       std::conditional_t<std::is_same_v<T, std::int32_t>, Inverse32<kRounding>,
                                          UpperHalfInverse<T, kRounding>>>;

#endif  // not HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
