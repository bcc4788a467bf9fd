#include "dialect/paddle/paddle.hpp"

#include <algorithm>

#include "base/fail.hpp"
#include "dialect/dialect.hpp"
#include "op/ops.hpp"

namespace hadamard::dialect {
namespace {

constexpr DType kTypes[] = {DType::fp16,  DType::bf16,  DType::fp32,  DType::fp64, DType::int8,
                            DType::int16, DType::int32, DType::int64, DType::uint8};

// "[2, 3]"
std::string listed(const Dims& shape) {
  std::string text;
  for (const std::int64_t extent : shape)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", extent);
  return fmt::format("[{}]", text);
}

[[noreturn]] void fail_mismatch(const Dims& x, const Dims& y, const std::string& where) {
  fail(ErrorCode::shape_mismatch,
       "Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X "
       "= {} and the shape of Y = {}. {}",
       listed(x), listed(y), where);
}

}  // namespace

const Rules& paddle_rules() {
  static const Rules rules{.id = Dialect::paddle,
                           .broadcast = Broadcast::paddle,
                           .int_division = IntDivision::trunc,
                           .ops = OpSet::paddle,
                           .types = kTypes,
                           .a = "X",
                           .b = "Y",
                           .requirement = [](Violation, Op, DType) { return std::string(); }};
  return rules;
}

namespace paddle {

std::optional<Op> activation(std::string_view name) noexcept {
  if (name == "pow") return Op::identity;
  for (const Op op : op::kPlainOps) {
    if (op::arity(op) == 1 && !name.empty() && op::names(op).paddle == name) return op;
  }
  return std::nullopt;
}

std::string all_activations() {
  std::string names = "pow";
  for (const Op op : op::kPlainOps) {
    if (op::arity(op) == 1 && !op::names(op).paddle.empty()) {
      names += fmt::format(", {}", op::names(op).paddle);
    }
  }
  return names;
}

std::optional<Op> activation_or_operator(std::string_view name) noexcept {
  if (const std::optional<Op> op = activation(name)) return op;
  const std::optional<Op> op = op_from_name(name);
  return op && op::arity(*op) == 1 ? op : std::nullopt;
}

std::string all_activations_and_operators(Dialect dialect) {
  if (dialect == Dialect::matlab) return "none (it applies nothing to each result: use two calls)";
  const Rules& its = rules(dialect);
  std::vector<std::string_view> names{"pow"}, others;
  for (const Op op : op::kPlainOps) {
    if (op::arity(op) != 1 || !its.has_op(op)) continue;
    const std::string_view paddle = op::names(op).paddle;
    if (!paddle.empty()) names.push_back(paddle);
    if (paddle != name(op)) others.push_back(name(op));
  }
  names.insert(names.end(), others.begin(), others.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

void require_broadcast(const Dims& x, const Dims& y, int axis) {
  if (x == y) return;
  const bool y_is_low = y.size() <= x.size();
  const Dims& low = y_is_low ? y : x;
  const Dims& high = y_is_low ? x : y;
  const auto rank = static_cast<std::int64_t>(high.size());
  if (axis < -1) {
    fail(ErrorCode::bad_argument,
         "Axis should be great than or equal to 0 (or -1), but received axis is {}.", axis);
  }
  if (axis >= rank) {
    fail(ErrorCode::bad_argument, "Axis should be less than {}, but received axis is {}.", rank,
         axis);
  }
  auto own = static_cast<std::int64_t>(low.size());
  const std::int64_t first = axis == -1 ? rank - own : axis;
  while (own > 0 && first + own > rank && low[static_cast<std::size_t>(own) - 1] == 1) --own;
  if (first + own > rank) {
    fail_mismatch(
        x, y,
        fmt::format("{} begins at axis {} and does not end within the {} dimensions of {}.",
                    y_is_low ? "Y" : "X", first, rank, y_is_low ? "X" : "Y"));
  }
  for (std::int64_t i = 0; i < own; ++i) {
    const std::int64_t of_low = low[static_cast<std::size_t>(i)];
    const std::int64_t of_high = high[static_cast<std::size_t>(first + i)];
    if (of_low == of_high || of_low == 1 || of_high == 1) continue;
    fail_mismatch(x, y,
                  fmt::format("Received [{}] in X is not equal to [{}] in Y at i:{}.",
                              y_is_low ? of_high : of_low, y_is_low ? of_low : of_high, first + i));
  }
}

}  // namespace paddle
}  // namespace hadamard::dialect
