// The SIMD world of bf16 where there are two lanes to a register.
#if defined(HADAMARD_EXEC_CPU_BF16_WORLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_BF16_WORLD_INL_H_
#undef HADAMARD_EXEC_CPU_BF16_WORLD_INL_H_
#else
#define HADAMARD_EXEC_CPU_BF16_WORLD_INL_H_
#endif

#include "exec/cpu/float_world-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
// bf16, two to a 32-bit lane: a shift or a mask makes either a float, and no lane has to move.
class Bf16PairWorld {
 public:
  using Storage = bfloat16;
  using D = hn::ScalableTag<float>;
  using DU = hn::ScalableTag<std::uint32_t>;
  using D16 = hn::Repartition<std::uint16_t, D>;
  using Stored = hn::Vec<D16>;
  struct V {
    hn::Vec<D> even;
    hn::Vec<D> odd;
  };
  static constexpr std::size_t kMaxLanes = hn::MaxLanes(D16());
  template <class Operator>
  static constexpr bool kHeavy = false;

  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(D16())); }
  static bfloat16 filler() { return bfloat16::from_bits(0x3F80); }
  HWY_INLINE V splat(bfloat16 x) const {
    const auto v = hn::BitCast(D(), hn::Set(DU(), static_cast<std::uint32_t>(x.bits) << 16));
    return {v, v};
  }
  HWY_INLINE V load(const bfloat16* p) const {
    const auto both = hn::BitCast(DU(), hn::LoadU(D16(), &p->bits));
    return {hn::BitCast(D(), hn::ShiftLeft<16>(both)),
            hn::BitCast(D(), hn::And(both, hn::Set(DU(), 0xFFFF0000u)))};
  }
  HWY_INLINE Stored pack(const V& v) const {
    return hn::OddEven(hn::BitCast(D16(), rounded(v.odd)),
                       hn::BitCast(D16(), hn::ShiftRight<16>(rounded(v.even))));
  }
  HWY_INLINE void store(Stored v, bfloat16* p) const { hn::StoreU(v, D16(), &p->bits); }
  HWY_INLINE void stream(Stored v, bfloat16* p) const { stream_vector(v, D16(), &p->bits); }
  HWY_INLINE V settle(const V& v) const {
    const auto upper = hn::Set(DU(), 0xFFFF0000u);
    return {hn::BitCast(D(), hn::And(rounded(v.even), upper)),
            hn::BitCast(D(), hn::And(rounded(v.odd), upper))};
  }
  HWY_INLINE V add(const V& a, const V& b) const {
    return {F().add(a.even, b.even), F().add(a.odd, b.odd)};
  }
  HWY_INLINE V sub(const V& a, const V& b) const {
    return {F().sub(a.even, b.even), F().sub(a.odd, b.odd)};
  }
  HWY_INLINE V mul(const V& a, const V& b) const {
    return {F().mul(a.even, b.even), F().mul(a.odd, b.odd)};
  }
  HWY_INLINE V div(const V& a, const V& b) const {
    return {F().div(a.even, b.even), F().div(a.odd, b.odd)};
  }
  HWY_INLINE V max(const V& a, const V& b) const {
    return {F().max(a.even, b.even), F().max(a.odd, b.odd)};
  }
  HWY_INLINE V min(const V& a, const V& b) const {
    return {F().min(a.even, b.even), F().min(a.odd, b.odd)};
  }
  HWY_INLINE V zero(const V& a) const { return {F().zero(a.even), F().zero(a.odd)}; }
  HWY_INLINE V one(const V& a) const { return {F().one(a.even), F().one(a.odd)}; }
  template <int numerator, int denominator>
  HWY_INLINE V ratio(const V& a) const {
    const auto r = F().ratio<numerator, denominator>(a.even);
    return {r, r};
  }
  template <int divisor>
  HWY_INLINE V divided(const V& a) const {
    return {F().divided<divisor>(a.even), F().divided<divisor>(a.odd)};
  }
  HWY_INLINE V if_at_most(const V& a, const V& b, const V& x, const V& y) const {
    return {F().if_at_most(a.even, b.even, x.even, y.even),
            F().if_at_most(a.odd, b.odd, x.odd, y.odd)};
  }
  HWY_INLINE V identity(const V& a) const { return {F().identity(a.even), F().identity(a.odd)}; }
  HWY_INLINE V neg(const V& a) const { return {F().neg(a.even), F().neg(a.odd)}; }
  HWY_INLINE V abs(const V& a) const { return {F().abs(a.even), F().abs(a.odd)}; }
  HWY_INLINE V sqrt(const V& a) const { return {F().sqrt(a.even), F().sqrt(a.odd)}; }
  HWY_INLINE V floor(const V& a) const { return {F().floor(a.even), F().floor(a.odd)}; }
  HWY_INLINE V ceil(const V& a) const { return {F().ceil(a.even), F().ceil(a.odd)}; }
  HWY_INLINE V round(const V& a) const { return {F().round(a.even), F().round(a.odd)}; }
  HWY_INLINE V trunc(const V& a) const { return {F().trunc(a.even), F().trunc(a.odd)}; }
  HWY_INLINE V sign(const V& a) const { return {F().sign(a.even), F().sign(a.odd)}; }
  bool zero_divisor() const { return false; }

 private:
  using F = FloatLanes<float>;
  // Nearest even, in the upper half of each lane; the lower half is of no use.
  HWY_INLINE static hn::Vec<DU> rounded(hn::Vec<D> v) {
    const auto bits = hn::BitCast(DU(), v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(DU(), 1u));
    const auto sum = hn::Add(hn::Add(bits, hn::Set(DU(), 0x7FFFu)), odd);
    const auto nan = hn::RebindMask(DU(), hn::IsNaN(v));
    return hn::IfThenElse(nan, hn::Set(DU(), 0x7FC00000u), sum);
  }
};
using Bf16Lanes = Bf16PairWorld;
#else
using Bf16Lanes = HalfWorld<bfloat16>;
#endif

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
