// Division of integer vectors. No vector instruction does it: it goes through floating point, where
// the rounding of a quotient can be shown to be harmless.
#if defined(HADAMARD_EXEC_CPU_INT_DIVISION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_INT_DIVISION_INL_H_
#undef HADAMARD_EXEC_CPU_INT_DIVISION_INL_H_
#else
#define HADAMARD_EXEC_CPU_INT_DIVISION_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "exec/cpu/int_division_64-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> divide(D d, hn::Vec<D> a, hn::Vec<D> b) {
  return divide_lanes<kRounding>(d, a, b);
}

#else

// The bytes at one place of every 32-bit lane, as numbers.
template <int kByte, bool kSigned, class D32>
HWY_INLINE auto byte_of(D32 d, hn::Vec<D32> v) {
  const hn::RebindToSigned<D32> di;
  constexpr int kAbove = 24 - 8 * kByte;  // bits above it
  if constexpr (kSigned) {
    return hn::ShiftRight<24>(hn::BitCast(di, hn::ShiftLeft<kAbove>(v)));
  } else if constexpr (kByte == 0) {
    return hn::BitCast(di, hn::And(v, hn::Set(d, 255u)));
  } else {
    return hn::BitCast(di, hn::And(hn::ShiftRight<8 * kByte>(v), hn::Set(d, 255u)));
  }
}
template <int kHalf, bool kSigned, class D32>
HWY_INLINE auto half_of(D32 d, hn::Vec<D32> v) {
  const hn::RebindToSigned<D32> di;
  if constexpr (kHalf == 1) {
    if constexpr (kSigned) {
      return hn::ShiftRight<16>(hn::BitCast(di, v));
    } else {
      return hn::BitCast(di, hn::ShiftRight<16>(v));
    }
  } else if constexpr (kSigned) {
    return hn::ShiftRight<16>(hn::BitCast(di, hn::ShiftLeft<16>(v)));
  } else {
    return hn::BitCast(di, hn::And(v, hn::Set(d, 0xFFFFu)));
  }
}

// Of numbers of up to 17 bits, in the low 16 bits of each lane. Exact: where a/b is not whole it is
// at least 1/|b| from every integer, and the rounding error of the float quotient is at most |a/b|
// 2^-24, which is less; so the rounded quotient lies between the same two integers.
template <IntDivision kRounding, class DI>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<DI> > divide_small(DI, hn::Vec<DI> a, hn::Vec<DI> b) {
  const hn::RebindToFloat<DI> df;
  const auto quotient = hn::Div(hn::ConvertTo(df, a), hn::ConvertTo(df, b));
  return hn::BitCast(hn::RebindToUnsigned<DI>(), rounded<kRounding>(df, quotient));
}

// Puts the low 16 bits of lanes side by side: `even` for the lower half of each, `odd` for the
// upper.
template <class D32>
HWY_INLINE hn::Vec<D32> join_halves(D32 d, hn::Vec<D32> even, hn::Vec<D32> odd) {
  const hn::Repartition<std::uint16_t, D32> d16;
  return hn::BitCast(d,
                     hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(odd)), hn::BitCast(d16, even)));
}

template <IntDivision kRounding, bool kSigned, class D32>
HWY_INLINE hn::Vec<D32> divide_16(D32 d, hn::Vec<D32> a, hn::Vec<D32> b) {
  const hn::RebindToSigned<D32> di;
  const auto even =
      divide_small<kRounding>(di, half_of<0, kSigned>(d, a), half_of<0, kSigned>(d, b));
  const auto odd =
      divide_small<kRounding>(di, half_of<1, kSigned>(d, a), half_of<1, kSigned>(d, b));
  return join_halves(d, even, odd);
}

template <IntDivision kRounding, bool kSigned, class D32>
HWY_INLINE hn::Vec<D32> divide_8(D32 d, hn::Vec<D32> a, hn::Vec<D32> b) {
  const hn::RebindToSigned<D32> di;
  const auto q0 = divide_small<kRounding>(di, byte_of<0, kSigned>(d, a), byte_of<0, kSigned>(d, b));
  const auto q1 = divide_small<kRounding>(di, byte_of<1, kSigned>(d, a), byte_of<1, kSigned>(d, b));
  const auto q2 = divide_small<kRounding>(di, byte_of<2, kSigned>(d, a), byte_of<2, kSigned>(d, b));
  const auto q3 = divide_small<kRounding>(di, byte_of<3, kSigned>(d, a), byte_of<3, kSigned>(d, b));
  const hn::Repartition<std::uint16_t, D32> d16;
  const auto low = hn::And(hn::BitCast(d16, join_halves(d, q0, q2)), hn::Set(d16, 255));
  const auto high = hn::ShiftLeft<8>(hn::BitCast(d16, join_halves(d, q1, q3)));
  return hn::BitCast(d, hn::Or(low, high));
}

// The 32-bit halves of 64-bit lanes as doubles, which hold them exactly: an exponent is put over
// them, and what it adds is taken off again.
template <bool kSigned, class D64>
HWY_INLINE auto double_of_low(D64, hn::Vec<D64> v) {
  const hn::RebindToFloat<D64> dd;
  const hn::Repartition<std::uint32_t, D64> d32;
  const auto exponent = hn::BitCast(d32, hn::Set(dd, 0x1p52));
  const auto bits = hn::OddEven(exponent, hn::BitCast(d32, v));
  return hn::Sub(hn::BitCast(dd, bits), hn::Set(dd, kSigned ? 0x1p52 + 0x1p31 : 0x1p52));
}
template <bool kSigned, class D64>
HWY_INLINE auto double_of_high(D64 d, hn::Vec<D64> v) {
  const hn::RebindToFloat<D64> dd;
  const auto exponent = hn::BitCast(d, hn::Set(dd, 0x1p52));
  const auto bits = hn::Or(hn::ShiftRight<32>(v), exponent);
  return hn::Sub(hn::BitCast(dd, bits), hn::Set(dd, kSigned ? 0x1p52 + 0x1p31 : 0x1p52));
}
// Signed numbers get 2^31 added first, so that they are unsigned ones.
template <bool kSigned, class D64>
HWY_INLINE hn::Vec<D64> without_sign(D64 d, hn::Vec<D64> v) {
  return kSigned ? hn::Xor(v, hn::Set(d, 0x8000000080000000u)) : v;
}

template <class D64>
HWY_INLINE hn::Vec<D64> join_words(D64 d, hn::Vec<D64> even, hn::Vec<D64> odd) {
  const hn::Repartition<std::uint32_t, D64> d32;
  return hn::BitCast(d,
                     hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(odd)), hn::BitCast(d32, even)));
}

// All of 32 bits in double: the same argument with 2^-53. MIN / -1 is 2^31, whose low bits are MIN.
template <IntDivision kRounding, bool kSigned, class D64>
HWY_INLINE hn::Vec<D64> divide_32_by_double(D64 d, hn::Vec<D64> a, hn::Vec<D64> b) {
  const hn::RebindToFloat<D64> dd;
  a = without_sign<kSigned>(d, a);
  b = without_sign<kSigned>(d, b);
  const auto even = hn::Div(double_of_low<kSigned>(d, a), double_of_low<kSigned>(d, b));
  const auto odd = hn::Div(double_of_high<kSigned>(d, a), double_of_high<kSigned>(d, b));
  return join_words(d, hn::BitCast(d, rounded<kRounding>(dd, even)),
                    hn::BitCast(d, rounded<kRounding>(dd, odd)));
}

// Lanes whose divisor is 0 get any value.
template <IntDivision kRounding, class D>
HWY_INLINE hn::Vec<D> divide(D d, hn::Vec<D> a, hn::Vec<D> b) {
  using T = hn::TFromD<D>;
  constexpr bool kSigned = std::is_signed_v<T>;
  const hn::Repartition<std::uint32_t, D> d32;
  if constexpr (sizeof(T) == 1) {
    return hn::BitCast(d,
                       divide_8<kRounding, kSigned>(d32, hn::BitCast(d32, a), hn::BitCast(d32, b)));
  } else if constexpr (sizeof(T) == 2) {
    return hn::BitCast(
        d, divide_16<kRounding, kSigned>(d32, hn::BitCast(d32, a), hn::BitCast(d32, b)));
  } else if constexpr (sizeof(T) == 4) {
    const hn::Repartition<std::uint64_t, D> d64;
    return hn::BitCast(
        d, divide_32_by_double<kRounding, kSigned>(d64, hn::BitCast(d64, a), hn::BitCast(d64, b)));
  } else {
    return divide_64<kRounding>(d, a, b);
  }
}

#endif  // not HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
