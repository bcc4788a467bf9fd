#include "matlab/interpreter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <new>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "base/float_env.hpp"
#include "hadamard/error.hpp"
#include "matlab/concatenation.hpp"
#include "matlab/elements.hpp"
#include "matlab/functions.hpp"
#include "matlab/indexing.hpp"
#include "matlab/language.hpp"
#include "matlab/range.hpp"
#include "matlab/scalars.hpp"

namespace hadamard::matlab {
namespace {

// What 'end' means: the value that is indexed, the position, and how many there are.
struct EndOf {
  const Value* value;
  std::size_t at, count;
};

class Evaluator {
  // The innermost place that a fault comes from.
  template <class F>
  static auto at(const Place& place, F&& f) {
    try {
      return f();
    } catch (Fault& fault) {
      if (!fault.place) fault.place = place;
      throw;
    } catch (const Error& error) {
      throw Fault{identifier_of(error), error.what(), place};
    }
  }

 public:
  explicit Evaluator(Workspace& workspace) : workspace_(workspace) {}

  void run(const Statement& statement) {
    workspace_.answer.clear();
    if (!statement.command.empty()) {
      std::vector<Value> words;
      for (const std::string& word : statement.words) words.push_back(Value::text(word));
      workspace_.is_value_wanted = false;
      keep_answer(at(statement.place, [&] { return call(statement.command, words); }), statement);
      return;
    }
    if (statement.target == nullptr) {
      run_expression(statement);
      return;
    }
    if (!statement.more.empty() || statement.target->kind == NodeKind::nothing) {
      run_several(statement);
      return;
    }
    Operand value = operand(*statement.value);
    const bool is_done = value.is_number() && overwrite(*statement.target, value.number);
    const std::string& name =
        is_done ? statement.target->text : assign_to(*statement.target, std::move(value).value());
    if (!statement.is_silent) show(name);
  }

 private:
  void show(const std::string& name) {
    workspace_.out(display(name, workspace_.variables.find(name)->second, workspace_.display));
  }

  void run_expression(const Statement& statement) {
    const Node& node = *statement.value;
    // A variable by itself is shown under its own name, all else becomes ans.
    if (node.kind == NodeKind::name && workspace_.variables.contains(node.text)) {
      workspace_.answer = node.text;
      if (!statement.is_silent) show(node.text);
      return;
    }
    workspace_.is_value_wanted = false;
    keep_answer(result_of(node), statement);
  }

  void keep_answer(std::optional<Value> value, const Statement& statement) {
    if (!value) return;
    workspace_.variables.insert_or_assign("ans", *std::move(value));
    workspace_.answer = "ans";
    if (!statement.is_silent) show("ans");
  }

  // [m, n] = size(A)
  void run_several(const Statement& statement) {
    const std::size_t count = 1 + statement.more.size();
    std::vector<Value> results = results_of(*statement.value, count);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
      const Node& target = i == 0 ? *statement.target : *statement.more[i - 1];
      if (target.kind == NodeKind::nothing) continue;
      names.push_back(assign_to(target, std::move(results[i])));
    }
    if (statement.is_silent) return;
    for (const std::string& name : names) show(name);
  }

  // As many results of a call.
  std::vector<Value> results_of(const Node& node, std::size_t count) {
    if (count == 1) return {evaluate(node)};
    const Node& function = node.kind == NodeKind::index ? *node.children[0] : node;
    if (function.kind != NodeKind::name || workspace_.variables.contains(function.text)) {
      throw Fault{"MATLAB:needMoreRhsOutputs",
                  fmt::format("expected a function that gives {} results, found one value", count),
                  node.place};
    }
    const std::vector<Value> arguments =
        node.kind == NodeKind::index ? arguments_of(node) : std::vector<Value>();
    at(function.place, [&] { return &function_named(function.text); });
    return at(node.place, [&] {
      workspace_.is_value_wanted = true;
      std::optional<Value> first = call(function.text, arguments, count);
      std::vector<Value> results = std::move(workspace_.more_results);
      const std::size_t given = first ? results.size() + 1 : 0;
      if (given < count) {
        const std::string found = given > 1    ? std::to_string(given)
                                  : given == 1 ? "one"
                                               : "nothing";
        throw Fault{"MATLAB:maxlhs",
                    fmt::format("{} gives {} here, not {} results", function.text, found, count)};
      }
      results.insert(results.begin(), *std::move(first));
      return results;
    });
  }

  // x = NUMBER where x was a number: in the same memory.
  bool overwrite(const Node& target, double number) {
    if (target.kind != NodeKind::name) return false;
    const auto found = workspace_.variables.find(target.text);
    if (found == workspace_.variables.end() || !plain_scalar(found->second)) return false;
    data_of<double>(found->second.own_elements())[0] = number;
    return true;
  }

  const std::string& assign_to(const Node& target, Value value) {
    if (target.kind == NodeKind::name) {
      workspace_.variables.insert_or_assign(target.text, std::move(value));
      return target.text;
    }
    const std::string& variable = target.children[0]->text;
    // The indices may contain any call, of clear too: they are evaluated by a value of their own,
    // which is let go before the assignment, so that the elements need not be copied.
    auto found = workspace_.variables.find(variable);
    // A new variable has the class of what is assigned.
    std::optional<Value> before =
        found == workspace_.variables.end() ? convert(Value(), value.cls()) : found->second;
    const std::vector<Index> indices = indices_of(target, &*before);
    found = workspace_.variables.find(variable);
    const bool is_there = found != workspace_.variables.end();
    if (is_there) before.reset();
    Value& changed = is_there ? found->second : *before;
    at(target.place, [&] { assign(changed, indices, value, variable, workspace_.rules.room); });
    if (!is_there) workspace_.variables.emplace(variable, *std::move(before));
    return variable;
  }

  Value evaluate(const Node& node) {
    const bool before = std::exchange(workspace_.is_value_wanted, true);
    std::optional<Value> value = result_of(node);
    workspace_.is_value_wanted = before;
    if (!value)
      throw Fault{"MATLAB:maxlhs", "the function gives no value to compute with", node.place};
    return *std::move(value);
  }

  std::optional<Value> result_of(const Node& node) {
    switch (node.kind) {
      case NodeKind::number:
        return number(node);
      case NodeKind::text:
        return text(node, Class::char_);
      case NodeKind::string:
        return text(node, Class::string);
      case NodeKind::name:
        return named(node);
      case NodeKind::colon:
        return Value::text(":");
      case NodeKind::end:
        return end(node);
      case NodeKind::unary:
      case NodeKind::postfix: {
        const Value a = evaluate(*node.children[0]);
        return at(node.place, [&] { return unary(node.op, a, workspace_.rules); });
      }
      case NodeKind::binary:
        return binary_of(node).value();
      case NodeKind::range:
        return range(node);
      case NodeKind::matrix:
        return matrix(node);
      case NodeKind::row:
        return row(node);
      case NodeKind::index:
        return index(node);
      case NodeKind::named:
      case NodeKind::nothing:
        break;
      case NodeKind::field:
        throw Fault{"MATLAB:undefined",
                    "'.' is for gpuArray.zeros and gpuArray.ones; there are no structures here",
                    node.place};
    }
    throw Fault{"Hadamard:internal", "an unknown node", node.place};
  }

  // 0x1F: bits of the class that the literal's length, or its suffix, says.
  static Value literal_integer(const Node& node) {
    const Function* const to_class = find_function(node.text);
    Workspace unused;
    const Value zero = Value::scalar(0);
    Value y = *to_class->run(unused, {&zero, 1});
    std::memcpy(y.own_elements().data(), &node.integer, y.elements().size_bytes());
    return y;
  }

  Value text(const Node& node, Class cls) const {
    Value y = Value::text(node.text, cls);
    at(node.place, [&] { workspace_.rules.room.require(y.size(), DType::uint16); });
    return y;
  }

  static Value number(const Node& node) {
    if (!node.text.empty()) return literal_integer(node);
    if (!node.imaginary || node.value == 0) return Value::scalar(node.value);  // 0i is real
    Value y = to_complex(Value::scalar(0));
    data_of<double>(y.own_elements())[1] = node.value;
    return y;
  }

  std::optional<Value> named(const Node& node) {
    const auto found = workspace_.variables.find(node.text);
    if (found != workspace_.variables.end()) return found->second;
    return at(node.place, [&] { return call(node.text, {}); });
  }

  Value end(const Node& node) const {
    if (ends_.empty()) throw Fault{"MATLAB:undefined", "'end' is only for an index", node.place};
    const EndOf& of = ends_.back();
    return Value::scalar(static_cast<double>(end_of(*of.value, of.at, of.count)));
  }

  // A value on its way through an expression: double and logical scalars are not boxed.
  struct Operand {
    Operand(double scalar) : number(scalar) {}                          // NOLINT
    Operand(bool scalar) : number(scalar ? 1 : 0), is_logical(true) {}  // NOLINT
    Operand(Value boxed_value) : boxed(std::move(boxed_value)) {}       // NOLINT

    bool is_scalar() const { return !boxed; }
    bool is_number() const { return !boxed && !is_logical; }
    Value value() && {
      if (boxed) return *std::move(boxed);
      return is_logical ? Value::logical(number != 0) : Value::scalar(number);
    }

    std::optional<Value> boxed;
    double number = 0;
    bool is_logical = false;
  };

  Operand operand(const Node& node) {
    if (node.kind == NodeKind::binary) return binary_of(node);
    if (node.kind == NodeKind::number && node.text.empty() && !node.imaginary) return node.value;
    if (node.kind == NodeKind::name) {
      const auto found = workspace_.variables.find(node.text);
      if (found != workspace_.variables.end()) {
        if (const std::optional<double> scalar = plain_scalar(found->second)) return *scalar;
      }
    }
    return evaluate(node);
  }

  Operand operation(const Node& node, Operand left, Operand right) {
    if (left.is_scalar() && right.is_scalar()) {
      const double a = left.number, b = right.number;
      if (const std::optional<double> y = of_scalars(node.op, a, b)) return *y;
      if (const std::optional<bool> y = comparison_of_scalars(node.op, a, b)) return *y;
    }
    const Value x = std::move(left).value(), y = std::move(right).value();
    return at(node.place, [&] { return binary(node.op, x, y, workspace_.rules); });
  }

  // && and || look at their right side only where it matters.
  Operand binary_of(const Node& start) {
    // Long chains a + b + c lean to the left: a loop, so that their length is not the stack's.
    std::vector<const Node*> chain;
    const Node* node = &start;
    for (; node->kind == NodeKind::binary; node = node->children[0].get()) chain.push_back(node);
    Operand left = operand(*node);
    while (!chain.empty()) {
      const Node& next = *chain.back();
      chain.pop_back();
      if (next.op == Operator::and_then || next.op == Operator::or_else) {
        const bool is_true = at(next.place, [&] { return truth(std::move(left).value()); });
        if (is_true == (next.op == Operator::or_else)) {
          left = Value::logical(is_true);
        } else {
          const Value right = evaluate(*next.children[1]);
          left = Value::logical(at(next.place, [&] { return truth(right); }));
        }
        continue;
      }
      Operand right = operand(*next.children[1]);
      left = operation(next, std::move(left), std::move(right));
    }
    return left;
  }

  static bool truth(const Value& value) {
    const Value logical = convert(value, Class::logical);
    if (logical.is_empty()) {
      throw Fault{"MATLAB:nonLogicalConditional", "an empty value is neither true nor false"};
    }
    for (std::int64_t i = 0; i < logical.numel(); ++i) {
      if (!data_of<bool>(logical)[i]) return false;
    }
    return true;
  }

  Value range(const Node& node) {
    std::vector<Value> ends;
    for (const NodePtr& child : node.children) ends.push_back(evaluate(*child));
    return at(node.place, [&] { return range_of(ends, workspace_.rules.room); });
  }

  Value row(const Node& node) {
    std::vector<Value> parts;
    for (const NodePtr& child : node.children) parts.push_back(evaluate(*child));
    if (parts.size() == 1) return std::move(parts[0]);
    return at(node.place, [&] { return concatenated(parts, 2, workspace_.rules.room); });
  }

  Value matrix(const Node& node) {
    std::vector<Value> rows;
    for (const NodePtr& child : node.children) rows.push_back(row(*child));
    if (rows.size() == 1) return std::move(rows[0]);
    return at(node.place, [&] { return concatenated(rows, 1, workspace_.rules.room); });
  }

  // `of` is null where a function is called: 'end' then means nothing.
  std::vector<Index> indices_of(const Node& node, const Value* of) {
    std::vector<Index> indices;
    const std::size_t count = node.children.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
      const Node& child = *node.children[i + 1];
      if (child.kind == NodeKind::colon) {
        indices.emplace_back(All{});
        continue;
      }
      if (of != nullptr) ends_.push_back({of, i, count});
      try {
        indices.emplace_back(evaluate(child));
      } catch (...) {
        if (of != nullptr) ends_.pop_back();
        throw;
      }
      if (of != nullptr) ends_.pop_back();
    }
    return indices;
  }

  std::vector<Value> arguments_of(const Node& node) {
    std::vector<Value> arguments;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      arguments.push_back(evaluate(*node.children[i]));
    }
    return arguments;
  }

  std::optional<Value> index(const Node& node) {
    const Node& base = *node.children[0];
    if (base.kind == NodeKind::field) return on_device(base, node);
    if (base.kind == NodeKind::name && !workspace_.variables.contains(base.text)) {
      const std::vector<Value> arguments = arguments_of(node);
      at(base.place, [&] { return &function_named(base.text); });
      return at(node.place, [&] { return call(base.text, arguments); });
    }
    const Value value = evaluate(base);
    const std::vector<Index> indices = indices_of(node, &value);
    const std::string_view variable = base.kind == NodeKind::name ? base.text : std::string_view();
    return at(node.place, [&] { return indexed(value, indices, variable, workspace_.rules.room); });
  }

  // gpuArray.zeros(…)
  std::optional<Value> on_device(const Node& field, const Node& node) {
    const bool known = field.children[0]->kind == NodeKind::name &&
                       field.children[0]->text == "gpuArray" &&
                       (field.text == "zeros" || field.text == "ones" || field.text == "eye" ||
                        field.text == "rand" || field.text == "linspace");
    if (!known) {
      throw Fault{"MATLAB:undefined", "expected gpuArray.zeros, .ones, .eye, .rand or .linspace",
                  field.place};
    }
    const std::vector<Value> arguments = arguments_of(node);
    return at(node.place, [&] {
      std::optional<Value> made = call(field.text, arguments);
      if (made) made = made->with_residency(Residency::device);
      return made;
    });
  }

  static const Function& function_named(const std::string& name) {
    const Function* const function = find_function(name);
    if (function != nullptr) return *function;
    const std::string_view why = why_absent(name);
    const std::string_view similar = why.empty() ? similar_function(name) : "";
    throw Fault{"MATLAB:UndefinedFunction",
                fmt::format("'{}' undefined: {} ({})", name,
                            why.empty() ? "there is no variable and no function of that name" : why,
                            similar.empty() ? "help lists the functions"
                                            : fmt::format("did you mean '{}'?", similar))};
  }

  std::optional<Value> call(const std::string& name, std::span<const Value> arguments,
                            std::size_t results = 1) {
    const Function& function = function_named(name);
    workspace_.results_wanted = results;
    workspace_.more_results.clear();
    return matlab::call(function, workspace_, arguments);
  }

  Workspace& workspace_;
  std::vector<EndOf> ends_;
};

}  // namespace

Interpreter::Interpreter(Sink out, DisplayOptions display) {
  workspace_.out = std::move(out);
  workspace_.display = display;
}

bool Interpreter::run(std::string_view source, std::string_view name_of_source, const Sink& errors,
                      std::size_t first_line) {
  const ScopedFloatEnv env;
  workspace_.warn = [&errors](std::string_view text) {
    errors(fmt::format("warning: {}\n", text));
  };
  try {
    // What is a variable decides what is a command: the same in both readings.
    std::set<std::string, std::less<>> names;
    for (const std::string_view command : command_words()) {
      if (workspace_.variables.contains(command)) names.emplace(command);
    }
    const IsVariable is_variable = [&names](std::string_view name) { return names.contains(name); };
    // All of it is read before any of it runs: a script with a mistake at its end does nothing.
    StatementReader check(source, is_variable);
    while (check.next()) {
    }
    StatementReader statements(source, is_variable);
    Evaluator evaluator(workspace_);
    std::optional<Statement> statement = statements.next();
    while (statement && !workspace_.exit_code) {
      std::optional<Statement> after = statements.next();
      if (!after && !workspace_.is_last_shown) statement->is_silent = true;
      evaluator.run(*statement);
      statement = std::move(after);
    }
    return true;
  } catch (const SyntaxError& error) {
    errors(report({"MATLAB:syntaxError", error.message, error.place}, source, name_of_source,
                  first_line));
  } catch (const Fault& fault) {
    errors(report(fault, source, name_of_source, first_line));
  } catch (const std::bad_alloc&) {
    errors(report({"MATLAB:nomem", "out of memory"}, source, name_of_source, first_line));
  } catch (const std::length_error&) {
    errors(report({"MATLAB:nomem", "out of memory"}, source, name_of_source, first_line));
  } catch (const Error& error) {
    errors(report({identifier_of(error), error.what()}, source, name_of_source, first_line));
  }
  return false;
}

}  // namespace hadamard::matlab
