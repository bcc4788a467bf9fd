#include "dialect/dialect.hpp"

#include <algorithm>
#include <vector>

#include "base/fail.hpp"
#include "dialect/matlab/promotion.hpp"
#include "dialect/paddle/paddle.hpp"
#include "dialect/sonnx/requirements.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard::dialect {
namespace {

[[noreturn]] void fail_as(const Rules& rules, Violation violation, Op op, DType type,
                          ErrorCode code, std::string message) {
  std::string id = rules.requirement(violation, op, type);
  const std::string_view said = statement(id);
  if (!id.empty()) message += fmt::format(" [{}{}{}]", id, said.empty() ? "" : ": ", said);
  throw Error(code, std::move(message), std::move(id));
}

template <class List>
std::string listed(const List& list) {
  std::string names;
  for (const auto entry : list)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name(entry));
  return names;
}

template <class Has>
std::string listed_types(Has has) {
  std::vector<DType> types;
  for (int i = 0; i < kTypeCount; ++i) {
    if (has(static_cast<DType>(i))) types.push_back(static_cast<DType>(i));
  }
  return listed(types);
}
std::string listed_ops(const Rules& rules) {
  std::vector<Op> ops(std::begin(op::kPlainOps), std::end(op::kPlainOps));
  std::erase_if(ops, [&](Op op) { return !rules.has_op(op); });
  return listed(ops);
}

// The name of an option's value; empty where the number is none of its enumeration.
template <class E>
std::string_view name_or_empty(const std::optional<E>& value) {
  return value ? name(*value) : std::string_view("unset");
}

void require_op(const Rules& r, Op op, DType type) {
  if (r.has_op(op)) return;
  fail_as(r, Violation::unsupported_op, op, type, ErrorCode::bad_argument,
          fmt::format("dialect {} has no operator {}; it has: {}", name(r.id), name(op),
                      listed_ops(r)));
}

// The operator is defined for a type that the dialect has, by the dialect too.
void require_defined(const Rules& r, Op op, DType type) {
  if (!op::is_defined(op, type)) {
    fail_as(r, Violation::unsupported_type, op, type, ErrorCode::unsupported_type,
            fmt::format("{} is not defined for {}; it is for: {}", name(op), name(type),
                        listed_types([&](DType t) { return op::is_defined(op, t); })));
  }
  if (r.ops == OpSet::onnx && kind(type) == Kind::integer && !op::onnx_takes(op, type)) {
    fail_as(r, Violation::unsupported_type, op, type, ErrorCode::unsupported_type,
            fmt::format("{} of dialect {} does not take {}; it takes: {}", name(op), name(r.id),
                        name(type), listed_types([&](DType t) { return op::onnx_takes(op, t); })));
  }
}

// What may follow an operator: one with one operand that the dialect would take in a call of its
// own, and that has a result for every element. Paddle's activations are of floats.
void require_then(const Rules& r, Op then, DType type) {
  const bool known = static_cast<int>(then) < op::kOpCount;
  if (!known || op::arity(then) != 1 || r.id == Dialect::matlab) {
    fail(ErrorCode::bad_argument,
         "what is applied to each result must be an operator of dialect {} with one operand{}",
         name(r.id), known ? fmt::format(", which {} is not", name(then)) : "");
  }
  require_op(r, then, type);
  require_defined(r, then, type);
  const bool floating = kind(type) == Kind::floating;
  if (r.id == Dialect::paddle && !floating) {
    const auto takes = [&](DType t) {
      return op::is_defined(then, t) && r.has_type(t) && kind(t) == Kind::floating;
    };
    fail(ErrorCode::unsupported_type, "{} cannot be applied to results of {}; it can to: {}",
         name(then), name(type), listed_types(takes));
  }
  if (!floating && kind(type) != Kind::complex && op::divisor(then) != op::Divisor::none) {
    fail(ErrorCode::bad_argument,
         "{} of {} may divide by zero, so it cannot be applied to each result: use two calls",
         name(then), name(type));
  }
}

}  // namespace

bool Rules::has_op(Op op) const noexcept {
  switch (ops) {
    case OpSet::onnx:
      return !op::names(op).onnx.empty();
    case OpSet::matlab:
      return !op::names(op).matlab.empty();
    case OpSet::paddle:
      return !op::names(op).paddle.empty();
    case OpSet::all:
      break;
  }
  return true;
}
bool Rules::has_type(DType type) const noexcept {
  return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

const Rules& native() {
  static const Rules rules{.id = Dialect::native,
                           .broadcast = Broadcast::numpy,
                           .int_division = IntDivision::trunc,
                           .ops = OpSet::all,
                           .types = {},
                           .requirement = [](Violation, Op, DType) { return std::string(); }};
  return rules;
}

const Rules& rules(Dialect dialect) {
  switch (dialect) {
    case Dialect::native:
      return native();
    case Dialect::sonnx:
      return sonnx();
    case Dialect::onnx:
      return onnx();
    case Dialect::matlab:
      return matlab_rules();
    case Dialect::paddle:
      return paddle_rules();
  }
  fail(ErrorCode::bad_argument, "no dialect has the number {}", static_cast<int>(dialect));
}

void require_listed(const Options& options) {
  rules(options.dialect);
  const bool has_order = options.order == Order::row_major || options.order == Order::column_major;
  if (name_or_empty(options.broadcast).empty() || name_or_empty(options.int_division).empty() ||
      !has_order) {
    fail(ErrorCode::bad_argument, "an option has a value that its type does not list");
  }
}
void require_listed(Op op) {
  if (static_cast<int>(op) < op::kOpCount) return;
  fail(ErrorCode::bad_argument, "no operator has the number {}", static_cast<int>(op));
}

Policy settle(Op op, const Layout& a, const Layout& b, const Options& options) {
  const Rules& r = rules(options.dialect);
  require_valid(a);
  require_valid(b);
  require_listed(op);
  require_listed(options);
  require_op(r, op, a.dtype);
  for (const Layout* operand : {&a, &b}) {
    if (!r.has_type(operand->dtype)) {
      fail_as(r, Violation::unsupported_type, op, operand->dtype, ErrorCode::unsupported_type,
              fmt::format("{} is {}, which {} of dialect {} does not have; it has: {}",
                          operand == &a ? r.a : r.b, name(operand->dtype), name(op), name(r.id),
                          listed(r.types)));
    }
  }
  if (r.id == Dialect::matlab && !matlab::is_one_step(op, a.dtype, b.dtype)) {
    fail(ErrorCode::unavailable,
         "{} of {} and {} in dialect matlab is more than one step (types are promoted, and the "
         "result's may depend on values): it cannot be prepared; use apply(), or floats of one "
         "type",
         name(op), name(a.dtype), name(b.dtype));
  }
  require_defined(r, op, a.dtype);
  if (a.dtype != b.dtype) {
    fail_as(r, Violation::type, op, a.dtype, ErrorCode::type_mismatch,
            fmt::format("{} is {} and {} is {}: the operands of {} must have the same type; cast "
                        "one of them",
                        r.a, name(a.dtype), r.b, name(b.dtype), name(op)));
  }
  if (options.then) require_then(r, *options.then, a.dtype);
  return {options.int_division.value_or(r.int_division), options.broadcast.value_or(r.broadcast),
          options.axis};
}

void require_broadcast(Op op, const Policy& policy, const Layout& a, const Layout& b,
                       const Options& options) {
  try {
    plan::broadcast(policy.rule, policy.axis, a, b);
  } catch (const Error& error) {
    if (options.dialect == Dialect::paddle && policy.rule == Broadcast::paddle) {
      paddle::require_broadcast(a.shape, b.shape, policy.axis);  // says it in Paddle's words
    }
    if (error.code() != ErrorCode::shape_mismatch) throw;
    if (options.dialect == Dialect::matlab && policy.rule == Broadcast::matlab) {
      matlab::expanded_size(a.shape, b.shape);  // says it in MATLAB's words
    }
    fail_as(rules(options.dialect), Violation::shape, op, a.dtype, error.code(), error.what());
  }
}

void fail_violation(Dialect dialect, Violation violation, Op op, DType type, ErrorCode code,
                    std::string message) {
  fail_as(rules(dialect), violation, op, type, code, std::move(message));
}

}  // namespace hadamard::dialect
