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

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// "(alpha=0.2, …)", which begins at `open`.
std::vector<Attribute> attributes_in(std::string_view text, std::size_t open) {
  const auto fail_text = [&] {
    fail(ErrorCode::bad_argument,
         "'{}' is not an activation with attributes: expected {}(name=0.2)", text,
         trimmed(text.substr(0, open)));
  };
  std::string_view rest = trimmed(text.substr(open + 1));
  if (!rest.ends_with(')')) fail_text();
  rest = trimmed(rest.substr(0, rest.size() - 1));
  std::vector<Attribute> made;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, comma);
    const std::size_t sign = part.find('=');
    if (sign == std::string_view::npos) fail_text();
    made.emplace_back(std::string(trimmed(part.substr(0, sign))),
                      Real::parse(trimmed(part.substr(sign + 1))));
    if (comma == rest.size()) break;
    rest = rest.substr(comma + 1);
    if (rest.empty()) fail_text();
  }
  return made;
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
  for (const Op op : op::kPlainOps) {
    if (op::arity(op) == 1 && !name.empty() && op::names(op).paddle == name) return op;
  }
  return std::nullopt;
}

std::string all_activations() {
  std::string names;
  for (const Op op : op::kPlainOps) {
    if (op::arity(op) == 1 && !op::names(op).paddle.empty()) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", op::names(op).paddle);
    }
  }
  return names;
}

std::optional<Activation> activation_or_operator(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::string_view name = trimmed(text.substr(0, open));
  std::optional<Op> op = activation(name);
  if (!op) {
    op = op_from_name(name);
    if (!op || op::arity(*op) != 1) return std::nullopt;
  }
  Activation made{*op, {}};
  if (open != std::string_view::npos) made.attributes = attributes_in(text, open);
  op::attribute_values(made.op, made.attributes);
  return made;
}

std::string all_activations_and_operators(Dialect dialect) {
  if (dialect == Dialect::matlab) return "none (it applies nothing to each result: use two calls)";
  const Rules& its = rules(dialect);
  std::vector<std::string_view> names, others;
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
