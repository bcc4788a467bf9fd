#include "program/evaluate.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

#include "op/attributed.hpp"
#include "op/ops.hpp"
#include "op/oracle_arithmetic.hpp"
#include "tensor/element.hpp"

namespace hadamard::program {
namespace {

using op::Oracle;

struct Lines {
  std::span<const ElementLine> operands;
  const ElementLine& result;
  std::int64_t n;
};

// Calls f with the elements of each index, and stores what it gives.
template <class To, class F>
Evaluated for_elements(const Oracle& oracle, const Lines& lines, F f) {
  void* const y = const_cast<void*>(lines.result.data);
  for (std::int64_t i = 0; i < lines.n; ++i) {
    const To value = f(i);
    if (oracle.failed()) {
      return {oracle.zero_divisor() ? Failure::zero_divisor : Failure::not_finite, i};
    }
    store_element<To>(y, lines.result.first + i * lines.result.stride, value);
  }
  return {};
}

template <class T>
T load(const Lines& lines, std::size_t k, std::int64_t i) {
  const ElementLine& line = lines.operands[k];
  return load_element<T>(line.data, line.first + i * line.stride);
}

template <class Operator, class T>
Evaluated evaluate_of(const Oracle& oracle, const Lines& lines) {
  return for_elements<op::ResultOf<Operator, T>>(
      oracle, lines, [&](std::int64_t i) -> op::ResultOf<Operator, T> {
        if constexpr (op::type_rule_of<Operator>() == op::TypeRule::select) {
          return Operator::apply(oracle, load<bool>(lines, 0, i), load<T>(lines, 1, i),
                                 load<T>(lines, 2, i));
        } else if constexpr (op::arity_of<Operator> == 3) {
          return Operator::apply(oracle, load<T>(lines, 0, i), load<T>(lines, 1, i),
                                 load<T>(lines, 2, i));
        } else if constexpr (op::arity_of<Operator> == 2) {
          return Operator::apply(oracle, load<T>(lines, 0, i), load<T>(lines, 1, i));
        } else {
          return Operator::apply(oracle, load<T>(lines, 0, i));
        }
      });
}

// The oracle, to a type that the node names.
template <class To>
struct ConvertingOracle {
  const Oracle& oracle;
  To convert(const auto& a) const { return oracle.template convert<To>(a); }
  To saturating_convert(const auto& a) const { return oracle.template saturating_convert<To>(a); }
};

template <class Operator, class From>
Evaluated convert(const Oracle& oracle, const Lines& lines, DType to) {
  return with_type(to, [&](auto t) -> Evaluated {
    using To = typename decltype(t)::type;
    if constexpr (Operator::template kDefined<To, From>) {
      return for_elements<To>(oracle, lines, [&](std::int64_t i) {
        return Operator::apply(ConvertingOracle<To>{oracle}, load<From>(lines, 0, i));
      });
    } else {
      return {};  // no node is made for it
    }
  });
}

// Of integers of type T, and of fp64 beside them.
template <class Operator, class T>
Evaluated saturating(const Oracle& oracle, const Lines& lines, std::span<const DType> types) {
  const auto with = [&](auto a, auto b) {
    using A = typename decltype(a)::type;
    using B = typename decltype(b)::type;
    return for_elements<T>(oracle, lines, [&](std::int64_t i) {
      return Operator::apply(oracle, load<A>(lines, 0, i), load<B>(lines, 1, i));
    });
  };
  constexpr std::type_identity<T> own;
  constexpr std::type_identity<double> other;
  if (types[0] != dtype_of<T>) return with(other, own);
  return types[1] != dtype_of<T> ? with(own, other) : with(own, own);
}

// With attributes that are not the defaults.
template <class T>
Evaluated evaluate_with(const Oracle& oracle, const Lines& lines, const Node& node) {
  return for_elements<T>(oracle, lines, [&](std::int64_t i) {
    return op::exactly(node.op, load<T>(lines, 0, i), *node.attributes.values);
  });
}

}  // namespace

Evaluated evaluate(const Node& node, std::span<const DType> types,
                   std::span<const ElementLine> operands, const ElementLine& result,
                   std::int64_t n) {
  const Oracle oracle(node.attributes.int_division);
  const Lines lines{operands, result, n};
  return op::with_op(node.op, [&](auto o) {
    using Operator = typename decltype(o)::type;
    constexpr op::TypeRule kRule = op::type_rule_of<Operator>();
    const DType type = kRule == op::TypeRule::saturating ? node.type : types.back();
    return with_type(type, [&](auto t) -> Evaluated {
      using T = typename decltype(t)::type;
      if constexpr (kRule == op::TypeRule::convert) {
        return convert<Operator, T>(oracle, lines, node.type);
      } else if constexpr (kRule == op::TypeRule::saturating) {
        if constexpr (op::defined_for<Operator, T>) {
          return saturating<Operator, T>(oracle, lines, types);
        } else {
          return {};  // no node is made for it
        }
      } else if constexpr (op::defined_for<Operator, T>) {
        if constexpr (op::has_attributes<Operator>) {
          if (node.attributes.values) return evaluate_with<T>(oracle, lines, node);
        }
        return evaluate_of<Operator, T>(oracle, lines);
      } else {
        return {};  // no node is made for it
      }
    });
  });
}

}  // namespace hadamard::program
