// Comparisons, where, logical operators, isnan and its like, fma: elements of every type, in loops
// that the compiler makes vectors of.
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "exec/cpu/kernel.hpp"
#include "exec/cpu/line_element.hpp"
#include "op/cast.hpp"
#include "op/saturating_cast.hpp"

namespace hadamard::exec::cpu {
namespace {

template <class T>
constexpr Kind kKind = Element<T>::kKind;

// Computes with single elements, as they lie in lines.
template <class T>
struct SelectionArithmetic {
  using V = LineElement<T>;
  using B = std::uint8_t;  // a truth value

  // What is compared: a half as a float, a bool as 0 or 1.
  static auto comparable(const V& a) {
    if constexpr (kKind<T> == Kind::floating && std::is_class_v<T>) {
      return static_cast<float>(static_cast<double>(a));
    } else if constexpr (kKind<T> == Kind::boolean) {
      return static_cast<B>(a != 0);
    } else if constexpr (std::is_class_v<V>) {
      return std::cref(a);
    } else {
      return a;
    }
  }
  template <class X>
  static const X& bare(const std::reference_wrapper<const X>& x) {
    return x.get();
  }
  template <class X>
  static const X& bare(const X& x) {
    return x;
  }
  B eq(const V& a, const V& b) const { return bare(comparable(a)) == bare(comparable(b)) ? 1 : 0; }
  B lt(const V& a, const V& b) const { return bare(comparable(a)) < bare(comparable(b)) ? 1 : 0; }
  B le(const V& a, const V& b) const { return bare(comparable(a)) <= bare(comparable(b)) ? 1 : 0; }
  B logical_and(B a, B b) const { return static_cast<B>((a != 0) & (b != 0)); }
  B logical_or(B a, B b) const { return static_cast<B>((a | b) != 0); }
  B logical_xor(B a, B b) const { return static_cast<B>((a != 0) != (b != 0)); }
  B logical_not(B a) const { return a == 0 ? 1 : 0; }

  B isnan(const V& a) const {
    return some_part(a, [](auto x) { return x != x; });
  }
  B isinf(const V& a) const {
    return some_part(a, [](auto x) { return std::fabs(x) == kInfinity<decltype(x)>; });
  }
  B isfinite(const V& a) const {
    return some_part(a, [](auto x) { return !(std::fabs(x) < kInfinity<decltype(x)>); }) == 0;
  }
  V select(B condition, const V& a, const V& b) const { return canonical(condition != 0 ? a : b); }
  V fma(const V& a, const V& b, const V& c) const {
    if constexpr (std::is_same_v<T, float>) {
      return canonical(std::fma(a, b, c));
    } else if constexpr (std::is_same_v<T, double>) {
      return canonical(std::fma(a, b, c));
    } else if constexpr (kKind<T> == Kind::floating) {
      return V(fma_to_odd(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
    } else if constexpr (kKind<T> == Kind::exact) {
      return a * b + c;
    } else {
      const auto wide = static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b) +
                        static_cast<std::uint64_t>(c);
      if constexpr (is_packed<T>) {
        return T(static_cast<std::int64_t>(wide & 15)).value;
      } else {
        return static_cast<V>(wide);
      }
    }
  }

 private:
  template <class F>
  static constexpr F kInfinity = std::numeric_limits<F>::infinity();

  template <class F>
  static B some_part(const V& a, F f) {
    if constexpr (kKind<T> == Kind::complex) {
      return f(a.real()) || f(a.imag()) ? 1 : 0;
    } else {
      return static_cast<B>(f(comparable(a)));
    }
  }
  template <class F>
  static F canonical_float(F x) {
    return x != x ? std::numeric_limits<F>::quiet_NaN() : x;
  }
  static V canonical(const V& x) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      return canonical_float(x);
    } else if constexpr (kKind<T> == Kind::floating) {
      using Bits = typename Element<T>::Bits;
      constexpr FloatFormat kFormat = Element<T>::kFormat;
      constexpr auto kSize = static_cast<Bits>(kFormat.sign_bit() - 1);
      constexpr auto kNan = static_cast<Bits>(kFormat.canonical_nan());
      return (x.bits & kSize) > kFormat.infinity() ? V::from_bits(kNan) : x;
    } else if constexpr (kKind<T> == Kind::complex) {
      return {canonical_float(x.real()), canonical_float(x.imag())};
    } else if constexpr (kKind<T> == Kind::boolean) {
      return x != 0 ? 1 : 0;
    } else {
      return x;
    }
  }
  // a b + c in double, what is lost of the sum gathered in its last bit, so that rounding it to a
  // half is as rounding the exact value: the product is exact (22 bits at most), and 53 bits to odd
  // are more than the half's 11 and 2.
  static double fma_to_odd(double a, double b, double c) {
    const double product = a * b;
    const double sum = product + c;
    const double c_part = sum - product;
    const double lost = (product - (sum - c_part)) + (c - c_part);
    if (!(lost != 0) || !std::isfinite(sum)) return sum;  // exact, or NaN and infinities
    std::uint64_t bits = 0;
    std::memcpy(&bits, &sum, sizeof bits);
    if ((bits & 1) != 0) return sum;
    // Towards what was lost: one step in size, up where it has the sum's sign.
    bits += (lost > 0) == (sum > 0) ? 1 : -std::uint64_t{1};
    double odd = 0;
    std::memcpy(&odd, &bits, sizeof odd);
    return odd;
  }
};

template <class Operator, class T>
using ResultLine = std::conditional_t<op::type_rule_of<Operator>() == op::TypeRule::to_bool,
                                      std::uint8_t, LineElement<T>>;
template <class Operator, class T>
using FirstLine = std::conditional_t<op::type_rule_of<Operator>() == op::TypeRule::select,
                                     std::uint8_t, LineElement<T>>;

// f(i) for the elements of a line, in pieces of a known length.
template <class Y, class F>
void for_line(Y* y, std::int64_t n, F f) {
  constexpr std::int64_t kPiece = 16;
  std::int64_t i = 0;
  for (; i + kPiece <= n; i += kPiece) {
    Y piece[kPiece];  // the output may be an operand
    for (std::int64_t k = 0; k < kPiece; ++k) piece[k] = f(i + k);
    for (std::int64_t k = 0; k < kPiece; ++k) y[i + k] = piece[k];
  }
  for (; i < n; ++i) y[i] = f(i);
}

template <class Operator, class T>
bool run_selection(const Line& line) {
  const SelectionArithmetic<T> w;
  const auto* a = static_cast<const FirstLine<Operator, T>*>(line.a);
  const auto* b = static_cast<const LineElement<T>*>(line.b);
  const auto* c = static_cast<const LineElement<T>*>(line.c);
  auto* y = static_cast<ResultLine<Operator, T>*>(line.y);
  const auto run = [&](auto a_step, auto b_step, auto c_step) {
    for_line(y, line.n, [&](std::int64_t i) -> ResultLine<Operator, T> {
      if constexpr (op::arity_of<Operator> == 3) {
        return Operator::apply(w, a[i * a_step], b[i * b_step], c[i * c_step]);
      } else if constexpr (op::arity_of<Operator> == 2) {
        return Operator::apply(w, a[i * a_step], b[i * b_step]);
      } else {
        return Operator::apply(w, a[i * a_step]);
      }
    });
  };
  constexpr std::integral_constant<std::int64_t, 1> along;
  constexpr std::integral_constant<std::int64_t, 0> still;
  if constexpr (op::arity_of<Operator> == 1) {
    run(along, along, along);
  } else if constexpr (op::arity_of<Operator> == 2) {
    if (line.a_is_scalar) {
      run(still, along, along);
    } else if (line.b_is_scalar) {
      run(along, still, along);
    } else {
      run(along, along, along);
    }
  } else if (!line.a_is_scalar && !line.b_is_scalar && !line.c_is_scalar) {
    run(along, along, along);
  } else {
    run(std::int64_t{line.a_is_scalar ? 0 : 1}, std::int64_t{line.b_is_scalar ? 0 : 1},
        std::int64_t{line.c_is_scalar ? 0 : 1});
  }
  return false;
}

// Whether the arithmetic has all that an operator asks for.
template <class Operator, class T>
inline constexpr bool kSelects =
    op::type_rule_of<Operator>() == op::TypeRule::to_bool
    || op::type_rule_of<Operator>() == op::TypeRule::select ||
    std::is_same_v<op::Formula<Operator>,
                   op::Call<op::prim::Fma, op::Arg<0>, op::Arg<1>, op::Arg<2>>> ||
    op::kinds_for<Operator>() == op::kinds_of(Kind::boolean);

// To a type that the node names.
template <class To>
struct Conversion {
  To convert(const auto& a) const { return op::Cast::convert<To>(a); }
  To saturating_convert(const auto& a) const { return op::SaturatingCast::convert<To>(a); }
};

template <class Operator, class To, class From>
LineElement<To> converted(const LineElement<From>& a) {
  const auto from = [&] {
    if constexpr (std::is_same_v<From, bool>) {
      return a != 0;
    } else {
      return From(a);
    }
  }();
  if constexpr (is_packed<To>) {
    return Operator::apply(Conversion<To>{}, from).value;
  } else {
    return Operator::apply(Conversion<To>{}, from);
  }
}

template <class Operator, class To, class From>
bool run_conversion(const Line& line) {
  const auto* a = static_cast<const LineElement<From>*>(line.a);
  auto* y = static_cast<LineElement<To>*>(line.y);
  if constexpr (Operator::template kNeedsFinite<To, From>) {
    for (std::int64_t i = 0; i < line.n; ++i) {
      if (!std::isfinite(static_cast<double>(a[i]))) return true;
    }
  }
  for_line(y, line.n, [&](std::int64_t i) { return converted<Operator, To, From>(a[i]); });
  return false;
}

}  // namespace

const KernelSet* selection_kernels() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = "any";
    for (const Op op : op::kAllOps) {
      op::with_op(op, [&](auto o) {
        for (int t = 0; t < kTypeCount; ++t) {
          with_type(static_cast<DType>(t), [&](auto type) {
            using Operator = typename decltype(o)::type;
            using T = typename decltype(type)::type;
            if constexpr (op::defined_for<Operator, T> && kSelects<Operator, T>) {
              Kernel(&slot)[2] = s.kernels[static_cast<std::size_t>(op)][t];
              slot[0] = slot[1] = &run_selection<Operator, T>;
            }
          });
        }
      });
    }
    return s;
  }();
  return &set;
}

namespace {

template <class Operator>
Kernel conversion_of(DType from, DType to) {
  return with_type(from, [&](auto f) {
    return with_type(to, [&](auto t) -> Kernel {
      using From = typename decltype(f)::type;
      using To = typename decltype(t)::type;
      if constexpr (Operator::template kDefined<To, From>) {
        return &run_conversion<Operator, To, From>;
      } else {
        return nullptr;
      }
    });
  });
}

}  // namespace

Kernel conversion_kernel(Op op, DType from, DType to) {
  return op::with_op(op, [&](auto o) -> Kernel {
    using Operator = typename decltype(o)::type;
    if constexpr (op::type_rule_of<Operator>() == op::TypeRule::convert) {
      return conversion_of<Operator>(from, to);
    } else {
      return nullptr;
    }
  });
}

}  // namespace hadamard::exec::cpu
