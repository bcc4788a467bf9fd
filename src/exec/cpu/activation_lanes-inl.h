// Estimates of activations for fp16, bf16 and fp32, in lanes of double.
#if defined(HADAMARD_EXEC_CPU_ACTIVATION_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_ACTIVATION_LANES_INL_H_
#undef HADAMARD_EXEC_CPU_ACTIVATION_LANES_INL_H_
#else
#define HADAMARD_EXEC_CPU_ACTIVATION_LANES_INL_H_
#endif

#include "exec/cpu/function_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// They promise what the others do: within 2^-46.
class ActivationLanes : public SingleEstimates {
 public:
  template <class Operator>
  HWY_INLINE static void bounds(const float* a, const float* b, float* low, float* high,
                                std::int64_t n, double margin) {
    SingleEstimates::bounds<Operator, ActivationLanes>(a, b, low, high, n, margin);
  }

  HWY_INLINE V elu(V a) const { return hn::IfThenElse(hn::Gt(a, set(0)), a, expm1(a)); }
  // Of infinities undecided.
  HWY_INLINE V softsign(V a) const { return hn::Div(a, hn::Add(set(1), hn::Abs(a))); }
  HWY_INLINE V stanh(V a) const { return hn::Mul(set(1.7159), tanh(hn::Mul(set(0.67), a))); }
  // From -120 down it is zero in all three types.
  HWY_INLINE V swish(V a) const {
    return hn::Div(at_least(a, -120), hn::Add(set(1), exp(hn::Neg(a))));
  }
  // max(a, 0) + log(1 + t), t = e^-|a|. What is near to 1 is taken to be 2 (1 + f), f = (t - 1)/2,
  // so that f and the result keep the precision of t.
  HWY_INLINE V softplus(V a) const {
    const V t = exp(hn::Neg(hn::Abs(a)));
    const M large = hn::Gt(t, set(0.4));
    const V f = hn::IfThenElse(large, hn::Mul(hn::Sub(t, set(1)), set(0.5)), t);
    const V l = hn::Add(hn::IfThenElseZero(large, set(kLog2)), log_of(f));
    return hn::Add(at_least(a, 0), l);
  }
  HWY_INLINE V logsigmoid(V a) const { return hn::Neg(softplus(hn::Neg(a))); }
  HWY_INLINE V soft_relu(V a) const { return softplus(at_least(at_most(a, 40), -40)); }
  // Below 2 as (x cosh x - sinh x) / cosh x: series of positive terms, which lose nothing. From 2
  // on the difference is above 1.
  HWY_INLINE V tanh_shrink(V a) const {
    const V x = hn::Abs(a), small = at_most(x, 2), z = hn::Mul(small, small);
    const V cube = hn::Mul(small, z);
    const V series = hn::Div(hn::Mul(cube, polynomial(kDifference, z)), polynomial(kCosh, z));
    const V result = hn::IfThenElse(hn::Lt(x, set(2)), series, hn::Sub(x, tanh(x)));
    return hn::CopySign(result, a);
  }

 private:
  // 2k / (2k+1)!, k from 1: for z <= 4 what is left out is below 2^-55.
  static constexpr double kDifference[] = {2.0 / 6,
                                           4.0 / 120,
                                           6.0 / 5040,
                                           8.0 / 362880,
                                           10.0 / 39916800,
                                           12.0 / 6227020800,
                                           14.0 / 1307674368000,
                                           16.0 / 355687428096000,
                                           18.0 / 121645100408832000,
                                           20.0 / 51090942171709440000.0,
                                           22.0 / 25852016738884976640000.0};
  // 1 / (2k)!, k from 0.
  static constexpr double kCosh[] = {1.0,
                                     1.0 / 2,
                                     1.0 / 24,
                                     1.0 / 720,
                                     1.0 / 40320,
                                     1.0 / 3628800,
                                     1.0 / 479001600,
                                     1.0 / 87178291200,
                                     1.0 / 20922789888000,
                                     1.0 / 6402373705728000,
                                     1.0 / 2432902008176640000,
                                     1.0 / 1124000727777607680000.0};
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
