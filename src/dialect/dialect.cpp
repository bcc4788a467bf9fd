#include "dialect/dialect.hpp"

#include <algorithm>
#include <vector>

#include "base/fail.hpp"
#include "dialect/matlab/promotion.hpp"
#include "dialect/paddle/paddle.hpp"
#include "dialect/sonnx/requirements.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
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

// Runs f; a shape error leaves it with the dialect's requirement.
template <class F>
auto with_requirement(const plan::Request& request, const Layout& a, const Layout& b,
                      const Options& options, F f) {
  try {
    return f();
  } catch (const Error& error) {
    if (options.dialect == Dialect::paddle && request.rule == Broadcast::paddle) {
      paddle::require_broadcast(a.shape, b.shape, request.axis);  // says it in Paddle's words
    }
    if (error.code() != ErrorCode::shape_mismatch) throw;
    if (options.dialect == Dialect::matlab && request.rule == Broadcast::matlab) {
      matlab::expanded_size(a.shape, b.shape);  // says it in MATLAB's words
    }
    fail_as(rules(options.dialect), Violation::shape, request.op, a.dtype, error.code(),
            error.what());
  }
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
      return !op::names(op).matlab.empty() && op != Op::max && op != Op::min;
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

plan::Request settle(Op op, const Layout& a, const Layout& b, const Options& options) {
  const Rules& r = rules(options.dialect);
  require_valid(a);
  require_valid(b);
  if (static_cast<int>(op) >= op::kOpCount || name_or_empty(options.broadcast).empty() ||
      name_or_empty(options.int_division).empty()) {
    fail(ErrorCode::bad_argument,
         "the operator or an option has a value that its type does not list");
  }
  if (op::arity(op) > 2 || op::type_rule(op) != op::TypeRule::same) {
    fail(ErrorCode::unavailable, "{} can only be computed in a program", name(op));
  }
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
  if (!op::is_plain_for(op, a.dtype)) {
    fail(ErrorCode::unavailable, "{} of {} can only be computed in a program", name(op),
         name(a.dtype));
  }
  require_defined(r, op, a.dtype);
  if (a.dtype != b.dtype) {
    fail_as(r, Violation::type, op, a.dtype, ErrorCode::type_mismatch,
            fmt::format("{} is {} and {} is {}: the operands of {} must have the same type; cast "
                        "one of them",
                        r.a, name(a.dtype), r.b, name(b.dtype), name(op)));
  }
  if (options.then) require_then(r, *options.then, a.dtype);
  return {op, options.int_division.value_or(r.int_division),
          options.broadcast.value_or(r.broadcast), options.axis, options.then};
}

Dims result_shape(const plan::Request& request, const Layout& a, const Layout& b,
                  const Options& options) {
  return with_requirement(request, a, b, options,
                          [&] { return plan::result_shape(request, a, b); });
}

plan::Plan make_plan(const plan::Request& request, const Layout& a, const Layout& b,
                     const Layout& y, const Options& options) {
  return with_requirement(request, a, b, options,
                          [&] { return plan::make_plan(request, a, b, y); });
}

void fail_violation(Dialect dialect, Violation violation, Op op, DType type, ErrorCode code,
                    std::string message) {
  fail_as(rules(dialect), violation, op, type, code, std::move(message));
}

void fail_zero_divisor(Dialect dialect, const plan::Plan& plan, const exec::Places& places) {
  const op::Divisor divisor = op::divisor(plan.op);
  const Rules& r = rules(dialect);
  const bool is_paddle = dialect == Dialect::paddle;
  const bool is_operand = divisor == op::Divisor::a || divisor == op::Divisor::b;
  const std::string which = is_operand ? fmt::format("{} divisor {}", is_paddle ? "The" : "the",
                                                     divisor == op::Divisor::a ? r.a : r.b)
                                       : (is_paddle ? "A divisor" : "a divisor");
  const Kind k = kind(plan.dtype);
  const std::string_view what = k == Kind::exact     ? "exact"
                                : k == Kind::boolean ? "bool"
                                                     : "integer";
  const bool stretched =
      plan.operand_shapes[divisor == op::Divisor::a ? plan::kA : plan::kB] != plan.shape;
  fail_as(r, Violation::zero_divisor, plan.op, plan.dtype, ErrorCode::zero_divisor,
          (is_paddle ? fmt::format("{} ", paddle::kZeroDivisor) : "") +
              fmt::format(
                  "{} is 0 at index {}: {} division by zero has no result; nothing was written{}",
                  which, to_string(exec::first_zero_divisor(plan, places)), what,
                  stretched ? " (the index is that of the result)" : ""));
}

}  // namespace hadamard::dialect
