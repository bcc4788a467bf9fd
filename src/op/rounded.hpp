// Functions of the floating-point types, correctly rounded to nearest even: the result is the float
// next to the true value, whatever the machine (docs/adr/0010).
//
// The record's estimate, by the C library with more bits than the type has, decides nearly always;
// where it is too near to the middle between two floats, the record's oracle does.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "op/oracle.hpp"

namespace hadamard::op {

namespace detail {

// Formats of up to 24 bits are estimated in double, double in long double. The C library's
// functions are good to a few units in the last place of theirs (glibc's manual states at most 4);
// the margin is 16 of them, and for the small formats also covers that half formats are rounded by
// way of double.
template <class T>
struct Estimate {
  using Wide = double;
  static constexpr Wide kMargin = 0x1p-49;
};
template <>
struct Estimate<double> {
  using Wide = long double;
  static constexpr Wide kMargin = 0x1p-60L;
};
static_assert(std::numeric_limits<long double>::digits >= 64,
              "fp64 needs estimates with more bits than double has");

template <class T, class Wide>
T narrowed(Wide x) {
  if constexpr (std::is_class_v<T>) {
    return T(static_cast<double>(x));
  } else {
    return static_cast<T>(x);
  }
}
template <class T, class Wide>
T canonical(Wide x) {
  return std::isnan(x) ? narrowed<T>(std::numeric_limits<double>::quiet_NaN()) : narrowed<T>(x);
}
template <class T>
bool same(T x, T y) {
  if constexpr (std::is_class_v<T>) {
    return x.bits == y.bits;
  } else {
    return x == y;
  }
}

template <class Function, class Wide>
Wide estimate(Wide a, [[maybe_unused]] Wide b) {
  if constexpr (arity_of<Function> == 2) {
    return Function::estimate(a, b);
  } else {
    return Function::estimate(a);
  }
}

}  // namespace detail

// `Function` is the record. Needs the default floating-point environment (ScopedFloatEnv) and
// ScopedExtendedPrecision.
template <class Function, class T>
T rounded(T a, T b = {}) {
  using detail::narrowed, detail::same;
  if constexpr (has_one_operation<Function>) {
    using F = std::conditional_t<std::is_class_v<T>, double, T>;
    const std::optional<F> result = Function::one_operation(static_cast<F>(a), static_cast<F>(b));
    if constexpr (!has_estimate<Function>) return detail::canonical<T>(*result);
    if (result) return detail::canonical<T>(*result);
  }
  if constexpr (has_estimate<Function>) {
    using E = detail::Estimate<T>;
    using Wide = typename E::Wide;
    const auto value = detail::estimate<Function, Wide>(static_cast<Wide>(a), static_cast<Wide>(b));
    if (std::isnan(value) || std::isinf(value)) return detail::canonical<T>(value);
    const T low = narrowed<T>(value - value * E::kMargin);
    const T high = narrowed<T>(value + value * E::kMargin);
    if (same(low, high)) return narrowed<T>(value);
    return by_multiple_precision<Function>(a, b);
  }
}

}  // namespace hadamard::op
