// The SIMD world of complex128 products and quotients.
#if defined(HADAMARD_EXEC_CPU_COMPLEX128_WORLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_COMPLEX128_WORLD_INL_H_
#undef HADAMARD_EXEC_CPU_COMPLEX128_WORLD_INL_H_
#else
#define HADAMARD_EXEC_CPU_COMPLEX128_WORLD_INL_H_
#endif

#include "exec/cpu/complex_world-inl.h"

#undef HADAMARD_HAS_FMA
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON
#define HADAMARD_HAS_FMA 1
#else
#define HADAMARD_HAS_FMA 0
#endif

#if HADAMARD_HAS_FMA
HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// Real and imaginary parts, apart.
template <class D>
struct Parts {
  hn::Vec<D> re;
  hn::Vec<D> im;
};

// Loads, stores and sums.
class Complex128Lanes {
 public:
  using F = double;
  using Storage = std::complex<F>;
  using D = hn::ScalableTag<F>;
  using V = Parts<D>;
  using Stored = Parts<D>;  // the first and the second half of what lies in memory

  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(D())); }
  static constexpr std::size_t kMaxLanes = hn::MaxLanes(D());
  static Storage filler() { return {F{1}, F{0}}; }
  HWY_INLINE V splat(Storage x) const { return {hn::Set(D(), x.real()), hn::Set(D(), x.imag())}; }
  HWY_INLINE V load(const Storage* p) const {
    hn::Vec<D> re, im;
    hn::LoadInterleaved2(D(), reinterpret_cast<const F*>(p), re, im);
    return {re, im};
  }
  HWY_INLINE Stored pack(const V& v) const {
    const auto low = hn::InterleaveLower(D(), v.re, v.im);
    const auto high = hn::InterleaveUpper(D(), v.re, v.im);
    if constexpr (sizeof(F) * hn::MaxLanes(D()) <= 16) {
      return {low, high};
    } else {
      return {hn::ConcatLowerLower(D(), high, low), hn::ConcatUpperUpper(D(), high, low)};
    }
  }
  HWY_INLINE void store(const Stored& v, Storage* p) const {
    F* const parts = reinterpret_cast<F*>(p);
    hn::StoreU(v.re, D(), parts);
    hn::StoreU(v.im, D(), parts + lanes());
  }
  HWY_INLINE void stream(const Stored& v, Storage* p) const {
    F* const parts = reinterpret_cast<F*>(p);
    stream_vector(v.re, D(), parts);
    stream_vector(v.im, D(), parts + lanes());
  }
  HWY_INLINE V settle(const V& v) const { return v; }
  HWY_INLINE V add(const V& a, const V& b) const {
    return {canonical(hn::Add(a.re, b.re)), canonical(hn::Add(a.im, b.im))};
  }
  HWY_INLINE V sub(const V& a, const V& b) const {
    return {canonical(hn::Sub(a.re, b.re)), canonical(hn::Sub(a.im, b.im))};
  }
  template <class Operator>
  static constexpr bool kHeavy = true;
  bool zero_divisor() const { return false; }

 protected:
  HWY_INLINE static hn::Vec<D> canonical(hn::Vec<D> v) {
    return hn::IfThenElse(hn::IsNaN(v), hn::Set(D(), std::numeric_limits<F>::quiet_NaN()), v);
  }
  // `result` with the lanes that are not sure computed by `scalar`. Vectors go there by value: what
  // another function has the address of, the compiler would keep in memory all along.
  template <class Scalar>
  HWY_INLINE static V settled(const V& a, const V& b, hn::Mask<D> sure, const V& result,
                              Scalar scalar) {
    hn::Vec<D> re = result.re;
    hn::Vec<D> im = result.im;
    if (HWY_UNLIKELY(!hn::AllTrue(D(), sure))) {
      hn::Vec<D> settled_re = re;
      hn::Vec<D> settled_im = im;
      settle_unsure(a.re, a.im, b.re, b.im, hn::VecFromMask(D(), sure), settled_re, settled_im,
                    scalar);
      re = settled_re;
      im = settled_im;
    }
    return {re, im};
  }
  static Storage scalar_mul(Storage a, Storage b) { return cx::mul(a, b); }
  static Storage scalar_div(Storage a, Storage b) { return cx::div(a, b); }

 private:
  using V1 = hn::Vec<D>;
  template <class Scalar>
  HWY_NOINLINE static void settle_unsure(V1 ar, V1 ai, V1 br, V1 bi, V1 sure, V1& re, V1& im,
                                         Scalar scalar) {
    const D d;
    HWY_ALIGN F parts[6][kMaxLanes];
    HWY_ALIGN F is_sure[kMaxLanes];
    hn::Store(ar, d, parts[0]);
    hn::Store(ai, d, parts[1]);
    hn::Store(br, d, parts[2]);
    hn::Store(bi, d, parts[3]);
    hn::Store(re, d, parts[4]);
    hn::Store(im, d, parts[5]);
    hn::Store(hn::And(sure, hn::Set(d, F{1})), d, is_sure);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      if (is_sure[i] != 0) continue;
      const Storage z =
          scalar(Storage(parts[0][i], parts[1][i]), Storage(parts[2][i], parts[3][i]));
      parts[4][i] = z.real();
      parts[5][i] = z.imag();
    }
    re = hn::Load(d, parts[4]);
    im = hn::Load(d, parts[5]);
  }
};

// Doubles as sums of two doubles, which needs fused multiplication to be worth it. An infinity or
// NaN on the way makes the test fail, and what underflows is less than the error that is allowed
// for.
class Complex128World : public Complex128Lanes {
 public:
  HWY_INLINE V mul(const V& a, const V& b) const {
    const Sum re = difference_of_products(a.re, b.re, a.im, b.im);
    const Sum im = sum_of_products(a.re, b.im, a.im, b.re);
    V1 x, y;  // the result's parts; a structure would be constructed for another target
    M re_sure = round_sum(re, x);
    M im_sure = round_sum(im, y);
    if (HWY_UNLIKELY(!hn::AllTrue(D(), hn::And(re_sure, im_sure)))) {
      settle_zero(is_zero(a.re, b.re, a.im, b.im), re, re_sure, x);
      settle_zero(is_zero(a.re, b.im, a.im, b.re), im, im_sure, y);
    }
    const M sure = hn::And(re_sure, im_sure);
    return settled(a, b, sure, {x, y}, &scalar_mul);
  }
  HWY_INLINE V div(const V& a, const V& b) const {
    const Sum norm = sum_of_products(b.re, b.re, b.im, b.im);
    const V1 inverse = hn::Div(hn::Set(D(), 1.0), norm.hi);
    const Sum re = sum_of_products(a.re, b.re, a.im, b.im);
    const Sum im = difference_of_products(a.im, b.re, a.re, b.im);
    V1 x, y;  // the result's parts; a structure would be constructed for another target
    M re_sure = round_quotient(re, norm, inverse, x);
    M im_sure = round_quotient(im, norm, inverse, y);
    if (HWY_UNLIKELY(!hn::AllTrue(D(), hn::And(re_sure, im_sure)))) {
      settle_zero(is_zero(a.re, b.re, a.im, b.im), re, re_sure, x);
      settle_zero(is_zero(a.im, b.re, a.re, b.im), im, im_sure, y);
    }
    const M in_range =
        hn::And(hn::Gt(norm.hi, hn::Set(D(), 0x1p-400)), hn::Lt(norm.hi, hn::Set(D(), 0x1p400)));
    M sure = hn::And(in_range, hn::And(re_sure, im_sure));
    const M real = hn::Eq(b.im, hn::Zero(D()));
    if (HWY_UNLIKELY(!hn::AllFalse(D(), real))) {  // a real divisor divides part by part
      x = hn::IfThenElse(real, canonical(hn::Div(a.re, b.re)), x);
      y = hn::IfThenElse(real, canonical(hn::Div(a.im, b.re)), y);
      sure = hn::Or(sure, real);
    }
    return settled(a, b, sure, {x, y}, &scalar_div);
  }

 private:
  using V1 = hn::Vec<D>;
  using M = hn::Mask<D>;

  // hi + lo, off by at most `error`.
  struct Sum {
    V1 hi, lo, error;
  };

  // Products and their rounding errors, which are exact unless they underflow: then off by less
  // than 2^-1074 each.
  HWY_INLINE static V1 error_of(V1 p, V1 q) {
    return hn::MulAdd(hn::Add(hn::Abs(p), hn::Abs(q)), hn::Set(D(), 0x1p-100),
                      hn::Set(D(), 0x1p-1070));
  }
  // x*y + u*v.
  HWY_INLINE static Sum sum_of_products(V1 x, V1 y, V1 u, V1 v) {
    const V1 p = hn::Mul(x, y);
    const V1 q = hn::Mul(u, v);
    const V1 low = hn::Add(hn::MulSub(x, y, p), hn::MulSub(u, v, q));
    const V1 hi = hn::Add(p, q);
    const V1 part = hn::Sub(hi, p);
    const V1 rest = hn::Add(hn::Sub(p, hn::Sub(hi, part)), hn::Sub(q, part));  // hi + rest == p + q
    return {hi, hn::Add(rest, low), error_of(p, q)};
  }
  // x*y - u*v.
  HWY_INLINE static Sum difference_of_products(V1 x, V1 y, V1 u, V1 v) {
    const V1 p = hn::Mul(x, y);
    const V1 q = hn::Mul(u, v);
    const V1 low = hn::Sub(hn::MulSub(x, y, p), hn::MulSub(u, v, q));
    const V1 hi = hn::Sub(p, q);
    const V1 part = hn::Sub(hi, p);
    const V1 rest = hn::Sub(hn::Sub(p, hn::Sub(hi, part)), hn::Add(q, part));  // hi + rest == p - q
    return {hi, hn::Add(rest, low), error_of(p, q)};
  }

  // Whether both products are zero because a factor is, and not because they underflowed. Then so
  // is their sum, with the sign that IEEE gives it, and its quotient by anything positive.
  HWY_INLINE static M is_zero(V1 x, V1 y, V1 u, V1 v) {
    const V1 zero = hn::Zero(D());
    return hn::And(hn::Or(hn::Eq(x, zero), hn::Eq(y, zero)),
                   hn::Or(hn::Eq(u, zero), hn::Eq(v, zero)));
  }
  HWY_INLINE static void settle_zero(M zero, const Sum& sum, M& sure, V1& result) {
    const M finite = hn::And(zero, hn::Eq(sum.hi, hn::Zero(D())));  // 0 times infinity is not zero
    result = hn::IfThenElse(finite, sum.hi, result);
    sure = hn::Or(sure, finite);
  }

  // Whether the rounding is sure. A zero that is sure has the sign of hi, which adding +0 would
  // lose.
  HWY_INLINE static M round_sum(const Sum& sum, V1& result) {
    const V1 below = hn::Add(sum.hi, hn::Sub(sum.lo, sum.error));
    const V1 above = hn::Add(sum.hi, hn::Add(sum.lo, sum.error));
    result = hn::IfThenElse(hn::Eq(below, hn::Zero(D())), sum.hi, below);
    return hn::Eq(below, above);
  }

  // n / m, where m is positive and `inverse` is 1/m.hi, rounded. q is off by a few units in its
  // last place, and what it leaves over is known to twice the precision; its last error is a few
  // units in the last place of the correction.
  HWY_INLINE static M round_quotient(const Sum& n, const Sum& m, V1 inverse, V1& result) {
    const V1 q = hn::Mul(n.hi, inverse);
    const V1 rest = hn::NegMulAdd(q, m.lo, hn::Add(hn::NegMulAdd(q, m.hi, n.hi), n.lo));
    const V1 correction = hn::Mul(rest, inverse);
    const V1 left = hn::MulAdd(hn::Add(n.error, n.error), inverse, hn::Set(D(), 0x1p-1050));
    const V1 size = hn::MulAdd(hn::Abs(q), hn::Set(D(), 0x1p-97), left);
    const V1 error = hn::MulAdd(hn::Abs(correction), hn::Set(D(), 0x1p-49), size);
    return round_sum({q, correction, error}, result);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();
#endif  // fused multiplication

#endif  // include guard
