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

// Both parts alike, as they lie: all that sums and differences need.
template <class F>
class ComplexSumWorld : public OneVector<ComplexSumWorld<F>, hn::ScalableTag<F>> {
 public:
  using Storage = std::complex<F>;
  using D = hn::ScalableTag<F>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kMaxLanes = hn::MaxLanes(D()) / 2;

  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(D()) / 2); }
  static Storage filler() { return {F{1}, F{0}}; }
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

// Floats in double, both parts as they lie. The four products are exact; where a sum, a norm and a
// quotient are rounded, each is off by half a unit in the last of its 53 places, whatever cancels.
class Complex64World : public OneVector<Complex64World, hn::ScalableTag<float>> {
 public:
  using Storage = std::complex<float>;
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  using DH = hn::Half<D>;
  using DD = hn::Rebind<double, DH>;
  using Stage = hn::Vec<DD>;  // of one half of V
  static constexpr std::size_t kMaxLanes = hn::MaxLanes(D()) / 2;

  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(D()) / 2); }
  static Storage filler() { return {1.0F, 0.0F}; }
  static const float* raw(const Storage* p) { return reinterpret_cast<const float*>(p); }
  static float* raw(Storage* p) { return reinterpret_cast<float*>(p); }
  HWY_INLINE V splat(Storage x) const {
    return hn::OddEven(hn::Set(D(), x.imag()), hn::Set(D(), x.real()));
  }
  HWY_INLINE V unpack(V v) const { return v; }
  HWY_INLINE V pack(V v) const { return v; }
  HWY_INLINE V settle(V v) const { return v; }
  HWY_INLINE V add(V a, V b) const { return canonical(hn::Add(a, b)); }
  HWY_INLINE V sub(V a, V b) const { return canonical(hn::Sub(a, b)); }
  HWY_INLINE V mul(V a, V b) const {
    return rounded(a, b, product(lower_of(a), lower_of(b)), product(upper_of(a), upper_of(b)),
                   &scalar_mul);
  }
  HWY_INLINE V div(V a, V b) const {
    return rounded(a, b, quotient(lower_of(a), lower_of(b)), quotient(upper_of(a), upper_of(b)),
                   &scalar_div);
  }

  template <class Operator>
  static constexpr bool kStaged = op::is_product<Operator> || op::is_quotient<Operator>;
  template <class Operator>
  HWY_INLINE void begin(V a, V b, Stage& lower, Stage& upper) const {
    if constexpr (op::is_quotient<Operator>) {
      lower = quotient(lower_of(a), lower_of(b));
      upper = quotient(upper_of(a), upper_of(b));
    } else {
      lower = product(lower_of(a), lower_of(b));
      upper = product(upper_of(a), upper_of(b));
    }
  }
  template <class Operator>
  HWY_INLINE V finish(V a, V b, const Stage& lower, const Stage& upper) const {
    return rounded(a, b, lower, upper, op::is_quotient<Operator> ? &scalar_div : &scalar_mul);
  }
  template <class Operator>
  static constexpr bool kHeavy = true;
  bool zero_divisor() const { return false; }

 private:
  static Storage scalar_mul(Storage a, Storage b) { return cx::mul(a, b); }
  static Storage scalar_div(Storage a, Storage b) { return cx::div(a, b); }

  HWY_INLINE static V canonical(V v) {
    return hn::IfThenElse(hn::IsNaN(v), hn::Set(D(), std::numeric_limits<float>::quiet_NaN()), v);
  }
  HWY_INLINE static Stage lower_of(V v) { return hn::PromoteTo(DD(), hn::LowerHalf(DH(), v)); }
  HWY_INLINE static Stage upper_of(V v) { return hn::PromoteTo(DD(), hn::UpperHalf(DH(), v)); }
  HWY_INLINE static Stage signs(double even, double odd) {
    return hn::OddEven(hn::Set(DD(), odd), hn::Set(DD(), even));
  }

  // re: x.re y.re - x.im y.im, im: x.im y.re + x.re y.im.
  HWY_INLINE static Stage product(Stage x, Stage y) {
    const Stage crossed = hn::Mul(hn::Shuffle01(x), hn::DupOdd(y));
    return hn::MulAdd(x, hn::DupEven(y), hn::Xor(crossed, signs(-0.0, 0.0)));
  }
  // re: (x.re y.re + x.im y.im) / |y|^2, im: (x.im y.re - x.re y.im) / |y|^2. A real divisor
  // divides part by part: adding -0 changes nothing, and x y.re / y.re^2 is x / y.re, rounded once.
  HWY_INLINE static Stage quotient(Stage x, Stage y) {
    const Stage re = hn::DupEven(y);
    const Stage im = hn::DupOdd(y);
    const Stage crossed = hn::Xor(hn::Mul(hn::Shuffle01(x), im), signs(0.0, -0.0));
    const Stage added = hn::IfThenElse(hn::Eq(im, hn::Zero(DD())), hn::Set(DD(), -0.0), crossed);
    return hn::Div(hn::MulAdd(x, re, added), hn::MulAdd(re, re, hn::Mul(im, im)));
  }

  // Parts that are off by less than their size times 2^-51, to float: where both ends of a somewhat
  // wider interval become the same finite number, so does what is in it.
  template <class Scalar>
  HWY_INLINE static V rounded(V a, V b, Stage lower, Stage upper, Scalar scalar) {
    const V low = narrowed(lower, upper, 1 - 0x1p-50);
    const V high = narrowed(lower, upper, 1 + 0x1p-50);
    // The difference of infinities is NaN: those have rules of their own.
    const auto sure = hn::Eq(hn::Sub(high, low), hn::Zero(D()));
    if (HWY_LIKELY(hn::AllTrue(D(), sure))) return low;
    return one_by_one(a, b, hn::VecFromMask(D(), sure), low, scalar);
  }
  HWY_INLINE static V narrowed(Stage lower, Stage upper, double factor) {
    const Stage f = hn::Set(DD(), factor);
    return hn::Combine(D(), hn::DemoteTo(DH(), hn::Mul(upper, f)),
                       hn::DemoteTo(DH(), hn::Mul(lower, f)));
  }
  // `result`, with the numbers that are not sure computed by `scalar`.
  template <class Scalar>
  HWY_NOINLINE static V one_by_one(V a, V b, V sure, V result, Scalar scalar) {
    const D d;
    HWY_ALIGN float as[2 * kMaxLanes], bs[2 * kMaxLanes], ys[2 * kMaxLanes], ok[2 * kMaxLanes];
    hn::Store(a, d, as);
    hn::Store(b, d, bs);
    hn::Store(result, d, ys);
    hn::Store(hn::And(sure, hn::Set(d, 1.0F)), d, ok);
    for (std::size_t i = 0; i < hn::Lanes(d); i += 2) {
      if (ok[i] != 0 && ok[i + 1] != 0) continue;
      const Storage z = scalar(Storage(as[i], as[i + 1]), Storage(bs[i], bs[i + 1]));
      ys[i] = z.real();
      ys[i + 1] = z.imag();
    }
    return hn::Load(d, ys);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();
#endif  // one lane has no two halves

#endif  // include guard
