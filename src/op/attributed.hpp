// Operators with attributes other than their defaults, of one element: the exact formula with the
// exact attributes, rounded once.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "num/dtype.hpp"
#include "num/sure_pair.hpp"
#include "op/ops.hpp"
#include "op/rounded.hpp"

namespace hadamard::op {

template <class Record>
inline constexpr bool has_apply_with = requires {
  &Record::template apply_with<PairArithmetic, SurePair>;
};
#define HADAMARD_CHECK_ATTRIBUTES(id, Name, arity)                                            \
  static_assert(                                                                              \
      !has_attributes<Name> || (arity == 1 && kinds_for<Name>() == kinds_of(Kind::floating)), \
      #Name " has attributes, so it must have one operand and be for floats");                \
  static_assert(!has_attributes<Name> || has_oracle_with<Name> || has_apply_with<Name>, #Name \
                " has attributes, so it needs apply_with, or oracle_with and estimate_with");
HADAMARD_OPERATORS(HADAMARD_CHECK_ATTRIBUTES)
#undef HADAMARD_CHECK_ATTRIBUTES

// By exact or multiple-precision arithmetic alone. The operand is a number of the format; NaN gives
// the canonical one. Needs the default floating-point environment, as the others do.
double exactly(Op op, double a, const AttributeValues& attributes, FloatFormat format);
template <class T>
T exactly(Op op, T a, const AttributeValues& attributes) {
  return T(exactly(op, static_cast<double>(a), attributes, Element<T>::kFormat));
}

// Calls f(convert(attributes[0]), convert(attributes[1]), …), as many as the record has.
template <class Record, class Convert, class F>
decltype(auto) with_attributes(const AttributeValues& attributes, Convert convert, F&& f) {
  return [&]<std::size_t... i>(std::index_sequence<i...>)->decltype(auto) {
    return std::forward<F>(f)(convert(attributes[i])...);
  }
  (std::make_index_sequence<std::size(Record::attributes)>());
}

// The same result, fast: by arithmetic that knows its error, which decides nearly always. Needs
// ScopedExtendedPrecision.
template <class Record, class T>
T with_attributes_rounded(T a, const AttributeValues& attributes) {
  const auto x = static_cast<double>(a);
  if constexpr (has_apply_with<Record>) {
    if (std::isfinite(x)) {
      bool are_doubles = true;
      const auto number = [&](const AttributeValue& v) {
        are_doubles = are_doubles && v.is<double>();
        return v.high();
      };
      const ExactDoubles doubles;
      const double exact = with_attributes<Record>(
          attributes, number, [&](auto... v) { return Record::apply_with(doubles, x, v...); });
      if (are_doubles && doubles.is_exact()) return T(exact);
      const auto pair = [](const AttributeValue& v) {
        return SurePair{v.high(), v.low(), v.error()};
      };
      const SurePair y = with_attributes<Record>(attributes, pair, [&](const auto&... v) {
        return Record::apply_with(PairArithmetic(), SurePair{x}, v...);
      });
      if (const auto result = hadamard::rounded<T>(y)) return *result;
    }
  } else {
    using Wide = typename detail::Estimate<T>::Wide;
    if (std::isnan(x)) return detail::canonical<T>(x);
    const auto same = [](const AttributeValue& v) -> const AttributeValue& { return v; };
    const auto y = with_attributes<Record>(attributes, same, [&](const auto&... v) {
      return Record::estimate_with(static_cast<Wide>(a), v...);
    });
    // Attributes have no more than 106 bits where long double has 113.
    constexpr Wide kUnit = std::max<Wide>(std::numeric_limits<Wide>::epsilon() / 2, 0x1p-64);
    const Wide reach = y.value * y.units * kUnit;
    if (y.units < std::numeric_limits<Wide>::infinity()) {
      if (!std::isfinite(y.value)) return detail::canonical<T>(y.value);
      const T below = detail::narrowed<T>(y.value - reach);
      if (detail::same(below, detail::narrowed<T>(y.value + reach))) {
        return detail::narrowed<T>(y.value);
      }
    }
  }
  return exactly(op_of<Record>, a, attributes);
}

}  // namespace hadamard::op
