// Estimates of elementary functions for fp16, bf16 and fp32, in lanes of double.
#if defined(HADAMARD_EXEC_CPU_FUNCTION_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTION_LANES_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTION_LANES_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTION_LANES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "exec/cpu/simd_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// What both kinds of estimates are made of. Nothing here depends on a fused multiply-add: where
// there is none, MulAdd rounds twice, and the bounds count both.
class FunctionLanes {
 public:
  using D = hn::ScalableTag<double>;
  using V = hn::Vec<D>;
  using DU = hn::RebindToUnsigned<D>;
  using DI = hn::RebindToSigned<D>;
  using U = hn::Vec<DU>;
  using M = hn::Mask<D>;

 protected:
  HWY_INLINE static V set(double x) { return hn::Set(D(), x); }
  HWY_INLINE static U set_bits(std::uint64_t x) { return hn::Set(DU(), x); }
  HWY_INLINE static U bits(V x) { return hn::BitCast(DU(), x); }
  HWY_INLINE static V from_bits(U x) { return hn::BitCast(D(), x); }
  HWY_INLINE static V undecided() { return set(std::numeric_limits<double>::quiet_NaN()); }
  HWY_INLINE static V undecided_unless(M decided, V x) {
    return hn::IfThenElse(decided, x, undecided());
  }
  // NaN stays.
  HWY_INLINE static V at_most(V x, double limit) {
    return hn::IfThenElse(hn::Gt(x, set(limit)), set(limit), x);
  }
  HWY_INLINE static V at_least(V x, double limit) {
    return hn::IfThenElse(hn::Lt(x, set(limit)), set(limit), x);
  }
  // Lowest power first. By halves, which depend less on each other than one power after the other.
  template <std::size_t n>
  HWY_INLINE static V polynomial(const double (&c)[n], V x) {
    static_assert(n <= 16);
    const V x2 = hn::Mul(x, x), x4 = hn::Mul(x2, x2);
    return part<0, n>(c, x, x2, x4, hn::Mul(x4, x4));
  }
  template <std::size_t begin, std::size_t count, std::size_t n>
  HWY_INLINE static V part(const double (&c)[n], V x, V x2, V x4, V x8) {
    if constexpr (count == 1) {
      return set(c[begin]);
    } else {
      constexpr std::size_t half = count > 8 ? 8 : count > 4 ? 4 : count > 2 ? 2 : 1;
      const V power = half == 8 ? x8 : half == 4 ? x4 : half == 2 ? x2 : x;
      return hn::MulAdd(part<begin + half, count - half>(c, x, x2, x4, x8), power,
                        part<begin, half>(c, x, x2, x4, x8));
    }
  }

  // Rounds to an integer by adding this: then the integer stands in the lowest bits of the sum.
  // For numbers below 2^51.
  static constexpr double kToInteger = 0x1.8p52;
  HWY_INLINE static V integer_of(V sum) { return hn::Sub(sum, set(kToInteger)); }
  // 2^n, where n stands in the lowest bits of `sum`; -1022 <= n <= 1023.
  HWY_INLINE static V power_of_two(U sum) {
    return from_bits(hn::Add(hn::ShiftLeft<52>(sum), bits(set(1.0))));
  }

  // Powers that are one operation: y is 2, 1 or -1.
  HWY_INLINE static M is_one_operation(V y) {
    return hn::Or(hn::Eq(y, set(2)), hn::Eq(hn::Abs(y), set(1)));
  }
  HWY_INLINE static V one_operation(V x, V y) {
    const V other = hn::IfThenElse(hn::Eq(y, set(1)), x, hn::Div(set(1), x));
    return hn::IfThenElse(hn::Eq(y, set(2)), hn::Mul(x, x), other);
  }
  // Does x^y follow from |x|^y, and with which sign bit? Of negative x where y is whole; from 2^51
  // on that is not looked at.
  HWY_INLINE static M has_power(V x, V y) {
    const M whole = hn::Eq(integer_of(hn::Add(y, set(kToInteger))), y);
    return hn::Or(hn::Gt(x, set(0)), hn::And(whole, hn::Le(hn::Abs(y), set(0x1p51))));
  }
  HWY_INLINE static V sign_of_power(V x, V y) {
    const U odd = hn::ShiftLeft<63>(bits(hn::Add(y, set(kToInteger))));
    return hn::And(x, from_bits(odd));
  }

  // x = 2^exponent * significand, of a positive normal x; the significand is in [0.707, 1.414).
  struct Parts {
    V exponent;
    V significand;
    U above;  // the significand's bits above those of the least one
  };
  HWY_INLINE static Parts parts_of(V x) {
    constexpr std::uint64_t kLeast = 0x3FE6A00000000000, kMantissa = (std::uint64_t{1} << 52) - 1;
    constexpr std::uint64_t kOne = 0x3FF0000000000000, kTwo52 = 0x4330000000000000;
    const U moved = hn::Add(bits(x), set_bits(kOne - kLeast));  // exponent + 1023 on top
    const V biased = from_bits(hn::Or(hn::ShiftRight<52>(moved), set_bits(kTwo52)));
    const U above = hn::And(moved, set_bits(kMantissa));
    return {hn::Sub(biased, set(0x1p52 + 1023)), from_bits(hn::Add(above, set_bits(kLeast))),
            above};
  }
};

// What the estimates for fp16, bf16 and fp32 are made of. Operands are numbers of at most 24 bits,
// as double.
class SingleParts : public FunctionLanes {
 public:
  // How far an estimate may be from the true value, as a share of it. The polynomials (made by
  // tools/minimax.py, which says their errors) are within 2^-49.4, and what is rounded on the way
  // adds less than 2^-48.
  static constexpr double kPromise = 0x1p-46;

 protected:
  static constexpr double kLog2 = 0x1.62e42fefa39efp-1;

  // e^120 and e^-120 are infinity and zero of all three types.
  HWY_INLINE static V within(V a) { return at_least(at_most(a, 120), -120); }

  // e^x = scale * (1 + rest), scale = 2^n, rest = e^r - 1, |r| <= log(2) / 2. n has 8 bits and the
  // first part of log(2) 44, so that their product and its distance from x are exact.
  struct Power {
    V scale;
    V rest;
  };
  HWY_INLINE static Power power_of_e(V x) {
    const V sum = hn::MulAdd(x, set(0x1.71547652b82fep+0), set(kToInteger));
    const V n = integer_of(sum);
    V r = hn::NegMulAdd(n, set(0x1.62e42fefa3a00p-1), x);
    r = hn::NegMulAdd(n, set(-0x1.0ca86c3898d00p-49), r);
    return {power_of_two(bits(sum)), hn::Mul(r, polynomial(kExpm1, r))};
  }
  // Nothing cancels: where n is not 0, |e^x - 1| is above 0.29.
  HWY_INLINE static V minus_one(V x) {
    const Power e = power_of_e(x);
    return hn::MulAdd(e.rest, e.scale, hn::Sub(e.scale, set(1)));
  }

  // log(1 + f) = 2 atanh(s), s = f / (2 + f), |s| <= 0.1716.
  HWY_INLINE static V log_of(V f) {
    const V s = hn::Div(f, hn::Add(f, set(2)));
    const V z = hn::Mul(s, s);
    return hn::MulAdd(hn::Mul(s, z), polynomial(kLog, z), hn::Add(s, s));
  }
  HWY_INLINE static V positive(V x, V result) {
    const V infinity = set(std::numeric_limits<double>::infinity());
    return undecided_unless(hn::And(hn::Gt(x, set(0)), hn::Lt(x, infinity)), result);
  }

  // sin(a + quarters * pi/2). n has 20 bits, the first parts of pi/2 have 33: products and the
  // first difference are exact. No number of 24 bits below 2^20 comes nearer to a multiple of pi/2
  // than 2^-35, so that the two roundings that follow are relative to what is left.
  HWY_INLINE static V sine_of_turned(V a, std::uint64_t quarters) {
    const V sum = hn::MulAdd(a, set(0x1.45f306dc9c883p-1), set(kToInteger));
    const V n = integer_of(sum);
    V r = hn::NegMulAdd(n, set(0x1.921fb54400000p+0), a);
    r = hn::NegMulAdd(n, set(0x1.0b4611a600000p-34), r);
    r = hn::NegMulAdd(n, set(0x1.3198a2e037073p-69), r);
    const V z = hn::Mul(r, r);
    const V sine = hn::MulAdd(hn::Mul(r, z), polynomial(kSin, z), r);
    const V cosine = hn::MulAdd(z, polynomial(kCos, z), set(1));
    const U turned = hn::Add(bits(sum), set_bits(quarters));
    const M even = hn::RebindMask(D(), hn::Eq(hn::And(turned, set_bits(1)), set_bits(0)));
    const U sign = hn::ShiftLeft<62>(hn::And(turned, set_bits(2)));
    const V result = from_bits(hn::Xor(bits(hn::IfThenElse(even, sine, cosine)), sign));
    return undecided_unless(hn::Le(hn::Abs(a), set(0x1p20)), result);
  }

  // (e^r - 1) / r for |r| <= log(2) / 2: within 2^-49.4 of its size.
  static constexpr double kExpm1[] = {
      0x1.0000000000005p+0,  0x1.fffffffffffb0p-2,  0x1.5555555550e36p-3,  0x1.5555555565b7ap-5,
      0x1.11111123a2c4ap-7,  0x1.6c16c13573fe7p-10, 0x1.a0199526a3b7dp-13, 0x1.a01a7374495d6p-16,
      0x1.72e0a58c5eaebp-19, 0x1.27e4f12aaa50ap-22};
  // (2 atanh(s) - 2s) / s^3 of z = s^2: within 2^-52.2 of 2s, once multiplied by s^3.
  static constexpr double kLog[] = {0x1.5555555553960p-1, 0x1.999999a294ae9p-2,
                                    0x1.24924176dfc4ap-2, 0x1.c722789484b7fp-3,
                                    0x1.732c1493db14ap-3, 0x1.5878574a12b0ap-3};
  // (sin r - r) / r^3 of z = r^2, |r| <= pi/4: within 2^-57.3 of r, once multiplied by r^3.
  static constexpr double kSin[] = {-0x1.5555555555549p-3,  0x1.111111110f881p-7,
                                    -0x1.a01a019c126c1p-13, 0x1.71de357875393p-19,
                                    -0x1.ae5e66d5886a6p-26, 0x1.5d932f773d084p-33};
  // (cos r - 1) / z of z = r^2: within 2^-53.8, once multiplied by z.
  static constexpr double kCos[] = {-0x1.fffffffffffa3p-2,  0x1.555555554f952p-5,
                                    -0x1.6c16c1648a937p-10, 0x1.a019f8841505cp-16,
                                    -0x1.27df6c047be1ap-22, 0x1.1b95fdf59184ep-29};
};

// The estimate of an operator: `value` of one or two operands, within kPromise of the true value;
// NaN where it does not decide: special values, operands out of reach. Those that there are stand
// in functions/.
template <class Operator>
struct SingleFunction;

struct SingleEstimates {
  template <class Operator>
  using Function = SingleFunction<Operator>;
  using D = FunctionLanes::D;
  using V = FunctionLanes::V;

  template <class Operator>
  HWY_NOINLINE static void bounds(const float* a, const float* b, float* low, float* high,
                                  std::int64_t n, double margin) {
    const hn::Rebind<float, D> df;
    margin = std::max(margin, 4 * SingleFunction<Operator>::kPromise);
    const V below = hn::Set(D(), 1 - margin), above = hn::Set(D(), 1 + margin);
    for (std::int64_t i = 0; i < n; i += static_cast<std::int64_t>(hn::Lanes(D()))) {
      const V x = hn::PromoteTo(D(), hn::LoadU(df, a + i));
      const V z = hn::PromoteTo(D(), hn::LoadU(df, b + i));
      const V v = value<Operator>(x, z);
      hn::StoreU(to_float(hn::Mul(v, below)), df, low + i);
      hn::StoreU(to_float(hn::Mul(v, above)), df, high + i);
    }
  }

  template <class Operator>
  HWY_INLINE static V value(V a, [[maybe_unused]] V b) {
    if constexpr (op::arity_of<Operator> == 2) {
      return SingleFunction<Operator>::value(a, b);
    } else {
      return SingleFunction<Operator>::value(a);
    }
  }

 private:
  HWY_INLINE static hn::Vec<hn::Rebind<float, D>> to_float(V v) {
    const hn::Rebind<float, D> df;
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(df, static_cast<float>(hn::GetLane(v)));  // Highway's has no infinity
#else
    return hn::DemoteTo(df, v);
#endif
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
