#pragma once

#include "num/rational.hpp"
#include "op/opdef.hpp"
#include "op/pow.hpp"

namespace hadamard::op {

// Paddle's activation `pow`. (pow has the exponent as an operand, rounded to the element type.)
struct PowFactor {
  static constexpr OpNames names{
      .id = "pow_factor", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = "pow"};
  static constexpr std::string_view doc =
      "a to the power factor: correctly rounded. NaN for NaN, whatever the factor.";
  static constexpr Kinds kinds = kinds_of(Kind::floating);
  static constexpr AttributeInfo attributes[] = {{"factor", "1"}};

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.identity(a);
  }

  // A factor that is not exact is no whole number.
  template <class X>
  static X oracle_with(const X& a, const X& factor) {
    if (is_exact(factor)) return pow(a, factor);
    if (a < 0 && !isinf(a)) return sqrt(a);  // NaN
    if (a == 0 || isinf(a)) return pow(abs(a), factor > 0 ? X(1) : X(-1));
    const X exponent = factor * log2(a);
    if (exponent > -kBesideLimits || exponent < kBesideLimits) {  // infinity and 0 in every type
      return exp2(exponent > 0 ? X(-kBesideLimits) : X(kBesideLimits));
    }
    return pow(a, factor);
  }
  template <class F>
  static Estimated<F> estimate_with(F a, const AttributeValue& factor) {
    const F b = factor.as<F>();
    if (factor.is<F>()) {
      // In double of the smaller types; long double has too few bits to be rounded again.
      const F units = std::is_same_v<F, double> ? 0 : 16;
      if (const std::optional<F> result = Pow::one_operation(a, b)) return {*result, units};
    } else if (std::signbit(a) || a == 0) {
      return Estimated<F>::unknown();
    }
    const F exponent = std::fabs(b * (std::fabs(std::logb(a)) + 1));
    return {std::pow(a, b), 16 + 2 * std::fmin(exponent, F{-kBesideLimits})};
  }
  // 32^(1/5) is 2^1.
  static void simplify_with(double& a, Real& factor) {
    if (a > 0 && std::isfinite(a)) exact::take_exact_root(a, factor);
  }
};

}  // namespace hadamard::op
