// SIMD worlds of the complex types. Products and quotients are computed in more precision than is
// stored, with a bound of the error, and taken where every value within the bound rounds to the
// same number; the few lanes where that is not so are computed one by one (num/complex.hpp, which
// has the definition of the results and the same tests in scalar form).
#if defined(HADAMARD_EXEC_CPU_COMPLEX_WORLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_COMPLEX_WORLD_INL_H_
#undef HADAMARD_EXEC_CPU_COMPLEX_WORLD_INL_H_
#else
#define HADAMARD_EXEC_CPU_COMPLEX_WORLD_INL_H_
#endif

#include <complex>
#include <limits>

#include "exec/cpu/simd_loop-inl.h"
#include "num/complex.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// Real and imaginary parts, apart.
template <class D>
struct Parts {
  hn::Vec<D> re;
  hn::Vec<D> im;
};

// Loads, stores and sums; `F` is the type of a part.
template <class F>
class ComplexLanes {
 public:
  using Storage = std::complex<F>;
  using DD = hn::ScalableTag<double>;  // what is computed with
  using D = hn::Rebind<F, DD>;         // what is stored: as many lanes
  using V = Parts<D>;
  using Stored = Parts<D>;  // the first and the second half of what lies in memory

  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(D())); }
  static constexpr std::size_t kMaxLanes = hn::MaxLanes(D());
  static Storage one() { return {F{1}, F{0}}; }
  HWY_INLINE V splat(Storage x) const { return {hn::Set(D(), x.real()), hn::Set(D(), x.imag())}; }
  HWY_INLINE V load(const Storage* p) const {
    V v;
    hn::LoadInterleaved2(D(), reinterpret_cast<const F*>(p), v.re, v.im);
    return v;
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
  // Replaces the lanes of `result` that are not sure.
  template <class Scalar>
  HWY_NOINLINE static void settle_unsure(const V& a, const V& b, hn::Mask<D> sure, V& result,
                                         Scalar scalar) {
    HWY_ALIGN F parts[6][kMaxLanes];
    HWY_ALIGN F is_sure[kMaxLanes];
    const D d;
    hn::Store(a.re, d, parts[0]);
    hn::Store(a.im, d, parts[1]);
    hn::Store(b.re, d, parts[2]);
    hn::Store(b.im, d, parts[3]);
    hn::Store(result.re, d, parts[4]);
    hn::Store(result.im, d, parts[5]);
    hn::Store(hn::IfThenElseZero(sure, hn::Set(d, F{1})), d, is_sure);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      if (is_sure[i] != 0) continue;
      const Storage z =
          scalar(Storage(parts[0][i], parts[1][i]), Storage(parts[2][i], parts[3][i]));
      parts[4][i] = z.real();
      parts[5][i] = z.imag();
    }
    result = {hn::Load(d, parts[4]), hn::Load(d, parts[5])};
  }
  static Storage scalar_mul(Storage a, Storage b) { return cx::mul(a, b); }
  static Storage scalar_div(Storage a, Storage b) { return cx::div(a, b); }
};

// Both parts alike, as they lie: all that sums and differences need.
template <class F>
class ComplexSumWorld : public OneVector<ComplexSumWorld<F>, hn::ScalableTag<F>> {
 public:
  using Storage = std::complex<F>;
  using D = hn::ScalableTag<F>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kMaxLanes = hn::MaxLanes(D()) / 2;

  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(D()) / 2); }
  static Storage one() { return {F{1}, F{0}}; }
  static const F* raw(const Storage* p) { return reinterpret_cast<const F*>(p); }
  static F* raw(Storage* p) { return reinterpret_cast<F*>(p); }
  HWY_INLINE V splat(Storage x) const {
    return hn::OddEven(hn::Set(D(), x.imag()), hn::Set(D(), x.real()));
  }
  HWY_INLINE V unpack(V v) const { return v; }
  HWY_INLINE V pack(V v) const {
    return hn::IfThenElse(hn::IsNaN(v), hn::Set(D(), std::numeric_limits<F>::quiet_NaN()), v);
  }
  HWY_INLINE V settle(V v) const { return pack(v); }
  HWY_INLINE V add(V a, V b) const { return hn::Add(a, b); }
  HWY_INLINE V sub(V a, V b) const { return hn::Sub(a, b); }
  template <class Operator>
  static constexpr bool kHeavy = false;
  bool zero_divisor() const { return false; }
};

// Floats in double: the four products are exact, and a sum of two is off by half a unit in the last
// of its 53 places, whatever cancels.
class Complex64World : public ComplexLanes<float> {
 public:
  HWY_INLINE V mul(const V& a, const V& b) const {
    const W x = wide(a);
    const W y = wide(b);
    return rounded(hn::Sub(hn::Mul(x.re, y.re), hn::Mul(x.im, y.im)),
                   hn::Add(hn::Mul(x.re, y.im), hn::Mul(x.im, y.re)), a, b, &scalar_mul);
  }
  HWY_INLINE V div(const V& a, const V& b) const {
    const W x = wide(a);
    const W y = wide(b);
    auto re = hn::Add(hn::Mul(x.re, y.re), hn::Mul(x.im, y.im));
    auto im = hn::Sub(hn::Mul(x.im, y.re), hn::Mul(x.re, y.im));
    auto norm = hn::Add(hn::Mul(y.re, y.re), hn::Mul(y.im, y.im));
    const auto real = hn::Eq(y.im, hn::Zero(DD()));
    if (!hn::AllFalse(DD(), real)) {  // a real divisor divides part by part
      re = hn::IfThenElse(real, x.re, re);
      im = hn::IfThenElse(real, x.im, im);
      norm = hn::IfThenElse(real, y.re, norm);
    }
    const auto inverse = hn::Div(hn::Set(DD(), 1.0), norm);
    return rounded(hn::Mul(re, inverse), hn::Mul(im, inverse), a, b, &scalar_div);
  }

 private:
  using W = Parts<DD>;
  HWY_INLINE static W wide(const V& v) {
    return {hn::PromoteTo(DD(), v.re), hn::PromoteTo(DD(), v.im)};
  }
  // Parts that are off by less than their size times 2^-50, to float.
  template <class Scalar>
  HWY_INLINE static V rounded(hn::Vec<DD> re, hn::Vec<DD> im, const V& a, const V& b,
                              Scalar scalar) {
    const D d;
    const auto half_width = hn::Set(DD(), 0x1p-50);
    const auto re_error = hn::Mul(hn::Abs(re), half_width);
    const auto im_error = hn::Mul(hn::Abs(im), half_width);
    V low{hn::DemoteTo(d, hn::Sub(re, re_error)), hn::DemoteTo(d, hn::Sub(im, im_error))};
    const V high{hn::DemoteTo(d, hn::Add(re, re_error)), hn::DemoteTo(d, hn::Add(im, im_error))};
    // Not where one is infinite or NaN: that has rules of its own.
    const auto infinity = hn::Set(d, std::numeric_limits<float>::infinity());
    const auto finite = hn::Lt(hn::Max(hn::Abs(low.re), hn::Abs(low.im)), infinity);
    const auto sure = hn::And(finite, hn::And(hn::Eq(low.re, high.re), hn::Eq(low.im, high.im)));
    if (HWY_UNLIKELY(!hn::AllTrue(d, sure))) settle_unsure(a, b, sure, low, scalar);
    return low;
  }
};

#undef HADAMARD_HAS_FMA
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON
#define HADAMARD_HAS_FMA 1
#else
#define HADAMARD_HAS_FMA 0
#endif

#if HADAMARD_HAS_FMA
// Doubles as sums of two doubles, which needs fused multiplication to be worth it.
class Complex128World : public ComplexLanes<double> {
 public:
  HWY_INLINE V mul(const V& a, const V& b) const {
    const Sum re = sum_of_products(a.re, b.re, hn::Neg(a.im), b.im);
    const Sum im = sum_of_products(a.re, b.im, a.im, b.re);
    V result;
    auto sure = hn::And(in_range(a), in_range(b));
    sure = hn::And(sure, round_sum(re, result.re));
    sure = hn::And(sure, round_sum(im, result.im));
    if (HWY_UNLIKELY(!hn::AllTrue(D(), sure))) settle_unsure(a, b, sure, result, &scalar_mul);
    return result;
  }
  HWY_INLINE V div(const V& a, const V& b) const {
    const Sum re = sum_of_products(a.re, b.re, a.im, b.im);
    const Sum im = sum_of_products(a.im, b.re, hn::Neg(a.re), b.im);
    const Sum norm = sum_of_products(b.re, b.re, b.im, b.im);
    const auto inverse = hn::Div(hn::Set(D(), 1.0), norm.hi);
    V result;
    auto sure = hn::And(in_range(a), in_range(b));
    sure = hn::And(sure, round_quotient(re, norm, inverse, result.re));
    sure = hn::And(sure, round_quotient(im, norm, inverse, result.im));
    const auto real = hn::Eq(b.im, hn::Zero(D()));
    if (!hn::AllFalse(D(), real)) {  // a real divisor divides part by part, as the hardware does
      result.re = hn::IfThenElse(real, canonical(hn::Div(a.re, b.re)), result.re);
      result.im = hn::IfThenElse(real, canonical(hn::Div(a.im, b.re)), result.im);
      sure = hn::Or(sure, real);
    }
    if (HWY_UNLIKELY(!hn::AllTrue(D(), sure))) settle_unsure(a, b, sure, result, &scalar_div);
    return result;
  }

 private:
  using V1 = hn::Vec<D>;
  using M = hn::Mask<D>;

  // hi + lo, off by at most `error`.
  struct Sum {
    V1 hi, lo, error;
  };

  // Parts between 2^-240 and 2^240 or 0: no product, sum or quotient of theirs, and no rounding
  // error of one, leaves the normal numbers.
  HWY_INLINE static M in_range(const V& z) {
    const D d;
    const V1 one = hn::Set(d, 1.0);
    const V1 re = hn::IfThenElse(hn::Eq(z.re, hn::Zero(d)), one, hn::Abs(z.re));
    const V1 im = hn::IfThenElse(hn::Eq(z.im, hn::Zero(d)), one, hn::Abs(z.im));
    return hn::And(hn::Gt(hn::Min(re, im), hn::Set(d, 0x1p-240)),
                   hn::Lt(hn::Max(re, im), hn::Set(d, 0x1p240)));
  }

  // x*y + u*v.
  HWY_INLINE static Sum sum_of_products(V1 x, V1 y, V1 u, V1 v) {
    const V1 p = hn::Mul(x, y);
    const V1 q = hn::Mul(u, v);
    const V1 low = hn::Add(hn::MulSub(x, y, p), hn::MulSub(u, v, q));
    const V1 hi = hn::Add(p, q);
    const V1 part = hn::Sub(hi, p);
    const V1 rest = hn::Add(hn::Sub(p, hn::Sub(hi, part)), hn::Sub(q, part));  // hi + rest == p + q
    const V1 size = hn::Add(hn::Abs(p), hn::Abs(q));
    return {hi, hn::Add(rest, low), hn::Mul(size, hn::Set(D(), 0x1p-100))};
  }

  // Whether the rounding is sure. A zero keeps its sign, which adding +0 would lose.
  HWY_INLINE static M round_sum(const Sum& sum, V1& result) {
    const V1 zero = hn::Zero(D());
    const M is_zero = hn::And(hn::Eq(sum.hi, zero), hn::Eq(sum.lo, zero));
    const V1 below = hn::Add(sum.hi, hn::Sub(sum.lo, sum.error));
    const V1 above = hn::Add(sum.hi, hn::Add(sum.lo, sum.error));
    result = hn::IfThenElse(is_zero, sum.hi, below);
    return hn::Or(is_zero, hn::Eq(below, above));
  }

  // n / m, where m is positive and `inverse` is 1/m.hi, rounded.
  HWY_INLINE static M round_quotient(const Sum& n, const Sum& m, V1 inverse, V1& result) {
    const V1 zero = hn::Zero(D());
    const M is_zero = hn::And(hn::Eq(n.hi, zero), hn::Eq(n.lo, zero));
    const V1 top = hn::Add(n.hi, n.lo);  // cancellation may have left hi no larger than lo
    const V1 part = hn::Sub(top, n.hi);
    const V1 below = hn::Add(hn::Sub(n.hi, hn::Sub(top, part)), hn::Sub(n.lo, part));
    const V1 q = hn::Mul(top, inverse);
    const V1 rest = hn::NegMulAdd(q, m.lo, hn::Add(hn::NegMulAdd(q, m.hi, top), below));
    const V1 error = hn::MulAdd(hn::Abs(q), hn::Set(D(), 0x1p-97),
                                hn::Mul(hn::Mul(n.error, inverse), hn::Set(D(), 2.0)));
    const M sure = round_sum({q, hn::Mul(rest, inverse), error}, result);
    result = hn::IfThenElse(is_zero, n.hi, result);
    return hn::Or(is_zero, sure);
  }
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();
#endif  // one lane has no two halves

#endif  // include guard
