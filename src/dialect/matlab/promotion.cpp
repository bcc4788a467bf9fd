#include "dialect/matlab/promotion.hpp"

#include <algorithm>

#include "base/fail.hpp"
#include "num/dtype.hpp"
#include "op/matlab_form.hpp"
#include "op/ops.hpp"

namespace hadamard::dialect::matlab {
namespace {

bool is_integer(DType type) noexcept { return kind(type) == Kind::integer; }
bool is_wide(DType type) noexcept { return type == DType::int64 || type == DType::uint64; }

void require_class(std::string_view operand, DType type) {
  const bool has_class = kind(type) == Kind::integer    ? bits(type) > 4
                         : kind(type) == Kind::exact    ? false
                         : kind(type) == Kind::floating ? bits(type) >= 32
                                                        : true;
  if (has_class) return;
  fail(ErrorCode::unsupported_type,
       "{} is {}, for which dialect matlab has no class; it has: fp64 (double), fp32 (single), "
       "bool (logical), int8 … uint64, complex64, complex128",
       operand, name(type));
}

// As the language has it, for messages.
std::string written(Op op) {
  const op::OpNames& names = op::names(op);
  const std::string_view own = op::matlab_rules(op).symbol;
  const std::string_view symbol = own.empty() ? names.symbol : own;
  return symbol.empty() ? std::string(names.matlab) : fmt::format("operator '{}'", symbol);
}

using IntegerRule = op::MatlabRules::Integers;

DType float_of(DType a, DType b) {
  const bool narrow = part_type(a) == DType::fp32 || part_type(b) == DType::fp32;
  return narrow ? DType::fp32 : DType::fp64;
}

Promotion kept(DType integer) {
  return {is_wide(integer) ? integer : DType::fp64, integer, false, true};
}

}  // namespace

bool is_complex(DType type) noexcept { return kind(type) == Kind::complex; }
DType part_type(DType type) noexcept {
  return type == DType::complex128 ? DType::fp64 : type == DType::complex64 ? DType::fp32 : type;
}
DType complex_type(DType part) noexcept {
  return part == DType::fp32 ? DType::complex64 : DType::complex128;
}

Promotion promote(Op op, DType a, DType b, Integers integers) {
  require_class("A", a);
  require_class("B", b);
  const bool any_complex = is_complex(a) || is_complex(b);
  const bool any_integer = is_integer(a) || is_integer(b);
  if (integers == Integers::as_matlab && any_integer &&
      op::matlab_rules(op).integers == IntegerRule::by_rule) {
    if (is_integer(a) && is_integer(b) && a != b) {
      fail_as("MATLAB:mixedClasses", ErrorCode::type_mismatch,
              fmt::format("{}: integers can only be combined with integers of the same "
                          "class or with doubles, but A is {} and B is {}",
                          written(op), name(a), name(b)));
    }
    const DType integer = is_integer(a) ? a : b;
    if (any_complex) {
      fail_as("MATLAB:integerComplex", ErrorCode::type_mismatch,
              fmt::format("{}: {} and complex have no common class", written(op), name(integer)));
    }
    return kept(integer);
  }
  const DType type = float_of(a, b);
  return {type, type, any_complex, false};
}

Promotion promote(Op op, DType a, Integers integers) {
  require_class("A", a);
  const IntegerRule rule = op::matlab_rules(op).integers;
  const bool is_kept = rule == IntegerRule::kept ||
                       (rule == IntegerRule::by_rule && integers == Integers::as_matlab);
  if (is_integer(a) && is_kept) return kept(a);
  const DType type = float_of(a, a);
  return {type, type, is_complex(a), false};
}

std::string size_text(const Dims& size) {
  std::string text;
  for (std::size_t d = 0; d < std::max<std::size_t>(size.size(), 2); ++d) {
    if (!text.empty()) text += 'x';
    text += std::to_string(d < size.size() ? size[d] : 1);
  }
  return text;
}

Dims expanded_size(const Dims& a, const Dims& b) {
  Dims size;
  for (std::size_t d = 0; d < std::max(a.size(), b.size()); ++d) {
    const std::int64_t x = d < a.size() ? a[d] : 1, y = d < b.size() ? b[d] : 1;
    if (x != y && x != 1 && y != 1) {
      fail_as("MATLAB:sizeDimensionsMustMatch", ErrorCode::shape_mismatch,
              fmt::format("Arrays have incompatible sizes for this operation: A is {}, B is {}; "
                          "dimension {} is {} in A and {} in B",
                          size_text(a), size_text(b), d + 1, x, y));
    }
    size.push_back(x == 1 ? y : x);
  }
  return size;
}

void fail_as(std::string_view identifier, ErrorCode code, std::string message) {
  message += fmt::format(" [{}]", identifier);
  throw Error(code, std::move(message), std::string(identifier));
}

bool has_own_form(Op op) noexcept {
  return op::with_op(op, [](auto o) { return op::has_matlab_form<typename decltype(o)::type>; });
}

bool is_one_step(Op op, DType a, DType b) noexcept {
  if (a != b || kind(a) != Kind::floating || bits(a) < 32) return false;
  const op::MatlabRules& rules = op::matlab_rules(op);
  return !rules.is_power && !rules.least && !has_own_form(op);
}

}  // namespace hadamard::dialect::matlab
