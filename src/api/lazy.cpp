// Expressions of C++ that become programs.
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "api/program.hpp"
#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "dialect/lowering.hpp"
#include "op/ops.hpp"

namespace hadamard {

struct Lazy::Node {
  std::optional<Tensor> owned;  // what `view` refers to, where that was a temporary
  std::optional<ConstView> view;
  std::optional<Real> number;
  bool is_negative_zero = false;
  std::optional<double> special;  // an infinity or NaN
  Op op{};
  DType to{};
  std::vector<Attribute> attributes;
  std::vector<std::shared_ptr<const Node>> operands;

  // Chains of a million operators are freed one by one, not by recursion.
  ~Node() {
    std::vector<std::shared_ptr<const Node>> rest = std::move(operands);
    while (!rest.empty()) {
      const std::shared_ptr<const Node> last = std::move(rest.back());
      rest.pop_back();
      if (last.use_count() > 1) continue;
      auto& inner = const_cast<Node&>(*last).operands;
      for (auto& operand : inner) rest.push_back(std::move(operand));
      inner.clear();
    }
  }
};

namespace {

using Node = Lazy::Node;

struct LoweredExpression {
  plan::Lowered lowered;
  std::vector<ConstView> inputs;
};

bool is_same(const ConstView& a, const ConstView& b) {
  return a.data() == b.data() && a.offset() == b.offset() && a.layout() == b.layout();
}

// Names the inputs A, B, … in the order in which the expression has them.
class ExpressionLowering {
 public:
  explicit ExpressionLowering(const Options& options) : lowering_(options) {
    dialect::require_program_options(options);
  }

  // From the operands up, with a stack of its own: expressions may be deep.
  dialect::LoweredOperand lower(const Node* root) {
    std::vector<const Node*> stack{root};
    while (!stack.empty()) {
      const Node* const node = stack.back();
      if (done_.contains(node)) {
        stack.pop_back();
        continue;
      }
      bool is_ready = true;
      for (std::size_t i = node->operands.size(); i-- > 0;) {
        if (done_.contains(node->operands[i].get())) continue;
        stack.push_back(node->operands[i].get());
        is_ready = false;
      }
      if (!is_ready) continue;
      stack.pop_back();
      done_.emplace(node, lowered(*node));
    }
    return done_.at(root);
  }

  LoweredExpression finish(const Node* root) {
    const dialect::LoweredOperand result = lower(root);
    lowering_.output("Y", lowering_.value_of(result));
    return {lowering_.finish(), std::move(inputs_)};
  }

 private:
  dialect::LoweredOperand lowered(const Node& node) {
    if (node.view) return input(*node.view);
    if (node.special) return dialect::LoweredOperand::special(*node.special);
    if (node.number) {
      const dialect::LoweredOperand number(*node.number);
      return node.is_negative_zero ? number.negated() : number;
    }
    std::vector<dialect::LoweredOperand> operands;
    for (const auto& operand : node.operands) operands.push_back(done_.at(operand.get()));
    return lowering_.apply(node.op, operands, {}, node.to, node.attributes);
  }
  dialect::LoweredOperand input(const ConstView& view) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (is_same(inputs_[i], view)) return ids_[i];
    }
    const std::size_t i = inputs_.size();
    const std::string letter(1, static_cast<char>('A' + i % 24));
    ids_.push_back(
        lowering_.input(i < 24 ? letter : letter + std::to_string(i / 24), view.layout()));
    inputs_.push_back(view);
    return ids_.back();
  }

  dialect::Lowering lowering_;
  std::vector<ConstView> inputs_;
  std::vector<program::ValueId> ids_;
  std::unordered_map<const Node*, dialect::LoweredOperand> done_;
};

const std::shared_ptr<const Node>& checked(const std::shared_ptr<const Node>& node) {
  if (node == nullptr) fail(ErrorCode::bad_argument, "this Lazy was moved from");
  return node;
}

std::vector<exec::Place> places(const std::vector<ConstView>& views) {
  std::vector<exec::Place> at;
  for (const ConstView& view : views) at.push_back({view.data(), view.offset()});
  return at;
}
std::vector<Layout> layouts(const std::vector<ConstView>& views) {
  std::vector<Layout> all;
  for (const ConstView& view : views) all.push_back(view.layout());
  return all;
}

}  // namespace

Lazy::Lazy(const ConstView& view) {
  auto node = std::make_shared<Node>();
  node->view = view;
  node_ = std::move(node);
}

Lazy::Lazy(Tensor&& tensor) {
  auto node = std::make_shared<Node>();
  node->owned.emplace(std::move(tensor));
  node->view.emplace(std::as_const(*node->owned).view());
  node_ = std::move(node);
}

Lazy::Lazy(Op op, std::initializer_list<Lazy> operands, std::vector<Attribute> attributes) {
  if (static_cast<int>(op) >= op::kOpCount) {
    fail(ErrorCode::bad_argument, "no operator has the number {}", static_cast<int>(op));
  }
  if (static_cast<std::size_t>(op::arity(op)) != operands.size()) {
    fail(ErrorCode::bad_argument, "{} expects {} operand{}, got {}", name(op), op::arity(op),
         op::arity(op) == 1 ? "" : "s", operands.size());
  }
  op::attribute_values(op, attributes);
  auto node = std::make_shared<Node>();
  node->op = op;
  node->attributes = std::move(attributes);
  for (const Lazy& operand : operands) node->operands.push_back(checked(operand.node_));
  node_ = std::move(node);
}

Lazy Lazy::cast(const Lazy& operand, DType to) {
  auto node = std::make_shared<Node>();
  node->op = Op::cast;
  node->to = to;
  node->operands.push_back(checked(operand.node_));
  return Lazy(std::shared_ptr<const Node>(std::move(node)));
}

Lazy Lazy::of_number(double number) {
  const ScopedFloatEnv env;
  auto node = std::make_shared<Node>();
  if (std::isfinite(number)) {
    node->number = Real::from_double(number);
  } else {
    node->special = number;
  }
  node->is_negative_zero = number == 0 && std::signbit(number);
  return Lazy(std::shared_ptr<const Node>(std::move(node)));
}
Lazy Lazy::of_integer(std::int64_t number) {
  auto node = std::make_shared<Node>();
  node->number = Real(number);
  return Lazy(std::shared_ptr<const Node>(std::move(node)));
}
Lazy Lazy::of_unsigned(std::uint64_t number) {
  auto node = std::make_shared<Node>();
  node->number = Real::from_unsigned(number);
  return Lazy(std::shared_ptr<const Node>(std::move(node)));
}

Tensor eval(const Lazy& expression, const Options& options) {
  LoweredExpression made = ExpressionLowering(options).finish(checked(expression.node()).get());
  std::vector<Layout> outputs = result_layouts(made.lowered, options.order);
  const auto impl =
      make_program_impl(std::move(made.lowered), layouts(made.inputs), std::move(outputs), options);
  return std::move(run_fresh(*impl, places(made.inputs))[0]);
}

void eval_into(const View& y, const Lazy& expression, const Options& options) {
  LoweredExpression made = ExpressionLowering(options).finish(checked(expression.node()).get());
  const auto impl =
      make_program_impl(std::move(made.lowered), layouts(made.inputs), {y.layout()}, options);
  run_into_views(*impl, places(made.inputs), {&y, 1});
}

PreparedProgram prepare(const Lazy& expression, const Options& options) {
  LoweredExpression made = ExpressionLowering(options).finish(checked(expression.node()).get());
  std::vector<Layout> outputs = result_layouts(made.lowered, options.order);
  return make_prepared(make_program_impl(std::move(made.lowered), layouts(made.inputs),
                                         std::move(outputs), options));
}

}  // namespace hadamard
