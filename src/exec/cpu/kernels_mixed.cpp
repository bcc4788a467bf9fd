// Operators whose result has another type than their operands, or whose operands have two: parts of
// complex numbers, true quotients, integers that saturate.
#include <complex>
#include <cstdint>
#include <type_traits>

#include "base/float_env.hpp"
#include "exec/cpu/kernel_lookup.hpp"
#include "exec/cpu/line_element.hpp"
#include "num/complex.hpp"
#include "num/complex_functions.hpp"
#include "num/quotient.hpp"
#include "num/saturating.hpp"
#include "op/rounded.hpp"
#include "op/saturating_cast.hpp"

namespace hadamard::exec::cpu {
namespace {

// Computes with single elements, as they lie in lines.
struct MixedWorld {
  template <class F>
  F real(const std::complex<F>& a) const {
    return cx::canonical(a.real());
  }
  template <class F>
  F imag(const std::complex<F>& a) const {
    return cx::canonical(a.imag());
  }
  template <class F>
  std::complex<F> from_parts(F a, F b) const {
    return {cx::canonical(a), cx::canonical(b)};
  }
  template <class F>
  F complex_hypot(const std::complex<F>& a, const std::complex<F>& b) const {
    return cx::hypot(a, b);
  }
  template <class I>
  double true_div(I a, I b) const {
    return cx::canonical(true_quotient(a, b));
  }

  auto saturating_add(auto a, auto b) const { return saturating::add(a, b); }
  auto saturating_sub(auto a, auto b) const { return saturating::sub(a, b); }
  auto saturating_mul(auto a, auto b) const { return saturating::mul(a, b); }
  auto saturating_div(auto a, auto b) const { return saturating::div(a, b); }
  template <class A, class B>
  auto saturating_pow(A a, B b) const {
    if constexpr (std::is_same_v<A, B>) {
      return saturating::pow(a, b);
    } else {
      return saturating::pow(a, b, &op::rounded<op::Pow, double>);
    }
  }
};

// Whether long double is computed.
template <class Operator>
inline constexpr bool kIsExtended =
    std::is_same_v<op::Formula<Operator>,
                   op::Call<op::prim::ComplexHypot, op::Arg<0>, op::Arg<1>>> ||
    std::is_same_v<op::Formula<Operator>,
                   op::Call<op::prim::SaturatingPow, op::Arg<0>, op::Arg<1>>>;
struct AsItIs {
  AsItIs() {}  // NOLINT: as its alternative has one
};
template <class Operator>
using Precision = std::conditional_t<kIsExtended<Operator>, ScopedExtendedPrecision, AsItIs>;

// y = operator(a, b) of a line; `settle` makes an element of the output of the result.
template <class Operator, class A, class B, class Y, class F>
bool run_mixed(const Line& line, F settle) {
  const MixedWorld w;
  [[maybe_unused]] const Precision<Operator> precision;
  const auto* const a = static_cast<const A*>(line.a);
  const auto* const b = static_cast<const B*>(line.b);
  auto* const y = static_cast<Y*>(line.y);
  const auto run = [&](auto a_step, auto b_step) {
    const auto at = [&](std::int64_t i) -> Y {
      if constexpr (op::arity_of<Operator> == 1) {
        return settle(Operator::apply(w, a[i * a_step]));
      } else {
        return settle(Operator::apply(w, a[i * a_step], b[i * b_step]));
      }
    };
    // In pieces of a known length, which the compiler makes vectors of where it can.
    constexpr std::int64_t kPiece = 16;
    std::int64_t i = 0;
    for (; i + kPiece <= line.n; i += kPiece) {
      Y piece[kPiece];  // the output may be an operand
      for (std::int64_t k = 0; k < kPiece; ++k) piece[k] = at(i + k);
      for (std::int64_t k = 0; k < kPiece; ++k) y[i + k] = piece[k];
    }
    for (; i < line.n; ++i) y[i] = at(i);
  };
  constexpr std::integral_constant<std::int64_t, 1> along;
  if (!line.a_is_scalar && (op::arity_of<Operator> == 1 || !line.b_is_scalar)) {
    run(along, along);
  } else {
    run(std::int64_t{line.a_is_scalar ? 0 : 1}, std::int64_t{line.b_is_scalar ? 0 : 1});
  }
  return false;
}

template <class Operator, class T>
bool run_to_other(const Line& line) {
  using E = LineElement<T>;
  return run_mixed<Operator, E, E, op::ResultOf<Operator, T>>(line, [](auto y) { return y; });
}

// The result has T; an operand that has not is fp64.
template <class Operator, class T, class A, class B>
bool run_saturating(const Line& line) {
  return run_mixed<Operator, LineElement<A>, LineElement<B>, LineElement<T>>(line, [](auto y) {
    if constexpr (is_packed<T>) {
      return op::SaturatingCast::clamped<T>(y).value;
    } else {
      return y;
    }
  });
}

template <class Operator>
inline constexpr bool kHasOtherResult = op::type_rule_of<Operator>() == op::TypeRule::to_part
                                        || op::type_rule_of<Operator>() == op::TypeRule::from_parts
                                        || op::type_rule_of<Operator>() == op::TypeRule::to_fp64;

}  // namespace

const KernelSet* mixed_kernels() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = "any";
    for (const Op op : op::kAllOps) {
      op::with_op(op, [&](auto o) {
        for (int t = 0; t < kTypeCount; ++t) {
          with_type(static_cast<DType>(t), [&](auto type) {
            using Operator = typename decltype(o)::type;
            using T = typename decltype(type)::type;
            if constexpr (kHasOtherResult<Operator> && op::defined_for<Operator, T> &&
                          !op::is_composed<Operator>) {
              Kernel(&slot)[2] = s.kernels[static_cast<std::size_t>(op)][t];
              slot[0] = slot[1] = &run_to_other<Operator, T>;
            }
          });
        }
      });
    }
    return s;
  }();
  return &set;
}

Kernel saturating_kernel(Op op, DType a, DType b, DType y) {
  return op::with_op(op, [&](auto o) {
    return with_type(y, [&](auto t) -> Kernel {
      using Operator = typename decltype(o)::type;
      using T = typename decltype(t)::type;
      if constexpr (op::type_rule_of<Operator>() == op::TypeRule::saturating &&
                    op::defined_for<Operator, T>) {
        if (a != y) return &run_saturating<Operator, T, double, T>;
        if (b != y) return &run_saturating<Operator, T, T, double>;
        return &run_saturating<Operator, T, T, T>;
      } else {
        return nullptr;
      }
    });
  });
}

}  // namespace hadamard::exec::cpu
