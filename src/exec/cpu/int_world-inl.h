// SIMD worlds of the integer types.
#if defined(HADAMARD_EXEC_CPU_INT_WORLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_INT_WORLD_INL_H_
#undef HADAMARD_EXEC_CPU_INT_WORLD_INL_H_
#else
#define HADAMARD_EXEC_CPU_INT_WORLD_INL_H_
#endif

#include "exec/cpu/int_inverse-inl.h"
#include "exec/cpu/int_stretches-inl.h"
#include "exec/cpu/run_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// The low bytes of products, from 16-bit products: those of the even bytes are at the bottom of
// their lane, those of the odd ones are moved there and back.
template <class D>
HWY_INLINE hn::Vec<D> multiply_8(D d, hn::Vec<D> a, hn::Vec<D> b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, static_cast<hn::TFromD<D>>(hn::GetLane(a) * hn::GetLane(b)));
#else
  const hn::Repartition<std::uint16_t, D> d16;
  const auto wa = hn::BitCast(d16, a);
  const auto wb = hn::BitCast(d16, b);
  const auto even = hn::And(hn::Mul(wa, wb), hn::Set(d16, 255));
  const auto odd = hn::ShiftLeft<8>(hn::Mul(hn::ShiftRight<8>(wa), hn::ShiftRight<8>(wb)));
  return hn::BitCast(d, hn::Or(even, odd));
#endif
}

// Arithmetic modulo 2^n in lanes of T; adds and multiplies in unsigned lanes, where C++ defines
// overflow too. Division notes zero divisors.
template <class T, IntDivision kRounding>
class IntLanes {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  // Constructors are written out: implicit ones would not be compiled for the target.
  HWY_INLINE IntLanes() {}
  HWY_INLINE V add(V a, V b) const {
    return hn::BitCast(D(), hn::Add(hn::BitCast(DU(), a), hn::BitCast(DU(), b)));
  }
  HWY_INLINE V sub(V a, V b) const {
    return hn::BitCast(D(), hn::Sub(hn::BitCast(DU(), a), hn::BitCast(DU(), b)));
  }
  HWY_INLINE V mul(V a, V b) const {
    if constexpr (sizeof(T) == 1) {
      return multiply_8(D(), a, b);
    } else if constexpr (sizeof(T) < 8) {
      return hn::BitCast(D(), hn::Mul(hn::BitCast(DU(), a), hn::BitCast(DU(), b)));
    } else {
#if HWY_TARGET == HWY_SCALAR
      return hn::Set(D(), static_cast<T>(static_cast<std::uint64_t>(hn::GetLane(a)) *
                                         static_cast<std::uint64_t>(hn::GetLane(b))));
#else
      return hn::BitCast(D(), multiply_64(DU(), hn::BitCast(DU(), a), hn::BitCast(DU(), b)));
#endif
    }
  }
  HWY_INLINE V div(V a, V b) const {
    zeros_.take(b);
    return divide<kRounding>(D(), a, b);
  }
  HWY_INLINE V zero(V) const { return hn::Zero(D()); }
  HWY_INLINE V identity(V a) const { return a; }
  HWY_INLINE V neg(V a) const { return sub(hn::Zero(D()), a); }
  HWY_INLINE V max(V a, V b) const { return hn::IfThenElse(hn::Lt(a, b), b, a); }
  HWY_INLINE V min(V a, V b) const { return hn::IfThenElse(hn::Lt(b, a), b, a); }
  HWY_INLINE V abs(V a) const {
    if constexpr (std::is_signed_v<T>) {
      return hn::IfThenElse(hn::Lt(a, hn::Zero(D())), neg(a), a);
    } else {
      return a;
    }
  }
  HWY_INLINE V sign(V a) const {
    const V none = hn::Zero(D());
    const V unit = hn::IfThenElse(hn::Eq(a, none), none, hn::Set(D(), T{1}));
    if constexpr (std::is_signed_v<T>) {
      return hn::IfThenElse(hn::Lt(a, none), hn::Set(D(), T{-1}), unit);
    } else {
      return unit;
    }
  }
  template <class Operator>
  static constexpr bool kHeavy = op::divisor_of<Operator> != op::Divisor::none;
  bool zero_divisor() const { return zeros_.any(); }

 private:
  using DU = hn::RebindToUnsigned<D>;

  mutable ZeroNote<D> zeros_;
};

template <class T, IntDivision kRounding>
class InverseWorld;

// 8 to 64 bits: computed as they are stored.
template <class T, IntDivision kRounding>
class IntWorld : public IntLanes<T, kRounding>,
                 public OneVector<IntWorld<T, kRounding>, hn::ScalableTag<T>> {
 public:
  using Storage = T;
  static constexpr IntDivision kDivision = kRounding;
  using typename IntLanes<T, kRounding>::D;
  using typename IntLanes<T, kRounding>::V;

  HWY_INLINE IntWorld() {}
#if HWY_TARGET != HWY_SCALAR
  using ByInverse = InverseWorld<T, kRounding>;
  // How 32 and 64 bits are divided where the operands allow it (void: as always).
  using Narrow = std::conditional_t<(sizeof(T) >= 4), NarrowWorld<T, kRounding>, void>;
  using LargeDivisor = LargeDivisorWorld<T, kRounding>;
#endif
  static T filler() { return T{1}; }
  static const T* raw(const T* p) { return p; }
  static T* raw(T* p) { return p; }
  HWY_INLINE V settle(V v) const { return v; }
  HWY_INLINE V splat(T x) const { return hn::Set(D(), x); }
  HWY_INLINE V unpack(V v) const { return v; }
  HWY_INLINE V pack(V v) const { return v; }
};

#if HWY_TARGET != HWY_SCALAR
// Division by one number, and nothing else.
template <class T, IntDivision kRounding>
class InverseWorld : public OneVector<InverseWorld<T, kRounding>, hn::ScalableTag<T>> {
 public:
  using Storage = T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  HWY_INLINE explicit InverseWorld(T divisor) : by_(divisor) {}
  static T filler() { return T{1}; }
  static const T* raw(const T* p) { return p; }
  static T* raw(T* p) { return p; }
  HWY_INLINE V splat(T x) const { return hn::Set(D(), x); }
  HWY_INLINE V unpack(V v) const { return v; }
  HWY_INLINE V pack(V v) const { return v; }
  HWY_INLINE V div(V a, V) const { return by_.divide(a); }
  template <class Operator>
  static constexpr bool kHeavy = false;
  bool zero_divisor() const { return false; }

 private:
  Inverse<T, kRounding> by_;
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
