// SIMD worlds of the 4-bit integers: a byte each, and as they lie in tensors, two to a byte.
#if defined(HADAMARD_EXEC_CPU_NIBBLE_WORLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_NIBBLE_WORLD_INL_H_
#undef HADAMARD_EXEC_CPU_NIBBLE_WORLD_INL_H_
#else
#define HADAMARD_EXEC_CPU_NIBBLE_WORLD_INL_H_
#endif

#include "exec/cpu/int_world-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// 4 bits, a byte each: computed in 8 bits and wrapped. T is the byte.
template <class T, IntDivision kRounding>
class NibbleWorld : public IntWorld<T, kRounding> {
 public:
  using typename IntLanes<T, kRounding>::D;
  using typename IntLanes<T, kRounding>::V;

  using ByInverse = void;  // results would not be wrapped

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

#if HWY_TARGET != HWY_SCALAR
// Two to a byte. T is int8_t or uint8_t, as the numbers are signed; a byte holds the first number
// in its low half.
template <class T, IntDivision kRounding>
class NibblePairWorld {
 public:
  using Storage = std::uint8_t;
  using D = hn::ScalableTag<T>;
  using DB = hn::ScalableTag<std::uint8_t>;
  using Stored = hn::Vec<DB>;
  struct V {
    hn::Vec<D> low;
    hn::Vec<D> high;
  };
  static constexpr std::size_t kMaxLanes = hn::MaxLanes(DB());
  template <class Operator>
  static constexpr bool kHeavy = op::divisor_of<Operator> != op::Divisor::none;

  HWY_INLINE NibblePairWorld() {}
  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(DB())); }
  static std::uint8_t filler() { return 0x11; }
  HWY_INLINE V splat(std::uint8_t x) const { return unpack(hn::Set(DB(), x)); }
  HWY_INLINE V load(const std::uint8_t* p) const { return unpack(hn::LoadU(DB(), p)); }
  HWY_INLINE Stored pack(const V& v) const {
    const auto fifteen = hn::Set(DB(), 15);
    const auto low = hn::And(hn::BitCast(DB(), v.low), fifteen);
    const auto high = hn::And(hn::BitCast(DB(), v.high), fifteen);
    return hn::Or(low, hn::BitCast(DB(), hn::ShiftLeft<4>(hn::BitCast(D16(), high))));
  }
  HWY_INLINE void store(Stored v, std::uint8_t* p) const { hn::StoreU(v, DB(), p); }
  HWY_INLINE void stream(Stored v, std::uint8_t* p) const { stream_vector(v, DB(), p); }
  HWY_INLINE V settle(const V& v) const { return {wrapped(v.low), wrapped(v.high)}; }
  HWY_INLINE V add(const V& a, const V& b) const {
    return {hn::Add(a.low, b.low), hn::Add(a.high, b.high)};
  }
  HWY_INLINE V sub(const V& a, const V& b) const {
    return {hn::Sub(a.low, b.low), hn::Sub(a.high, b.high)};
  }
  HWY_INLINE V mul(const V& a, const V& b) const {
    return {multiply_8(D(), a.low, b.low), multiply_8(D(), a.high, b.high)};
  }
  HWY_INLINE V div(const V& a, const V& b) const {
    return {quotient(a.low, b.low), quotient(a.high, b.high)};
  }
  bool zero_divisor() const { return zeros_.any(); }

 private:
  using D16 = hn::Repartition<std::uint16_t, D>;
  using DI = hn::ScalableTag<std::int8_t>;

  HWY_INLINE static hn::Vec<D> wrapped(hn::Vec<D> v) {
    const auto low = hn::And(v, hn::Set(D(), 15));
    if constexpr (std::is_signed_v<T>) {
      return hn::Sub(hn::Xor(low, hn::Set(D(), 8)), hn::Set(D(), 8));
    } else {
      return low;
    }
  }
  HWY_INLINE static V unpack(Stored v) {
    const auto high = hn::BitCast(D(), hn::ShiftRight<4>(hn::BitCast(D16(), v)));
    return {wrapped(hn::BitCast(D(), v)), wrapped(high)};
  }

  // By the inverse of the divisor, looked up by its four bits: m = ceil(2^8/d), and u*m/2^8 is
  // exact for u and d below 16. The table has m - 1, which fits a byte. A negative quotient is
  // rounded down by adding d - 1 to the dividend's size first.
  HWY_INLINE hn::Vec<D> quotient(hn::Vec<D> a, hn::Vec<D> b) const {
    zeros_.take(b);
    const auto index = hn::And(hn::BitCast(DB(), b), hn::Set(DB(), 15));
    const auto inverse = hn::TableLookupBytes(hn::LoadDup128(DB(), kInverses), index);
    if constexpr (std::is_signed_v<T>) {
      const auto negative = hn::VecFromMask(D(), hn::Lt(hn::Xor(a, b), hn::Zero(D())));
      auto size = hn::BitCast(DB(), hn::Abs(a));
      if constexpr (kRounding == IntDivision::floor) {
        const auto less_one = hn::TableLookupBytes(hn::LoadDup128(DB(), kSizesLessOne), index);
        size = hn::Add(size, hn::And(less_one, hn::BitCast(DB(), negative)));
      }
      const auto q = hn::BitCast(D(), scaled(size, inverse));
      return hn::Sub(hn::Xor(q, negative), negative);
    } else {
      return hn::BitCast(D(), scaled(a, inverse));
    }
  }
  // u * (m + 1) / 2^8 in each byte.
  HWY_INLINE static Stored scaled(Stored u, Stored m) {
    const auto low = hn::Set(D16(), 255);
    const auto u16 = hn::BitCast(D16(), u);
    const auto m16 = hn::BitCast(D16(), m);
    const auto u_even = hn::And(u16, low);
    const auto u_odd = hn::ShiftRight<8>(u16);
    const auto even = hn::Add(hn::Mul(u_even, hn::And(m16, low)), u_even);
    const auto odd = hn::Add(hn::Mul(u_odd, hn::ShiftRight<8>(m16)), u_odd);
    return hn::BitCast(DB(), hn::Or(hn::ShiftRight<8>(even), hn::AndNot(low, odd)));
  }
  // For the four bits of a divisor: ceil(2^8/d) - 1 and d - 1, where d is its size.
  static constexpr bool kSigned = std::is_signed_v<T>;
  HWY_ALIGN static constexpr std::uint8_t kInverses[16] = {0,
                                                           255,
                                                           127,
                                                           85,
                                                           63,
                                                           51,
                                                           42,
                                                           36,
                                                           31,
                                                           kSigned ? 36 : 28,
                                                           kSigned ? 42 : 25,
                                                           kSigned ? 51 : 23,
                                                           kSigned ? 63 : 21,
                                                           kSigned ? 85 : 19,
                                                           kSigned ? 127 : 18,
                                                           kSigned ? 255 : 17};
  HWY_ALIGN static constexpr std::uint8_t kSizesLessOne[16] = {0, 0, 1, 2, 3, 4, 5, 6,
                                                               7, 6, 5, 4, 3, 2, 1, 0};
  mutable ZeroNote<D> zeros_;
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
