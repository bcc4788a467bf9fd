#include "matlab/interpreter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <new>
#include <utility>
#include <variant>

#include "hadamard/error.hpp"
#include "matlab/elements.hpp"
#include "matlab/functions.hpp"
#include "matlab/indexing.hpp"
#include "matlab/syntax.hpp"

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
      throw Fault{fmt::format("Hadamard:{}", name(error.code())), error.what(), place};
    }
  }

 public:
  explicit Evaluator(Workspace& workspace) : workspace_(workspace) {}

  void run(const Statement& statement) {
    if (!statement.command.empty()) {
      std::vector<Value> words;
      for (const std::string& word : statement.words) words.push_back(Value::text(word));
      workspace_.is_value_wanted = false;
      at(statement.place, [&] { return call(statement.command, words); });
      return;
    }
    if (statement.target == nullptr) {
      run_expression(statement);
      return;
    }
    Value value = evaluate(*statement.value);
    const std::string& name = assign_to(*statement.target, std::move(value));
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
      if (!statement.is_silent) show(node.text);
      return;
    }
    workspace_.is_value_wanted = false;
    std::optional<Value> value = result_of(node);
    if (!value) return;
    workspace_.variables.insert_or_assign("ans", *std::move(value));
    if (!statement.is_silent) show("ans");
  }

  const std::string& assign_to(const Node& target, Value value) {
    if (target.kind == NodeKind::name) {
      workspace_.variables.insert_or_assign(target.text, std::move(value));
      return target.text;
    }
    const std::string& variable = target.children[0]->text;
    // What it was stays where something fails.
    const auto found = workspace_.variables.find(variable);
    Value changed = found == workspace_.variables.end() ? Value() : found->second;
    const std::vector<Index> indices = indices_of(target, &changed);
    at(target.place, [&] { assign(changed, indices, value, workspace_.most_elements); });
    workspace_.variables.insert_or_assign(variable, std::move(changed));
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
        return Value::text(node.text);
      case NodeKind::string:
        return Value::text(node.text, Class::string);
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
        return binary_of(node);
      case NodeKind::range:
        return range(node);
      case NodeKind::matrix:
        return matrix(node);
      case NodeKind::row:
        return row(node);
      case NodeKind::index:
        return index(node);
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

  static Value number(const Node& node) {
    if (!node.text.empty()) return literal_integer(node);
    if (!node.imaginary) return Value::scalar(node.value);
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

  // && and || look at their right side only where it matters.
  Value binary_of(const Node& start) {
    // Long chains a + b + c lean to the left: a loop, so that their length is not the stack's.
    std::vector<const Node*> chain;
    const Node* node = &start;
    for (; node->kind == NodeKind::binary; node = node->children[0].get()) chain.push_back(node);
    Value left = evaluate(*node);
    while (!chain.empty()) {
      const Node& next = *chain.back();
      chain.pop_back();
      if (next.op == Operator::and_then || next.op == Operator::or_else) {
        const bool is_true = at(next.place, [&] { return truth(left); });
        if (is_true == (next.op == Operator::or_else)) {
          left = Value::logical(is_true);
        } else {
          const Value right = evaluate(*next.children[1]);
          left = Value::logical(at(next.place, [&] { return truth(right); }));
        }
        continue;
      }
      const Value right = evaluate(*next.children[1]);
      left = at(next.place, [&] { return binary(next.op, left, right, workspace_.rules); });
    }
    return left;
  }

  static bool truth(const Value& value) {
    const Value logical = convert(value, Class::logical);
    if (logical.is_empty()) {
      throw Fault{"Octave:invalid-conversion", "an empty value is neither true nor false"};
    }
    for (std::int64_t i = 0; i < logical.numel(); ++i) {
      if (!data_of<bool>(logical)[i]) return false;
    }
    return true;
  }

  // first, first + step, …; as many as do not go beyond the last by more than rounding. Its class
  // is that of an end which is an integer, char, or single.
  Value range(const Node& node) {
    Class cls = Class::double_;
    const auto scalar = [&](const Node& child) {
      const Value value = evaluate(child);
      const bool is_char = value.cls() == Class::char_ && node.children.size() == 2;
      if (is_integer(value.cls()) || value.cls() == Class::single_ || is_char) cls = value.cls();
      return at(child.place, [&] {
        if (value.is_empty()) return std::nan("");
        const Index first[] = {Value::scalar(1)};
        return number_of(real_part(value.is_scalar() ? value : indexed(value, first)), "range");
      });
    };
    const bool has_step = node.children.size() == 3;
    const double first = scalar(*node.children[0]);
    const double step = has_step ? scalar(*node.children[1]) : 1;
    const double last = scalar(*node.children.back());
    return at(node.place, [&] { return convert(sequence(first, step, last), cls); });
  }

  Value sequence(double first, double step, double last) const {
    if (std::isnan(first) || std::isnan(last) || std::isnan(step)) return Value::scalar(NAN);
    const double count = std::floor((last - first) / step * (1 + 0x1p-52)) + 1;
    const bool none = step == 0 || (step > 0 && first > last) || (step < 0 && first < last);
    if (!none && !(count < 9e15)) {
      throw Fault{"MATLAB:nomem", fmt::format("out of memory: the range has {} elements", count)};
    }
    const Dims size{1, none ? 0 : static_cast<std::int64_t>(std::fmax(count, 0))};
    require_room(workspace_, size, DType::fp64);
    Tensor y = uninitialized(DType::fp64, size);
    double* const out = data_of<double>(y);
    for (std::int64_t i = 0; i < size[1]; ++i) {
      const double value = first + static_cast<double>(i) * step;
      out[i] = step > 0 ? std::fmin(value, last) : std::fmax(value, last);
    }
    return {Class::double_, std::move(y)};
  }

  Value row(const Node& node) {
    std::vector<Value> parts;
    for (const NodePtr& child : node.children) parts.push_back(evaluate(*child));
    if (parts.size() == 1) return std::move(parts[0]);
    return at(node.place, [&] { return concatenated(parts, 2); });
  }

  Value matrix(const Node& node) {
    std::vector<Value> rows;
    for (const NodePtr& child : node.children) rows.push_back(row(*child));
    if (rows.size() == 1) return std::move(rows[0]);
    return at(node.place, [&] { return concatenated(rows, 1); });
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
      return at(node.place, [&] { return call(base.text, arguments); });
    }
    const Value value = evaluate(base);
    const std::vector<Index> indices = indices_of(node, &value);
    return at(node.place, [&] { return indexed(value, indices); });
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
    return at(node.place,
              [&] { return call(field.text, arguments)->with_residency(Residency::device); });
  }

  std::optional<Value> call(const std::string& name, std::span<const Value> arguments) {
    const Function* const function = find_function(name);
    if (function == nullptr) {
      throw Fault{"Octave:undefined-function", fmt::format("'{}' undefined", name)};
    }
    const auto count = static_cast<int>(arguments.size());
    if (count < function->fewest || (function->most >= 0 && count > function->most)) {
      throw Fault{count < function->fewest ? "MATLAB:minrhs" : "MATLAB:maxrhs",
                  fmt::format("{} takes {}{} arguments, not {}", name, function->fewest,
                              function->most == function->fewest ? ""
                              : function->most < 0               ? " or more"
                                                   : fmt::format(" to {}", function->most),
                              count)};
    }
    return function->run(workspace_, arguments);
  }

  Workspace& workspace_;
  std::vector<EndOf> ends_;
};

}  // namespace

Interpreter::Interpreter(Sink out, DisplayOptions display) {
  workspace_.out = std::move(out);
  workspace_.display = display;
}

bool Interpreter::run(std::string_view source, std::string_view name_of_source,
                      const Sink& errors) {
  workspace_.warn = [&errors](std::string_view text) {
    errors(fmt::format("warning: {}\n", text));
  };
  try {
    const std::vector<Statement> statements = parse(
        source, [this](std::string_view name) { return workspace_.variables.contains(name); });
    Evaluator evaluator(workspace_);
    for (const Statement& statement : statements) evaluator.run(statement);
    return true;
  } catch (const SyntaxError& error) {
    errors(report({"Octave:parse-error", error.message, error.place}, source, name_of_source));
  } catch (const Fault& fault) {
    errors(report(fault, source, name_of_source));
  } catch (const std::bad_alloc&) {
    errors(report({"MATLAB:nomem", "out of memory"}, source, name_of_source));
  }
  return false;
}

}  // namespace hadamard::matlab
