#include "op/signature.hpp"

#include <fmt/format.h>

#include "op/ops.hpp"

namespace hadamard::op {
namespace {

bool is_convertible(DType from, DType to) {
  return kind(from) != Kind::complex || kind(to) == Kind::complex;
}

std::string listed(std::span<const DType> types) {
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool last = i + 1 == types.size();
    text += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", name(types[i]));
  }
  return text;
}

// What is wrong with operands that must have one type.
std::string problem_of(Op op, std::span<const DType> types) {
  for (const DType type : types) {
    if (type != types[0]) {
      return fmt::format("the operands of {} are {}: they must have one type; cast one of them",
                         name(op), listed(types));
    }
  }
  if (is_defined(op, types[0])) return {};
  return fmt::format("{} is not defined for {}; it is for: {}", name(op), name(types[0]),
                     defined_types(op));
}

}  // namespace

std::string defined_types(Op op) {
  std::string text;
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    if (is_defined(op, type)) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(type));
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
      return {operands[0], problem_of(op, operands)};
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
      if (is_convertible(operands[0], to)) return {to, {}};
      return {to, fmt::format("there is no conversion of {} to {}", name(operands[0]), name(to))};
  }
  __builtin_unreachable();
}

}  // namespace hadamard::op
