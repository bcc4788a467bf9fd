// The element-wise functions. Those with one operand are the operator list's, under its MATLAB
// names.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hadamard/hadamard.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/elements.hpp"
#include "matlab/functions.hpp"
#include "op/ops.hpp"

namespace hadamard::matlab {
namespace {

using Result = std::optional<Value>;

template <Op op>
Result of_one(Workspace& workspace, Arguments a) {
  return function_of_one(op, a[0], {.room = workspace.rules.room});
}

template <Operator op>
Result operator_function(Workspace& workspace, Arguments a) {
  return binary(op, a[0], a[1], workspace.rules);
}

template <Operator op>
Result unary_function(Workspace& workspace, Arguments a) {
  return unary(op, a[0], workspace.rules);
}

// Operators of the list with two operands that are no operators of the language.
template <Op op>
Result of_two(Workspace& workspace, Arguments a) {
  return function_of_two(op, a[0], a[1], workspace.rules);
}

// x 2^n, rounded once; n is whole.
template <class T>
T scaled(T x, double n) {
  return std::scalbn(x, static_cast<int>(std::clamp(n, -5000.0, 5000.0)));
}

// pow2(E) is 2.^E, pow2(F, E) F .* 2.^E. The whole part of E only moves the exponent of the
// product: F .* 2.^E may be a number where 2.^E is none.
Result pow2(Workspace& workspace, Arguments a) {
  const Rules& rules = workspace.rules;
  if (a.size() == 1) return function_of_one(Op::exp2, a[0], {.room = rules.room});
  const bool is_plain =
      is_float(a[0].cls()) && is_float(a[1].cls()) && !a[0].is_complex() && !a[1].is_complex();
  if (!is_plain) {
    const Value power = function_of_one(Op::exp2, a[1], {.room = rules.room});
    return binary(Operator::times, a[0], power, rules);
  }
  const Value e = convert(a[1], Class::double_);
  rules.room.require(e.size(), DType::fp64, 2);
  Tensor whole = uninitialized(DType::fp64, e.size()), rest = uninitialized(DType::fp64, e.size());
  for_each(e.numel(), data_of<double>(e), data_of<double>(whole),
           [](double x) { return std::isfinite(x) ? std::trunc(x) : 0; });
  for_each(e.numel(), data_of<double>(e), data_of<double>(rest),
           [](double x) { return std::isfinite(x) ? x - std::trunc(x) : x; });
  const Value factor = function_of_one(
      Op::exp2, convert(Value(Class::double_, std::move(rest), a[1].residency()), a[1].cls()));
  const Value product = binary(Operator::times, a[0], factor, rules);
  const Dims& size = product.size();
  Tensor y = uninitialized(product.elements().dtype(), size);
  with_real_type(y.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_floating_point_v<T>) {
      for_expanded(size, e.size(), size, data_of<T>(product), data_of<double>(whole), data_of<T>(y),
                   scaled<T>);
    }
  });
  return Value(product.cls(), std::move(y), product.residency());
}

// x = f 2^e with 0.5 <= |f| < 1; where x is 0 or not finite f is x and e 0. What is complex is
// taken by its modulus.
template <class T>
T exponent_of(const T* x, int parts) {
  T most = 0;
  for (int p = 0; p < parts; ++p) {
    if (!std::isfinite(x[p])) return 0;
    most = std::max(most, std::abs(x[p]));
  }
  if (most == 0) return 0;
  const int large = std::ilogb(most);  // the modulus itself may be too large, or too small
  const T other = parts == 2 ? std::scalbn(x[1], -large) : T{0};
  return static_cast<T>(large + 1 + std::ilogb(std::hypot(std::scalbn(x[0], -large), other)));
}

// log2(A), or [F, E] = log2(A): A is F .* 2.^E.
Result log2(Workspace& workspace, Arguments a) {
  if (workspace.results_wanted < 2) return of_one<Op::log2>(workspace, a);
  const Value x = is_float(a[0].cls()) ? a[0] : convert(a[0], Class::double_);
  const int parts = x.is_complex() ? 2 : 1;
  workspace.rules.room.require(x.size(), x.elements().dtype(), 2);
  Tensor f = uninitialized(x.elements().dtype(), x.size());
  Tensor e = uninitialized(element_type(x.cls()), x.size());
  const auto split = [&](auto t) {
    using T = decltype(t);
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      const T* const from = data_of<T>(x) + i * parts;
      const T exponent = data_of<T>(e)[i] = exponent_of(from, parts);
      for (int p = 0; p < parts; ++p) {
        data_of<T>(f)[i * parts + p] = std::scalbn(from[p], -static_cast<int>(exponent));
      }
    }
  };
  x.cls() == Class::single_ ? split(float{}) : split(double{});
  workspace.more_results.emplace_back(x.cls(), std::move(e), a[0].residency());
  return narrowed(Value(x.cls(), std::move(f), a[0].residency()));
}

Result angle(Workspace&, Arguments a) {
  return argument(to_complex(is_float(a[0].cls()) ? a[0] : convert(a[0], Class::double_)));
}
Result conj(Workspace&, Arguments a) {
  return is_float(a[0].cls()) || is_integer(a[0].cls()) ? conjugate(a[0])
                                                        : convert(a[0], Class::double_);
}
Result real(Workspace&, Arguments a) {
  return is_float(a[0].cls()) || is_integer(a[0].cls()) ? real_part(a[0])
                                                        : convert(a[0], Class::double_);
}
Result imag(Workspace&, Arguments a) { return imaginary_part(a[0]); }

Result complex(Workspace& workspace, Arguments a) {
  if (a.size() == 1) return to_complex(a[0]);
  if (a[0].is_complex() || a[1].is_complex()) {
    throw Fault{"MATLAB:invalidType", "complex: the parts must be real"};
  }
  const bool narrow = a[0].cls() == Class::single_ || a[1].cls() == Class::single_;
  const Class cls = narrow ? Class::single_ : Class::double_;
  // Both of the expanded size; the sum with 0 would lose the sign of a zero.
  const Value re = convert(a[0], cls), im = convert(a[1], cls);
  const Dims size = expanded_size(re.size(), im.size());
  workspace.rules.room.require(size, DType::complex128);
  Tensor y = uninitialized(narrow ? DType::complex64 : DType::complex128, size);
  const auto fill = [&](auto t) {
    using T = decltype(t);
    T* out = data_of<T>(y);
    const T *x = data_of<T>(re), *z = data_of<T>(im);
    for_places(re.size(), im.size(), size, [&](auto i, auto j) {
      *out++ = x[i];
      *out++ = z[j];
    });
  };
  narrow ? fill(float{}) : fill(double{});
  return Value(cls, std::move(y));
}

// gamma(A + 1), in A's class.
Result factorial(Workspace& workspace, Arguments a) {
  if (a[0].is_complex()) {
    throw Fault{"Hadamard:noComplexForm", "factorial has no complex form here"};
  }
  const Value x = is_float(a[0].cls()) ? a[0] : convert(a[0], Class::double_);
  const auto require_whole = [&](auto t) {
    using T = decltype(t);
    const T* const from = data_of<T>(x);
    if (std::any_of(from, from + x.numel(), [](T e) { return e < 0 || e != std::trunc(e); })) {
      throw Fault{"MATLAB:factorial:NNonnegativeInt",
                  "factorial: all elements must be whole numbers from 0 on"};
    }
  };
  x.cls() == Class::single_ ? require_whole(float{}) : require_whole(double{});
  const Rules& rules = workspace.rules;
  const Value next = binary(Operator::plus, x, Value::scalar(1), rules);
  const Value result = function_of_one(Op::gamma, next, rules).with_residency(a[0].residency());
  const bool keeps = is_integer(a[0].cls()) && rules.integers == Integers::as_matlab;
  return keeps ? convert(result, a[0].cls()) : result;
}

// What the list says of its operators, but where MATLAB has another domain or other classes.
std::string_view help_for(Op op) {
  const std::string_view own = op::matlab_rules(op).help;
  if (!own.empty()) return own;
  std::string_view doc = op::doc(op);
  if (doc.ends_with('.')) doc.remove_suffix(1);  // more may follow
  return doc;
}

}  // namespace

std::span<const Function> arithmetic_functions() {
  static const std::vector<Function> table = [] {
    constexpr bool kLike = true;  // takes 'like', P
    std::vector<Function> list{
        {"plus", 2, 2, "A + B", operator_function<Operator::plus>, kLike},
        {"minus", 2, 2, "A - B", operator_function<Operator::minus>, kLike},
        {"times", 2, 2, "A .* B", operator_function<Operator::times>, kLike},
        {"rdivide", 2, 2, "A ./ B", operator_function<Operator::rdivide>, kLike},
        {"ldivide", 2, 2, "A .\\ B, which is B ./ A", operator_function<Operator::ldivide>, kLike},
        {"power", 2, 2, "A .^ B", operator_function<Operator::power>, kLike},
        {"mrdivide", 2, 2, "A / B with a scalar B", operator_function<Operator::mrdivide>, kLike},
        {"mtimes", 2, 2, "A * B where one is scalar", operator_function<Operator::mtimes>, kLike},
        {"eq", 2, 2, "A == B", operator_function<Operator::eq>},
        {"ne", 2, 2, "A ~= B", operator_function<Operator::ne>},
        {"lt", 2, 2, "A < B", operator_function<Operator::lt>},
        {"le", 2, 2, "A <= B", operator_function<Operator::le>},
        {"gt", 2, 2, "A > B", operator_function<Operator::gt>},
        {"ge", 2, 2, "A >= B", operator_function<Operator::ge>},
        {"and", 2, 2, "A & B", operator_function<Operator::and_>},
        {"or", 2, 2, "A | B", operator_function<Operator::or_>},
        {"not", 1, 1, "~A", unary_function<Operator::not_>},
        {"uminus", 1, 1, "-A", unary_function<Operator::uminus>, kLike},
        {"uplus", 1, 1, "+A", unary_function<Operator::uplus>, kLike},
        {"transpose", 1, 1, "A.'", unary_function<Operator::transpose>},
        {"ctranspose", 1, 1, "A'", unary_function<Operator::ctranspose>},
        {"factorial", 1, 1, "1 * 2 * … * A", factorial, kLike},
        {"log2", 1, 1,
         "the logarithm to base 2, correctly rounded; complex below 0; [F, E] = log2(A): A is "
         "F .* 2.^E, with |F| from 0.5 to below 1",
         log2, kLike},
        {"pow2", 1, 2, "2 .^ E; pow2(F, E) is F .* 2 .^ E", pow2, kLike},
        {"angle", 1, 1, "the argument of complex numbers, in (-pi, pi]", angle, kLike},
        {"conj", 1, 1, "the complex conjugate", conj, kLike},
        {"real", 1, 1, "the real part", real, kLike},
        {"imag", 1, 1, "the imaginary part", imag, kLike},
        {"complex", 1, 2, "complex(A, B) is A + Bi, and stays complex where B is 0", complex,
         kLike},
    };
    const auto has = [&list](std::string_view name) {
      const auto is_it = [&](const Function& f) { return f.name == name; };
      const std::span<const Function> others = extreme_functions();
      return std::any_of(list.begin(), list.end(), is_it) ||
             std::any_of(others.begin(), others.end(), is_it);
    };
#define HADAMARD_MATLAB_FUNCTION_1(id) \
  list.push_back({op::names(Op::id).matlab, 1, 1, help_for(Op::id), of_one<Op::id>, kLike});
#define HADAMARD_MATLAB_FUNCTION_2(id) \
  list.push_back({op::names(Op::id).matlab, 2, 2, help_for(Op::id), of_two<Op::id>, kLike});
#define HADAMARD_MATLAB_FUNCTION_3(id)
#define HADAMARD_MATLAB_FUNCTION(id, Name, arity)                            \
  if (!op::names(Op::id).matlab.empty() && !has(op::names(Op::id).matlab)) { \
    HADAMARD_MATLAB_FUNCTION_##arity(id)                                     \
  }
    HADAMARD_OPERATORS(HADAMARD_MATLAB_FUNCTION)
#undef HADAMARD_MATLAB_FUNCTION
#undef HADAMARD_MATLAB_FUNCTION_1
#undef HADAMARD_MATLAB_FUNCTION_2
#undef HADAMARD_MATLAB_FUNCTION_3
    return list;
  }();
  return table;
}

}  // namespace hadamard::matlab
