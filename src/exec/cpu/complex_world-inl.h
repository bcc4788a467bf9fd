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

#include "exec/cpu/run_kernel-inl.h"
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
  // Parts that are off by less than their size times 2^-51, to float: where both ends of a somewhat
  // wider interval become the same finite number, so does what is in it.
  template <class Scalar>
  HWY_INLINE static V rounded(hn::Vec<DD> re, hn::Vec<DD> im, const V& a, const V& b,
                              Scalar scalar) {
    const D d;
    const auto less = hn::Set(DD(), 1 - 0x1p-50);
    const auto more = hn::Set(DD(), 1 + 0x1p-50);
    const V low{hn::DemoteTo(d, hn::Mul(re, less)), hn::DemoteTo(d, hn::Mul(im, less))};
    const V high{hn::DemoteTo(d, hn::Mul(re, more)), hn::DemoteTo(d, hn::Mul(im, more))};
    // The difference of infinities is NaN: those have rules of their own.
    const auto doubt = hn::Or(hn::Sub(high.re, low.re), hn::Sub(high.im, low.im));
    const auto sure = hn::Eq(doubt, hn::Zero(d));
    return settled(a, b, sure, low, scalar);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();
#endif  // one lane has no two halves

#endif  // include guard
