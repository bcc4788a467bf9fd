#include "bound/operator_ranges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "bound/float_intervals.hpp"
#include "bound/whole_intervals.hpp"
#include "op/ops.hpp"
#include "op/oracle_arithmetic.hpp"

namespace hadamard::bound {
namespace {

using Operands = std::span<const Interval>;

// Calls f(index constants…) for the operands of an operator.
template <class Operator, class F>
auto with_operands(F f) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return f(std::integral_constant<std::size_t, i>{}...);
  }
  (std::make_index_sequence<op::arity_of<Operator>>());
}

template <class Operator, class Arithmetic>
std::optional<Interval> applied(const Arithmetic& arithmetic, Operands x) {
  if constexpr (op::offers<Arithmetic, Interval, Operator>) {
    return with_operands<Operator>([&](auto... i) { return Operator::apply(arithmetic, x[i]...); });
  } else {
    return std::nullopt;
  }
}

template <class Operator, class T>
OperatorRange of_floats(Operands x) {
  const FloatIntervals<T> arithmetic;
  std::optional<Interval> range;
  if constexpr (op::monotone_of<Operator>() != op::Monotone::unknown) {
    range = with_operands<Operator>(
        [&](auto... i) { return arithmetic.template by_record<Operator>(x[i]...); });
  } else {
    range = applied<Operator>(arithmetic, x);
  }
  return {range, std::nullopt, arithmetic.zero_divisor()};
}

template <class Operator, class T>
OperatorRange of_integers(Operands x, IntDivision rounding) {
  const WholeIntervals arithmetic(whole_interval(Element<T>::kMin, Element<T>::kMax), rounding);
  const std::optional<Interval> range = applied<Operator>(arithmetic, x);
  return {range, arithmetic.overflow(), arithmetic.zero_divisor()};
}

// Of bools there are so few that each combination is computed.
template <class Operator>
OperatorRange of_bools(Operands x) {
  OperatorRange all;
  constexpr unsigned kCombinations = 1U << op::arity_of<Operator>;
  for (unsigned bits = 0; bits < kCombinations; ++bits) {
    const auto value = [&](std::size_t i) { return (bits >> i & 1U) != 0; };
    bool possible = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      possible = possible && x[i].low <= int{value(i)} && int{value(i)} <= x[i].high;
    }
    if (!possible) continue;
    const op::Oracle oracle(IntDivision::trunc);
    const bool y =
        with_operands<Operator>([&](auto... i) { return Operator::apply(oracle, value(i)...); });
    if (oracle.failed()) {
      all.zero_divisor = true;
    } else {
      const Interval one = truth_interval(!y, y);
      all.range = all.range ? hull(*all.range, one) : one;
    }
  }
  return all;
}

// The same in every type, but for what is not: a cast of integers wraps, one of floats saturates.
int128 towards_zero(double x) {
  constexpr double kEnd = 0x1p126;
  return x >= kEnd ? kBeyond : x <= -kEnd ? -kBeyond : static_cast<int128>(x);
}
template <class From, class To>
OperatorRange converted(const Interval& a) {
  constexpr Kind kFrom = Element<From>::kKind, kTo = Element<To>::kKind;
  if constexpr (kTo == Kind::boolean) {
    const bool zero = a.whole ? a.low == 0 && a.high == 0 : a.from == 0 && a.until == 0 && !a.nan;
    return {truth_interval(a.contains_zero(), !zero), std::nullopt, false};
  } else if constexpr (kTo == Kind::floating) {
    // Rounding keeps the order.
    const auto at = [](auto x) { return static_cast<double>(op::Cast::convert<To>(x)); };
    if constexpr (kFrom == Kind::floating) {
      return {float_interval(at(From(a.from)), at(From(a.until)), a.nan), std::nullopt, false};
    } else {
      const auto typed = [](int128 x) { return op::oracle::wrap<From>(x); };
      return {float_interval(at(typed(a.low)), at(typed(a.high))), std::nullopt, false};
    }
  } else {
    const Interval type = whole_interval(Element<To>::kMin, Element<To>::kMax);
    Interval exact = a;
    if constexpr (kFrom == Kind::floating) {
      exact = whole_interval(towards_zero(a.from), towards_zero(a.until));
      if (a.nan) exact = hull(exact, whole_interval(0, 0));
    }
    if (exact.low >= type.low && exact.high <= type.high) return {exact, std::nullopt, false};
    const Interval saturated = whole_interval(std::clamp(exact.low, type.low, type.high),
                                              std::clamp(exact.high, type.low, type.high));
    return {kFrom == Kind::floating ? saturated : type, exact, false};
  }
}

template <class T>
constexpr bool has_intervals =
    Element<T>::kKind == Kind::floating || Element<T>::kKind == Kind::integer ||
    Element<T>::kKind == Kind::boolean;

// Of a conversion that keeps the order: its values at the ends.
template <class Operator, class From, class To>
OperatorRange converted_in_order(const Interval& a) {
  const auto at = [](From x) { return op::oracle::widen(Operator::template convert<To>(x)); };
  if constexpr (Element<From>::kKind == Kind::floating) {
    const Interval range = whole_interval(at(From(a.from)), at(From(a.until)));
    const int128 nan = at(From(std::numeric_limits<double>::quiet_NaN()));
    return {a.nan ? hull(range, whole_interval(nan, nan)) : range, std::nullopt, false};
  } else {
    const auto typed = [](int128 x) { return op::oracle::wrap<From>(x); };
    return {whole_interval(at(typed(a.low)), at(typed(a.high))), std::nullopt, false};
  }
}

template <class Operator, class From>
OperatorRange cast_range(const Interval& a, DType to) {
  return with_type(to, [&](auto t) -> OperatorRange {
    using To = typename decltype(t)::type;
    if constexpr (!has_intervals<To> || !has_intervals<From>) {
      return {};
    } else if constexpr (!Operator::template kDefined<To, From>) {
      return {};
    } else if constexpr (op::monotone_of<Operator>() == op::Monotone::increasing) {
      return converted_in_order<Operator, From, To>(a);
    } else {
      return converted<From, To>(a);
    }
  });
}

// Whether the values of an operator have types that the arithmetics of intervals are made for.
template <class Operator>
constexpr bool has_rule = op::type_rule_of<Operator>() == op::TypeRule::same
                          || op::type_rule_of<Operator>() == op::TypeRule::to_bool
                          || op::type_rule_of<Operator>() == op::TypeRule::select;

template <class Operator, class T>
OperatorRange range_of(const program::Node& node, Operands x) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (op::type_rule_of<Operator>() == op::TypeRule::convert) {
    return cast_range<Operator, T>(x[0], node.type);
  } else if constexpr (!op::defined_for<Operator, T> || !has_rule<Operator>) {
    return {};
  } else if constexpr (kKind == Kind::floating) {
    return of_floats<Operator, T>(x);
  } else if constexpr (kKind == Kind::integer) {
    return of_integers<Operator, T>(x, node.attributes.int_division);
  } else if constexpr (kKind == Kind::boolean) {
    return of_bools<Operator>(x);
  } else {
    return {};
  }
}

}  // namespace

OperatorRange operator_range(const program::Node& node, std::span<const DType> types,
                             std::span<const Interval> operands) {
  // What records say of their results holds for the attributes that they have by default.
  if (node.attributes.values) return {full_interval(node.type), std::nullopt, false};
  OperatorRange result = op::with_op(node.op, [&](auto o) {
    return with_type(types.back(), [&](auto t) {
      return range_of<typename decltype(o)::type, typename decltype(t)::type>(node, operands);
    });
  });
  if (!result.range) result.range = full_interval(node.type);
  return result;
}

}  // namespace hadamard::bound
