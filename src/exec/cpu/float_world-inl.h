// SIMD worlds of the floating-point types.
#if defined(HADAMARD_EXEC_CPU_FLOAT_WORLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FLOAT_WORLD_INL_H_
#undef HADAMARD_EXEC_CPU_FLOAT_WORLD_INL_H_
#else
#define HADAMARD_EXEC_CPU_FLOAT_WORLD_INL_H_
#endif

#include <limits>

#include "exec/cpu/run_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// Arithmetic in lanes of F. Correctly rounded by the hardware; -ffp-contract=off keeps it so.
// (Division by one number for many: float_reciprocal-inl.h.)
template <class F>
class FloatLanes {
 public:
  using D = hn::ScalableTag<F>;
  using V = hn::Vec<D>;

  HWY_INLINE V add(V a, V b) const { return hn::Add(a, b); }
  HWY_INLINE V sub(V a, V b) const { return hn::Sub(a, b); }
  HWY_INLINE V mul(V a, V b) const { return hn::Mul(a, b); }
  HWY_INLINE V div(V a, V b) const { return hn::Div(a, b); }
  HWY_INLINE V zero(V) const { return hn::Zero(D()); }
  HWY_INLINE V one(V) const { return hn::Set(D(), F{1}); }
  template <int numerator, int denominator>
  HWY_INLINE V ratio(V) const {
    return hn::Set(D(), F{numerator} / F{denominator});
  }
  template <int divisor>
  HWY_INLINE V divided(V a) const {
    return hn::Div(a, hn::Set(D(), F{divisor}));
  }
  HWY_INLINE V if_at_most(V a, V b, V x, V y) const { return hn::IfThenElse(hn::Le(a, b), x, y); }
  HWY_INLINE V identity(V a) const { return a; }
  HWY_INLINE V neg(V a) const { return hn::Neg(a); }
  HWY_INLINE V abs(V a) const { return hn::Abs(a); }
  HWY_INLINE V sqrt(V a) const { return hn::Sqrt(a); }
  HWY_INLINE V floor(V a) const { return with_sign_of(a, hn::Floor(a)); }
  HWY_INLINE V ceil(V a) const { return with_sign_of(a, hn::Ceil(a)); }
  HWY_INLINE V round(V a) const { return with_sign_of(a, hn::Round(a)); }
  HWY_INLINE V trunc(V a) const { return with_sign_of(a, hn::Trunc(a)); }
  // Highway's own Max and Min answer NaN and signed zeros otherwise on each target. Equal numbers
  // differ, if at all, in the sign of zero.
  HWY_INLINE V max(V a, V b) const {
    const auto other = hn::Or(hn::Lt(a, b), hn::IsNaN(b));
    return hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), hn::IfThenElse(other, b, a));
  }
  HWY_INLINE V max_of_zero(V a) const {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    // Of NaN and of two zeros, x86 takes the second: NaN remains, and -0 becomes 0 with the sum.
    return hn::Add(hn::Max(hn::Zero(D()), a), hn::Zero(D()));
#else
    return hn::IfThenZeroElse(hn::Le(a, hn::Zero(D())), a);
#endif
  }
  HWY_INLINE V min(V a, V b) const {
    const auto other = hn::Or(hn::Lt(b, a), hn::IsNaN(b));
    return hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), hn::IfThenElse(other, b, a));
  }
  HWY_INLINE V sign(V a) const {
    const V unit = hn::IfThenElse(hn::IsNaN(a), a, hn::CopySign(hn::Set(D(), F{1}), a));
    return hn::IfThenElse(hn::Eq(a, hn::Zero(D())), hn::Zero(D()), unit);
  }
  template <class Operator>
  static constexpr bool kHeavy = false;
  bool zero_divisor() const { return false; }  // IEEE 754 has an answer

 private:
  // Without an instruction for it, Highway loses the sign of a zero.
  HWY_INLINE static V with_sign_of([[maybe_unused]] V a, V rounded) {
#if HWY_TARGET == HWY_SCALAR
    return hn::CopySign(rounded, a);
#else
    return rounded;
#endif
  }
};

// fp32 and fp64: computed as they are stored.
template <class F>
class FloatWorld : public FloatLanes<F>, public OneVector<FloatWorld<F>, hn::ScalableTag<F>> {
 public:
  using Storage = F;
  using typename FloatLanes<F>::D;
  using typename FloatLanes<F>::V;

  // Before that, making the reciprocal takes longer than the divider.
  static constexpr std::int64_t kReciprocalFrom = sizeof(F) == 4 ? 4096 : 256;
  static F filler() { return F{1}; }
  static const F* raw(const F* p) { return p; }
  static F* raw(F* p) { return p; }
  HWY_INLINE V settle(V v) const { return v; }
  HWY_INLINE V splat(F x) const { return hn::Set(D(), x); }
  HWY_INLINE V unpack(V v) const { return v; }
  // Hardware makes NaNs with other signs and payloads, target by target; ours is one.
  HWY_INLINE V pack(V v) const {
    const V nan = hn::Set(D(), std::numeric_limits<F>::quiet_NaN());
    return hn::IfThenElse(hn::IsNaN(v), nan, v);
  }
  // Of fp32 only (LineLoop::kMendsNan).
  HWY_INLINE bool any_nan(V a, V b, V c, V d) const {
    static_assert(sizeof(F) == 4);
    return !hn::AllFalse(D(), hn::Or(either_nan(a, b), either_nan(c, d)));
  }

 private:
  HWY_INLINE static auto either_nan(V a, V b) {
#if HWY_TARGET == HWY_AVX2
    // One comparison asks for both.
    return hn::MaskFromVec(V{_mm256_cmp_ps(a.raw, b.raw, _CMP_UNORD_Q)});
#else
    return hn::Or(hn::IsNaN(a), hn::IsNaN(b));
#endif
  }
};

// fp16 and bf16: computed in float and rounded once, which is exact for + - * / (24 >= 2*11+2).
template <class Half>
class HalfWorld
    : public FloatLanes<float>,
      public OneVector<HalfWorld<Half>, hn::Rebind<std::uint16_t, hn::ScalableTag<float>>> {
 public:
  using Storage = Half;
  using D16 = hn::Rebind<std::uint16_t, D>;
  using DU = hn::RebindToUnsigned<D>;
  using DI = hn::RebindToSigned<D>;
  using U = hn::Vec<DU>;

  static Half filler() { return Half::from_bits(sizeof(Half) == 2 && kIsFp16 ? 0x3C00 : 0x3F80); }
  static const std::uint16_t* raw(const Half* p) { return &p->bits; }
  static std::uint16_t* raw(Half* p) { return &p->bits; }
  HWY_INLINE V settle(V v) const { return widen(narrow(v)); }
  HWY_INLINE V splat(Half x) const { return widen(hn::Set(D16(), x.bits)); }
  HWY_INLINE V unpack(hn::Vec<D16> h) const { return widen(h); }
  HWY_INLINE hn::Vec<D16> pack(V v) const { return narrow(v); }

 private:
  static constexpr bool kIsFp16 = std::is_same_v<Half, float16>;
  using V16 = hn::Vec<D16>;

  HWY_INLINE V widen(V16 h) const {
    if constexpr (!kIsFp16) {
      return hn::BitCast(D(), hn::ShiftLeft<16>(hn::PromoteTo(DU(), h)));
    } else {
#if HWY_TARGET == HWY_AVX2
      return hn::PromoteTo(D(), hn::BitCast(hn::Rebind<hwy::float16_t, D>(), h));
#else
      return widen_fp16(hn::PromoteTo(DU(), h));
#endif
    }
  }

  HWY_INLINE V16 narrow(V v) const {
    if constexpr (!kIsFp16) {
      return narrow_bf16(v);
    } else {
#if HWY_TARGET == HWY_AVX2
      // The F16C instruction rounds to nearest even, whatever MXCSR says, and keeps a NaN's sign.
      const V nan = hn::Set(D(), std::numeric_limits<float>::quiet_NaN());
      const V canonical = hn::IfThenElse(hn::IsNaN(v), nan, v);
      return hn::BitCast(D16(), hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), canonical));
#else
      return narrow_fp16(v);
#endif
    }
  }

  // Moves exponent and mantissa into place and rebiases; subnormals are normalized by a
  // subtraction.
  HWY_INLINE V widen_fp16(U h) const {
    const U exponent_mask = hn::Set(DU(), 0x7C00u << 13);
    const U sign = hn::ShiftLeft<16>(hn::And(h, hn::Set(DU(), 0x8000u)));
    const U moved = hn::ShiftLeft<13>(hn::And(h, hn::Set(DU(), 0x7FFFu)));
    const U exponent = hn::And(moved, exponent_mask);
    const U normal = hn::Add(moved, hn::Set(DU(), (127u - 15u) << 23));
    const U special = hn::Add(normal, hn::Set(DU(), (128u - 16u) << 23));
    const V magic = hn::BitCast(D(), hn::Set(DU(), 113u << 23));
    const V subnormal = hn::Sub(hn::BitCast(D(), hn::Add(normal, hn::Set(DU(), 1u << 23))), magic);
    U result = hn::IfThenElse(hn::Eq(exponent, exponent_mask), special, normal);
    result = hn::IfThenElse(hn::Eq(exponent, hn::Zero(DU())), hn::BitCast(DU(), subnormal), result);
    return hn::BitCast(D(), hn::Or(result, sign));
  }

  // Nearest even in integers; Highway's own conversion truncates off AVX2.
  HWY_INLINE V16 narrow_fp16(V v) const {
    const U bits = hn::BitCast(DU(), v);
    const U sign = hn::ShiftRight<16>(hn::And(bits, hn::Set(DU(), 0x80000000u)));
    const U size = hn::And(bits, hn::Set(DU(), 0x7FFFFFFFu));
    const U odd = hn::And(hn::ShiftRight<13>(size), hn::Set(DU(), 1u));
    const U rebias = hn::Set(DU(), 0xFFFu - ((127u - 15u) << 23));
    const U normal = hn::ShiftRight<13>(hn::Add(hn::Add(size, rebias), odd));
    // Adding 0.5 leaves the subnormal's 10 bits, rounded by the hardware, at the bottom.
    const U magic = hn::Set(DU(), 126u << 23);
    const V sum = hn::Add(hn::BitCast(D(), size), hn::BitCast(D(), magic));
    const U subnormal = hn::Sub(hn::BitCast(DU(), sum), magic);
    const DI di;
    const auto ssize = hn::BitCast(di, size);  // below 2^31: signed comparison is the same
    const auto small = hn::RebindMask(DU(), hn::Lt(ssize, hn::Set(di, 0x38800000)));
    const auto large = hn::RebindMask(DU(), hn::Gt(ssize, hn::Set(di, 0x477FFFFF)));
    const auto nan = hn::RebindMask(DU(), hn::Gt(ssize, hn::Set(di, 0x7F800000)));
    U result = hn::IfThenElse(small, subnormal, normal);
    result = hn::IfThenElse(large, hn::Set(DU(), 0x7C00u), result);
    result = hn::IfThenElse(nan, hn::Set(DU(), 0x7E00u), hn::Or(result, sign));
    return hn::DemoteTo(D16(), hn::BitCast(di, result));
  }

  HWY_INLINE V16 narrow_bf16(V v) const {
    const U bits = hn::BitCast(DU(), v);
    const U odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(DU(), 1u));
    const U rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(DU(), 0x7FFFu)), odd));
    const auto nan = hn::RebindMask(DU(), hn::IsNaN(v));
    const U result = hn::IfThenElse(nan, hn::Set(DU(), 0x7FC0u), rounded);
    return hn::DemoteTo(D16(), hn::BitCast(DI(), result));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
