#include "dialect/lowering.hpp"

#include <algorithm>
#include <utility>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "dialect/dialect.hpp"
#include "dialect/paddle/paddle.hpp"
#include "num/exact.hpp"
#include "num/text.hpp"
#include "op/ops.hpp"
#include "op/signature.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard::dialect {

using program::Node;
using program::Operands;
using program::SourceRange;
using program::ValueId;

namespace {

std::string text_of(const LoweredOperand& number) {
  const std::string value =
      number.special() ? text::format(*number.special()) : number.number().to_string();
  return value + (number.is_imaginary() ? "i" : "");
}

[[noreturn]] void fail_number(const LoweredOperand& number, DType type) {
  fail(ErrorCode::bad_argument,
       "the number {} cannot be held exactly by {}, the type that it meets; cast the operand",
       text_of(number), name(type));
}

// Rounded once; a zero keeps its sign.
template <class F>
F rounded(const LoweredOperand& number) {
  if (number.special()) return op::Cast::convert<F>(*number.special());
  const bool is_negative_zero = number.number().is_zero() && number.is_negative();
  return is_negative_zero ? F(-0.0) : exact::round_to<F>(number.number());
}

template <class T>
Tensor typed_number(const LoweredOperand& number) {
  constexpr Kind kKind = Element<T>::kKind;
  const Real& value = number.number();
  if constexpr (kKind == Kind::complex) {
    using Part = typename Element<T>::Part;
    const auto part = rounded<Part>(number);
    return Tensor::scalar(number.is_imaginary() ? T(0, part) : T(part, 0));
  } else {
    constexpr bool kHasSpecials = kKind == Kind::floating;
    if (number.is_imaginary() || (number.special() && !kHasSpecials)) {
      fail_number(number, dtype_of<T>);
    }
    if constexpr (kKind == Kind::exact) {
      return Tensor::scalar(value);
    } else if constexpr (kKind == Kind::floating) {
      return Tensor::scalar(rounded<T>(number));
    } else {
      const T converted = op::Cast::convert<T>(value);
      if (!(op::Cast::convert<Real>(converted) == value)) fail_number(number, dtype_of<T>);
      return Tensor::scalar(converted);
    }
  }
}

}  // namespace

Lowering::Lowering(const Options& options, DType number_type)
    : options_(options),
      number_type_(number_type),
      rule_(options.broadcast.value_or(rules(options.dialect).broadcast)) {
  require_listed(options);
}

void require_program_options(const Options& options) {
  if (options.dialect == Dialect::matlab) {
    fail(ErrorCode::unavailable,
         "dialect matlab promotes types and has results that depend on values, which programs do "
         "not yet: use hadamard matlab, or dialect native");
  }
  if (options.then) {
    fail(ErrorCode::bad_argument, "a program has no operator behind its results: write {}(…) in it",
         name(*options.then));
  }
  if (!options.attributes.empty() || !options.then_attributes.empty()) {
    fail(ErrorCode::bad_argument,
         "a program has its attributes in its operators: write leaky_relu(x, alpha=0.2), not "
         "options with attributes");
  }
  if (options.axis != -1 &&
      options.broadcast.value_or(rules(options.dialect).broadcast) == Broadcast::paddle) {
    fail(ErrorCode::bad_argument,
         "a program aligns shapes at the last dimension: axis must be -1, got {}", options.axis);
  }
}

ValueId Lowering::input(std::string input_name, const Layout& layout) {
  require_valid(layout);
  input_names_.push_back(input_name);
  const ValueId id = builder_.input(std::move(input_name), layout.dtype);
  shapes_.resize(id + 1);
  shapes_[id] = layout.shape;
  inputs_.push_back(layout);
  return id;
}

ValueId Lowering::constant(const LoweredOperand& number, DType type) {
  Tensor value =
      with_type(type, [&](auto t) { return typed_number<typename decltype(t)::type>(number); });
  const ValueId id = builder_.constant(std::move(value), number.source());
  if (shapes_.size() <= id) shapes_.resize(id + 1);
  return id;
}

// As a cast of the exact number.
ValueId Lowering::converted(Op op, const LoweredOperand& number, DType to) {
  const bool is_plain = !number.is_imaginary() && !number.special();
  const DType from = DType::real;
  const op::Signature signature = op::signature(op, {&from, 1}, to);
  if (!signature.problem.empty()) fail(ErrorCode::unsupported_type, "{}", signature.problem);
  if (!is_plain || kind(to) == Kind::complex || kind(to) == Kind::floating) {
    return constant(number, to);
  }
  Tensor value = op::with_op(op, [&](auto o) {
    return with_type(to, [&](auto t) {
      using Operator = typename decltype(o)::type;
      using To = typename decltype(t)::type;
      if constexpr (op::type_rule_of<Operator>() == op::TypeRule::convert) {
        if constexpr (Operator::template kDefined<To, Real>) {
          return Tensor::scalar(Operator::template convert<To>(number.number()));
        }
      }
      return Tensor(dtype_of<To>, Dims{});
    });
  });
  const ValueId id = builder_.constant(std::move(value), number.source());
  if (shapes_.size() <= id) shapes_.resize(id + 1);
  return id;
}

ValueId Lowering::value_of(const LoweredOperand& operand) {
  if (!operand.is_number()) return operand.value();
  return constant(operand, operand.is_imaginary() ? DType::complex128 : number_type_);
}

// That of the first operand with a type. A condition has its own.
DType Lowering::type_to_meet(Op op, std::span<const LoweredOperand> operands) const {
  const std::size_t first = op::type_rule(op) == op::TypeRule::select ? 1 : 0;
  for (std::size_t i = first; i < operands.size(); ++i) {
    if (!operands[i].is_number()) return type(operands[i].value());
  }
  return number_type_;
}

ValueId Lowering::apply(Op op, std::span<const LoweredOperand> operands, SourceRange source,
                        DType to, std::span<const Attribute> given) {
  const Rules& r = rules(options_.dialect);
  if (!r.has_op(op)) {
    fail_violation(options_.dialect, Violation::unsupported_op, op, DType::fp64,
                   ErrorCode::bad_argument,
                   fmt::format("dialect {} has no operator {}", name(r.id), name(op)));
  }
  if (operands.size() > program::kMostOperands ||
      static_cast<int>(operands.size()) != op::arity(op)) {
    fail(ErrorCode::bad_argument, "{} expects {} operand{}, got {}", name(op), op::arity(op),
         op::arity(op) == 1 ? "" : "s", operands.size());
  }
  if (op::type_rule(op) == op::TypeRule::convert && operands[0].is_number()) {
    return converted(op, operands[0], to);  // rounded once
  }
  const DType meets = type_to_meet(op, operands);
  ValueId ids[program::kMostOperands];
  for (std::size_t i = 0; i < operands.size(); ++i) {
    ids[i] = operands[i].is_number() ? constant(operands[i], meets) : operands[i].value();
  }
  const Operands all(std::span<const ValueId>(ids, operands.size()));
  const program::Attributes attributes{
      .int_division = op::rounds_quotients(op) ? options_.int_division.value_or(r.int_division)
                                               : IntDivision::trunc,
      .values = op::attribute_values(op, given)};
  const ValueId id = checked_apply(op, all, attributes, source, to);
  // A composed operator adds several nodes; those between have a shape of their own.
  for (ValueId added = static_cast<ValueId>(shapes_.size()); added <= id; ++added) {
    const Node& node = builder_.node(added);
    shapes_.push_back(node.kind == Node::Kind::operation ? result_shape(node.operands) : Dims{});
  }
  return id;
}

// Shapes and types first, so that their errors carry the dialect's requirement.
ValueId Lowering::checked_apply(Op op, const Operands& operands,
                                const program::Attributes& attributes, SourceRange source,
                                DType to) {
  const Rules& r = rules(options_.dialect);
  const DType type = builder_.type(operands[operands.size() - 1]);
  const op::TypeRule rule = op::type_rule(op);
  const bool computes = rule != op::TypeRule::select && rule != op::TypeRule::convert;
  Violation violation = Violation::unsupported_type;
  try {
    if (computes && type != DType::bool_ && !r.has_type(type)) {
      fail(ErrorCode::unsupported_type, "{} of dialect {} does not take {}", name(op), name(r.id),
           name(type));
    }
    violation = Violation::type;
    const ValueId id = builder_.apply(op, operands, attributes, source, to);
    violation = Violation::shape;
    result_shape(operands);
    return id;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::too_large) throw;
    fail_violation(options_.dialect, violation, op, type, error.code(),
                   violation == Violation::shape ? shapes_text(op, operands)
                                                 : error.what() + advice(operands));
  }
}

// "the operands of mul have shapes M (2,2) and R (3), …"
std::string Lowering::shapes_text(Op op, const Operands& operands) const {
  std::string shapes;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Node& node = builder_.node(operands[i]);
    const bool is_last = i + 1 == operands.size();
    shapes += i == 0 ? "" : is_last ? " and " : ", ";
    if (node.kind == Node::Kind::input) shapes += input_names_[node.index] + " ";
    shapes += to_string(shapes_[operands[i]]);
  }
  return fmt::format("the operands of {} have shapes {}, which do not {} ({} rule)", name(op),
                     shapes, rule_ == Broadcast::none ? "equal each other" : "broadcast",
                     name(rule_));
}

// Beside types that differ: numbers that met no operand have a type of their own.
std::string Lowering::advice(const Operands& operands) const {
  for (const ValueId id : operands) {
    const bool is_number = builder_.node(id).kind == Node::Kind::constant;
    for (const ValueId other : operands) {
      const bool differs = builder_.type(other) != builder_.type(id);
      if (!is_number || !differs || builder_.node(other).kind == Node::Kind::constant) continue;
      return fmt::format("; numbers that meet no operand are {}: cast(…, '{}'), or --type {}",
                         name(builder_.type(id)), name(builder_.type(other)),
                         name(builder_.type(other)));
    }
  }
  return {};
}

Dims Lowering::result_shape(const Operands& operands) const {
  Dims shape;
  bool is_first = true;
  for (const ValueId id : operands) {
    if (builder_.node(id).kind == Node::Kind::constant) continue;  // fits every shape
    if (is_first) {
      shape = shapes_[id];
      is_first = false;
      continue;
    }
    const Layout both(DType::fp64, shape), one(DType::fp64, shapes_[id]);
    shape = plan::broadcast(rule_, options_.axis, both, one).shape;
  }
  element_count(shape);
  return shape;
}

void Lowering::output(std::string output_name, ValueId value) {
  builder_.output(std::move(output_name), value);
  outputs_.push_back(value);
}

std::size_t Lowering::first_dim(const Dims& shape, std::size_t rank) const {
  return rule_ == Broadcast::matlab ? 0 : rank - shape.size();
}

plan::Lowered Lowering::finish() {
  plan::Lowered lowered;
  for (const Dims& shape : shapes_) lowered.rank = std::max(lowered.rank, shape.size());
  for (const ValueId id : outputs_) {
    lowered.outputs.push_back({shapes_[id], first_dim(shapes_[id], lowered.rank)});
  }
  for (const Layout& input : inputs_) {
    Dims strides = Dims::filled(lowered.rank, 0);
    const std::size_t first = first_dim(input.shape, lowered.rank);
    for (std::size_t i = 0; i < input.rank(); ++i) {
      if (input.shape[i] != 1) strides[first + i] = input.strides[i];
    }
    lowered.input_strides.push_back(std::move(strides));
  }
  // Of two operands where one begins at an axis of the other, as that rule places them.
  if (rule_ == Broadcast::paddle && options_.axis != -1 && inputs_.size() == 2) {
    plan::Aligned aligned = plan::broadcast(rule_, options_.axis, inputs_[0], inputs_[1]);
    lowered.input_strides = {std::move(aligned.a_strides), std::move(aligned.b_strides)};
  }
  lowered.rule = rule_;
  lowered.axis = options_.axis;
  lowered.program = builder_.finish();
  // Dead nodes are gone: shapes of those that are left, from those of the inputs.
  std::vector<Dims> own(lowered.program.nodes().size());
  for (ValueId id = 0; id < own.size(); ++id) {
    const Node& node = lowered.program.node(id);
    if (node.kind == Node::Kind::input) own[id] = inputs_[node.index].shape;
    if (node.kind != Node::Kind::operation) continue;
    bool is_first = true;
    for (const ValueId operand : node.operands) {
      if (lowered.program.node(operand).kind == Node::Kind::constant) continue;
      own[id] = is_first ? own[operand]
                         : plan::broadcast(rule_, options_.axis, Layout(DType::fp64, own[id]),
                                           Layout(DType::fp64, own[operand]))
                               .shape;
      is_first = false;
    }
  }
  for (const Dims& shape : own) {
    Dims aligned = Dims::filled(lowered.rank, 1);
    const std::size_t first = first_dim(shape, lowered.rank);
    for (std::size_t i = 0; i < shape.size(); ++i) aligned[first + i] = shape[i];
    lowered.shapes.push_back(std::move(aligned));
    lowered.own.push_back({first, shape.size()});
  }
  return lowered;
}

std::string place_text(std::string_view source, SourceRange range) {
  const std::string_view before = source.substr(0, range.begin);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start = before.rfind('\n');
  const std::size_t column = range.begin - (start == std::string_view::npos ? 0 : start + 1) + 1;
  std::string_view text = source.substr(range.begin, range.end - range.begin);
  text = text.substr(0, text.find('\n'));
  constexpr std::size_t kLongest = 60;
  const bool is_cut = text.size() > kLongest;
  return fmt::format("line {}, column {}: '{}{}'", line, column, text.substr(0, kLongest),
                     is_cut ? "…" : "");
}

namespace {

// "the divisor B", where it is an input; else "a divisor".
std::string divisor_text(const program::Program& program, const Node& node) {
  const op::Divisor divisor = op::divisor(node.op);
  if (divisor != op::Divisor::a && divisor != op::Divisor::b) return "a divisor";
  const Node& operand = program.node(node.operands[divisor == op::Divisor::a ? 0 : 1]);
  if (operand.kind != Node::Kind::input) return "a divisor";
  return "the divisor " + program.inputs()[operand.index].name;
}

[[noreturn]] void fail_zero_divisor(Dialect dialect, const plan::Plan& plan, const Node& node,
                                    std::string_view index, DType type) {
  const program::Program& program = plan.lowered.program;
  const bool is_paddle = dialect == Dialect::paddle;
  std::string which = divisor_text(program, node);
  if (is_paddle) which[0] = static_cast<char>(which[0] - 'a' + 'A');
  const Kind k = kind(type);
  const op::Divisor divisor = op::divisor(node.op);
  const ValueId by = node.operands[divisor == op::Divisor::a ? 0 : node.operands.size() - 1];
  const Node& operand = program.node(by);
  const bool is_broadcast = operand.kind == Node::Kind::input &&
                            plan.inputs[operand.index].shape != plan.lowered.outputs[0].shape &&
                            plan.lowered.is_call;
  fail_violation(
      dialect, Violation::zero_divisor, node.op, type, ErrorCode::zero_divisor,
      (is_paddle ? fmt::format("{} ", paddle::kZeroDivisor) : "") +
          fmt::format("{}{} is 0 at index {}: {} division by zero has no result; nothing was "
                      "written{}",
                      which, plan.lowered.is_call ? "" : fmt::format(" of {}", name(node.op)),
                      index,
                      k == Kind::exact     ? "exact"
                      : k == Kind::boolean ? "bool"
                                           : "integer",
                      is_broadcast ? " (the index is that of the result)" : ""));
}

}  // namespace

void fail_node(Dialect dialect, const plan::Plan& plan, std::span<const exec::Place> inputs,
               ValueId failed) {
  const ScopedFloatEnv env;
  const exec::FailedElement at = exec::first_failure(plan, inputs, failed);
  if (at.failure == program::Failure::none) {
    fail(ErrorCode::zero_divisor, "an input was modified during the computation");
  }
  const program::Program& program = plan.lowered.program;
  const Node& node = program.node(at.node);
  const DType type = program.node(node.operands[node.operands.size() - 1]).type;
  const plan::Lowered::Own& own = plan.lowered.own[at.node];
  const bool has_place = node.source.end > node.source.begin;
  const std::string index =
      to_string(Dims(at.index.span().subspan(own.first, own.rank))) +
      (has_place ? fmt::format(" ({})", place_text(plan.lowered.source, node.source)) : "");
  if (at.failure == program::Failure::not_finite && plan.lowered.is_call) {
    const ConstView input(inputs[0].data, plan.inputs[0], inputs[0].offset);
    with_type(type, [&](auto t) {
      using T = typename decltype(t)::type;
      if constexpr (Element<T>::kKind == Kind::floating) {
        fail(ErrorCode::bad_argument, "the element at index {} is {}, which {} cannot hold", index,
             static_cast<double>(input.at<T>(at.index)), name(node.type));
      }
    });
  }
  if (at.failure == program::Failure::not_finite) {
    fail(ErrorCode::bad_argument,
         "{} of {} to {} at index {}: NaN and infinities have no exact value; nothing was written",
         name(node.op), name(type), name(node.type), index);
  }
  fail_zero_divisor(dialect, plan, node, index, type);
}

}  // namespace hadamard::dialect
