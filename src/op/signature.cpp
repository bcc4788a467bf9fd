#include "op/signature.hpp"

#include <fmt/format.h>

#include "op/ops.hpp"

namespace hadamard::op {
namespace {

bool is_convertible(Op op, DType from, DType to) {
  return with_op(op, [&](auto o) {
    using Operator = typename decltype(o)::type;
    if constexpr (type_rule_of<Operator>() == TypeRule::convert) {
      return Operator::converts(kind(from), kind(to));
    } else {
      return false;
    }
  });
}
DType part_of(DType type) { return type == DType::complex64 ? DType::fp32 : DType::fp64; }
DType complex_of(DType part) { return part == DType::fp32 ? DType::complex64 : DType::complex128; }

std::string listed(std::span<const DType> types) {
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool last = i + 1 == types.size();
    text += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", name(types[i]));
  }
  return text;
}

bool is_by_parts(Op op, DType type) {
  return kind(type) == Kind::complex && kGoesByParts[static_cast<std::size_t>(op)];
}

// The integer type of operands that may be fp64 beside it.
Signature saturating_signature(Op op, std::span<const DType> types, std::string problem) {
  const DType a = types[0], b = types[1];
  if (a == b || (b == DType::fp64 && is_defined(op, a))) return {a, a == b ? problem : ""};
  if (a == DType::fp64 && is_defined(op, b)) return {b, {}};
  return {a, fmt::format("the operands of {} are {}: they must be integers of one type, or of one "
                         "and fp64; cast one of them",
                         name(op), listed(types))};
}

// What is wrong with operands that must have one type.
std::string problem_of(Op op, std::span<const DType> types) {
  for (const DType type : types) {
    if (type != types[0]) {
      return fmt::format("the operands of {} are {}: they must have one type; cast one of them",
                         name(op), listed(types));
    }
  }
  if (is_defined(op, types[0]) || is_by_parts(op, types[0])) return {};
  return fmt::format("{} is not defined for {}; it is for: {}", name(op), name(types[0]),
                     defined_types(op));
}

}  // namespace

std::string defined_types(Op op) {
  std::string text;
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    if (is_defined(op, type) || is_by_parts(op, type))
      text += fmt::format("{}{}", text.empty() ? "" : ", ", name(type));
  }
  return text;
}

Signature signature(Op op, std::span<const DType> operands, DType to) {
  const auto count = static_cast<std::size_t>(arity(op));
  if (operands.size() != count) {
    return {{},
            fmt::format("{} expects {} operand{}, got {}", name(op), count, count == 1 ? "" : "s",
                        operands.size())};
  }
  switch (type_rule(op)) {
    case TypeRule::same:
      return {is_by_parts(op, operands[0]) ? part_of(operands[0]) : operands[0],
              problem_of(op, operands)};
    case TypeRule::to_part:
      return {part_of(operands[0]), problem_of(op, operands)};
    case TypeRule::from_parts:
      return {complex_of(operands[0]), problem_of(op, operands)};
    case TypeRule::to_fp64:
      return {DType::fp64, problem_of(op, operands)};
    case TypeRule::saturating:
      return saturating_signature(op, operands, problem_of(op, operands));
    case TypeRule::to_bool:
      return {DType::bool_, problem_of(op, operands)};
    case TypeRule::select:
      if (operands[0] != DType::bool_) {
        return {operands[1], fmt::format("the condition of {} must be bool, got {}; compare it "
                                         "with a number, or cast it",
                                         name(op), name(operands[0]))};
      }
      return {operands[1], problem_of(op, operands.subspan(1))};
    case TypeRule::convert:
      if (is_convertible(op, operands[0], to)) return {to, {}};
      return {to, fmt::format("there is no conversion of {} to {}", name(operands[0]), name(to))};
  }
  __builtin_unreachable();
}

}  // namespace hadamard::op
