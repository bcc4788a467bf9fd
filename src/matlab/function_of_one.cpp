// The operators of the list with one operand, and transposition.
#include <cmath>
#include <complex>
#include <limits>
#include <optional>

#include "hadamard/hadamard.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/complex_functions.hpp"
#include "matlab/elements.hpp"
#include "matlab/fault.hpp"
#include "op/ops.hpp"

namespace hadamard::matlab {
namespace {

// Below it a function of a real number is complex; nothing for functions of all reals.
std::optional<double> least_real(Op op) {
  const std::string_view id = op::names(op).matlab;
  if (id == "sqrt" || id == "log" || id == "log2" || id == "log10") return 0;
  if (id == "log1p") return -1;
  return std::nullopt;
}

bool is_below(const Value& a, double least) {
  return with_real_type(a.elements().dtype(), [&](auto t) {
    using T = decltype(t);
    const T* const x = data_of<T>(a);
    for (std::int64_t i = 0; i < a.numel(); ++i) {
      if (static_cast<double>(x[i]) < least) return true;
    }
    return false;
  });
}

// abs, sign, floor and ceil of integers are integers of the same class. Nothing for the others.
std::optional<Value> of_integers(Op op, const Value& a) {
  if (op == Op::floor || op == Op::ceil || op == Op::trunc) return a;
  if (op != Op::abs && op != Op::sign) return std::nullopt;
  Tensor y = uninitialized(a.elements().dtype(), a.size());
  with_real_type(y.dtype(), [&](auto t) {
    using T = decltype(t);
    const T* const x = data_of<T>(a);
    T* const out = data_of<T>(y);
    for (std::int64_t i = 0; i < a.numel(); ++i) {
      if (op == Op::sign) {
        out[i] = static_cast<T>((x[i] > T{0}) - (x[i] < T{0}));
      } else {
        const bool least =
            std::numeric_limits<T>::is_signed && x[i] == std::numeric_limits<T>::min();
        out[i] = least ? std::numeric_limits<T>::max() : static_cast<T>(x[i] < T{0} ? -x[i] : x[i]);
      }
    }
  });
  return Value(a.cls(), std::move(y), a.residency());
}

}  // namespace

Value function_of_one(Op op, const Value& a) {
  if (a.cls() == Class::string) {
    throw Fault{"MATLAB:UndefinedFunction",
                std::string(op::names(op).matlab) + " is not for strings"};
  }
  if (a.is_complex()) return narrowed(complex_function(op, a));
  if (is_integer(a.cls())) {
    if (std::optional<Value> y = of_integers(op, a)) return *std::move(y);
  }
  const Value x = is_float(a.cls()) ? a : convert(a, Class::double_);
  if (const auto least = least_real(op); least && is_below(x, *least)) {
    return narrowed(complex_function(op, to_complex(x)));
  }
  return {x.cls(), apply(op, x.elements(), Options{.order = Order::column_major}), a.residency()};
}

Value transposed(const Value& value, bool conjugated) {
  if (value.size().size() > 2) {
    throw Fault{"MATLAB:transposeOnND",
                "transpose not defined for N-D arrays: A is " + size_text(value.size())};
  }
  const Value x = conjugated ? conjugate(value) : value;
  Tensor y(x.elements().view().transposed(), Order::column_major);
  return {x.cls(), std::move(y), x.residency()};
}

}  // namespace hadamard::matlab
