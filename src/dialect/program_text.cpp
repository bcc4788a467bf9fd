#include "dialect/program_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/fail.hpp"
#include "dialect/lowering.hpp"
#include "op/ops.hpp"

namespace hadamard::dialect {
namespace {

using program::SourceRange;
using program::ValueId;
using syntax::Node;
using syntax::NodeKind;
using syntax::Operator;

constexpr std::string_view kLastName = "Y";

SourceRange range_of(const Node& node) { return {node.place.begin, node.place.end}; }

[[noreturn]] void fail_at(std::string_view source, SourceRange range, ErrorCode code,
                          std::string message) {
  throw Error(code, fmt::format("{} ({})", message, place_text(source, range)));
}

bool is_call(const Node& node) {
  return node.kind == NodeKind::index && node.children[0]->kind == NodeKind::name;
}

// The operator that a sign between two operands is.
struct Sign {
  Op op;
  bool is_reversed = false;     // b op a
  bool needs_a_scalar = false;  // * / ^ of matrices are something else
};
// Nothing for one that is not element-wise.
std::optional<Sign> sign_of(Operator op) {
  std::string text(symbol(op));
  const bool is_reversed = text.ends_with('\\');
  if (is_reversed) text.back() = '/';
  if (const auto found = op::op_from_symbol(text, 2)) return Sign{*found, is_reversed};
  if (const auto found = op::op_from_symbol("." + text, 2)) return Sign{*found, is_reversed, true};
  return std::nullopt;
}

bool is_order(Operator op) {
  return op == Operator::lt || op == Operator::le || op == Operator::gt || op == Operator::ge;
}
bool is_comparison(const Node& node) {
  return node.kind == NodeKind::binary &&
         (is_order(node.op) || node.op == Operator::eq || node.op == Operator::ne);
}

std::string all_types() {
  std::string names;
  for (int i = 0; i < kTypeCount; ++i) {
    names += fmt::format("{}{}", i == 0 ? "" : ", ", name(static_cast<DType>(i)));
  }
  return names;
}
// The type that the last argument of a cast names.
DType named_type(const Node& call) {
  const Node* const type = call.children.size() == 3 ? call.children[2].get() : nullptr;
  const bool named =
      type != nullptr && (type->kind == NodeKind::text || type->kind == NodeKind::string);
  if (!named) {
    fail(ErrorCode::bad_argument, "cast expects an operand and a type: cast(x, 'fp32')");
  }
  const std::optional<DType> found = dtype_from_name(type->text);
  if (!found) {
    fail(ErrorCode::bad_argument, "no element type is called '{}'; there are: {}", type->text,
         all_types());
  }
  return *found;
}

// How many arguments of a call are operands: those without a name, which come first.
std::size_t count_operands(const Node& call) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < call.children.size(); ++i) {
    if (call.children[i]->kind == NodeKind::named) continue;
    if (++count != i) {
      fail(ErrorCode::bad_argument, "expected the operands of {} before its attributes",
           call.children[0]->text);
    }
  }
  return count;
}

// How many letters have to change to make one word of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}
std::string suggestion(std::string_view word) {
  std::string_view nearest;
  std::size_t least = word.size() / 2 + 1;
  for (const Op op : op::kAllOps) {
    const std::size_t d = word.size() > 64 ? least : distance(word, name(op));
    if (d < least) least = d, nearest = name(op);
  }
  return nearest.empty() ? std::string() : fmt::format("; did you mean {}?", nearest);
}

// Builds the nodes of one text.
class TextLowering {
 public:
  TextLowering(std::string_view source, Lowering& lowering,
               std::map<std::string, LoweredOperand, std::less<>>& names)
      : source_(source), lowering_(lowering), names_(names) {}

  LoweredOperand expression(const Node& node) {
    try {
      return part(node);
    } catch (const Error& error) {
      if (is_placed_) throw;  // a part of this one
      is_placed_ = true;
      fail_at(source_, range_of(node), error.code(), error.what());
    }
  }

 private:
  LoweredOperand part(const Node& node) {
    switch (node.kind) {
      case NodeKind::number:
        return number(node);
      case NodeKind::name:
        return names_.find(node.text)->second;
      case NodeKind::unary:
        return unary(node);
      case NodeKind::binary:
        return binary(node);
      case NodeKind::index:
        if (is_call(node)) return call(node);
        break;
      default:
        break;
    }
    fail(ErrorCode::bad_argument,
         "a program has numbers, names, operators and calls of element-wise functions only");
  }

  LoweredOperand number(const Node& node) {
    std::string_view text = source_.substr(node.place.begin, node.place.end - node.place.begin);
    if (node.imaginary) text.remove_suffix(1);
    if (!node.text.empty()) {  // 0x1F; two's complement where its class has a sign
      const bool has_sign = node.text.starts_with("int");
      return LoweredOperand(has_sign ? Real(static_cast<std::int64_t>(node.integer))
                                     : Real::from_unsigned(node.integer),
                            node.imaginary, range_of(node));
    }
    std::string plain(text);  // MATLAB's 1d3 is 1e3
    for (char& c : plain) c = c == 'd' || c == 'D' ? 'e' : c;
    return LoweredOperand(Real::parse(plain), node.imaginary, range_of(node));
  }

  LoweredOperand unary(const Node& node) {
    const LoweredOperand of = expression(*node.children[0]);
    if (node.op == Operator::uplus) return of;
    if (node.op == Operator::uminus && of.is_number()) return of.negated();
    const std::optional<Op> op = op::op_from_symbol(symbol(node.op), 1);
    if (!op) fail(ErrorCode::bad_argument, "'{}' is not element-wise", symbol(node.op));
    return apply(node, *op, {of});
  }

  LoweredOperand binary(const Node& node) {
    const std::optional<Sign> sign = sign_of(node.op);
    if (!sign) {
      fail(ErrorCode::bad_argument, "'{}' is not element-wise; use & or |", symbol(node.op));
    }
    if (is_order(node.op) &&
        (is_comparison(*node.children[0]) || is_comparison(*node.children[1]))) {
      fail(ErrorCode::bad_argument,
           "a comparison of a comparison; for a < b < c write a < b & b < c");
    }
    LoweredOperand a = expression(*node.children[0]);
    LoweredOperand b = expression(*node.children[1]);
    if (sign->needs_a_scalar && !is_scalar(a) && !is_scalar(b)) {
      fail(ErrorCode::bad_argument, "'{}' needs a scalar on one side; use '.{}' for elements",
           symbol(node.op), symbol(node.op));
    }
    if (sign->is_reversed) std::swap(a, b);
    return apply(node, sign->op, {a, b});
  }
  bool is_scalar(const LoweredOperand& operand) const {
    return operand.is_number() || lowering_.shape(operand.value()).empty();
  }

  LoweredOperand call(const Node& node) {
    const std::string& function = node.children[0]->text;
    const std::optional<Op> op = op_from_name(function);
    if (!op) {
      fail(ErrorCode::bad_argument, "no element-wise function is called '{}'{}", function,
           suggestion(function));
    }
    const bool converts = op::type_rule(*op) == op::TypeRule::convert;
    const DType to = converts ? named_type(node) : DType{};
    std::vector<LoweredOperand> operands;
    for (std::size_t i = 1; i <= count_operands(node) - (converts ? 1 : 0); ++i) {
      operands.push_back(expression(*node.children[i]));
    }
    return lowering_.apply(*op, operands, range_of(node), to, attributes(node));
  }

  std::vector<Attribute> attributes(const Node& call) {
    std::vector<Attribute> made;
    for (std::size_t i = 1; i < call.children.size(); ++i) {
      const Node& argument = *call.children[i];
      if (argument.kind == NodeKind::named) made.push_back(attribute(argument));
    }
    return made;
  }
  // Exactly the decimal; a name may stand for a number, too.
  Attribute attribute(const Node& named) {
    const LoweredOperand value = expression(*named.children[0]);
    if (!value.is_number() || value.is_imaginary() || value.special()) {
      is_placed_ = true;
      fail_at(source_, range_of(*named.children[0]), ErrorCode::bad_argument,
              fmt::format("attribute {} must be a number, such as 0.2 or -1", named.text));
    }
    return {named.text, value.number()};
  }

  LoweredOperand apply(const Node& node, Op op, std::initializer_list<LoweredOperand> operands) {
    return lowering_.apply(op, std::span(operands.begin(), operands.size()), range_of(node));
  }

  std::string_view source_;
  Lowering& lowering_;
  std::map<std::string, LoweredOperand, std::less<>>& names_;
  bool is_placed_ = false;
};

// Names that an expression reads, in order. The name of a call is a function.
void collect_names(const Node& node, const std::set<std::string, std::less<>>& variables,
                   std::vector<const Node*>& names) {
  if (node.kind == NodeKind::name) names.push_back(&node);
  const bool skips_first = is_call(node) && !variables.contains(node.children[0]->text);
  for (std::size_t i = skips_first ? 1 : 0; i < node.children.size(); ++i) {
    collect_names(*node.children[i], variables, names);
  }
}

}  // namespace

ProgramText::ProgramText(std::string source) : source_(std::move(source)) {
  try {
    statements_ =
        syntax::parse(source_, [](std::string_view) { return true; }, {.named_arguments = true});
  } catch (const syntax::SyntaxError& error) {
    fail_at(source_, {error.place.begin, error.place.end}, ErrorCode::bad_literal, error.message);
  }
  if (statements_.empty()) fail(ErrorCode::bad_argument, "the program is empty");
  if (statements_.size() > program::kMostNodes) {
    fail(ErrorCode::too_large, "a program has at most {} statements, found {}", program::kMostNodes,
         statements_.size());
  }
  refuse_remainders();
  find_names();
}

// In the language % and # begin comments; behind an operand somebody means a remainder.
void ProgramText::refuse_remainders() const {
  std::size_t begin = 0;
  while (begin < source_.size()) {
    const std::size_t end = std::min(source_.find('\n', begin), source_.size());
    const std::string_view line = std::string_view(source_).substr(begin, end - begin);
    const std::size_t sign = line.find_first_of("%#");
    if (sign != std::string_view::npos && sign > 0) {
      const std::size_t last = line.find_last_not_of(" \t", sign - 1);
      if (last != std::string_view::npos && line[last] != ';' && line[last] != '.') {
        const auto at = static_cast<std::uint32_t>(begin + sign);
        fail_at(source_, {at, at + 1}, ErrorCode::bad_argument,
                fmt::format("'{}' begins a comment, which may stand behind ';' or on a line of its "
                            "own; a remainder is mod(a, b) or rem(a, b)",
                            line[sign]));
      }
    }
    begin = end + 1;
  }
}

// Names of attributes, each once.
void ProgramText::check_attributes(Op op, const Node& call) const {
  std::vector<Attribute> named;
  for (std::size_t i = 1; i < call.children.size(); ++i) {
    if (call.children[i]->kind != NodeKind::named) continue;
    named.emplace_back(call.children[i]->text, 0);
    try {
      op::attribute_values(op, named);
    } catch (const Error& error) {
      fail_at(source_, range_of(*call.children[i]), error.code(), error.what());
    }
  }
}

// Names and operands of all functions, so that a text is refused before there are operands.
void ProgramText::check_calls(const Node& node) const {
  if (is_call(node)) {
    try {
      const std::string& function = node.children[0]->text;
      const std::optional<Op> op = op_from_name(function);
      if (!op) {
        fail(ErrorCode::bad_argument, "no element-wise function is called '{}'{}", function,
             suggestion(function));
      }
      const auto operands = static_cast<int>(count_operands(node));
      if (op::type_rule(*op) == op::TypeRule::convert) {
        named_type(node);
      } else if (operands != op::arity(*op)) {
        const std::span<const op::AttributeInfo> its = op::attributes(*op);
        const bool is_attribute = operands == op::arity(*op) + 1 && !its.empty();
        fail(ErrorCode::bad_argument, "{} expects {} operand{}, got {}{}", function, op::arity(*op),
             op::arity(*op) == 1 ? "" : "s", operands,
             is_attribute ? fmt::format("; an attribute has a name: {}=…", its[0].name) : "");
      }
    } catch (const Error& error) {
      fail_at(source_, range_of(node), error.code(), error.what());
    }
    check_attributes(*op_from_name(node.children[0]->text), node);
  }
  for (const auto& child : node.children) check_calls(*child);
}

void ProgramText::find_names() {
  const auto fail_statement = [&](const syntax::Statement& s, std::string message) {
    fail_at(source_, {s.place.begin, s.place.end}, ErrorCode::bad_argument, std::move(message));
  };
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    const syntax::Statement& s = statements_[i];
    const bool is_named = s.target != nullptr && s.target->kind == NodeKind::name;
    if (s.value == nullptr || !s.more.empty() || (s.target != nullptr && !is_named)) {
      fail_statement(s, "expected an assignment to a name");
    }
    if (s.target == nullptr && i + 1 < statements_.size()) {
      fail_statement(s, "expected an assignment; only the last statement may have no name");
    }
    if (is_named && op_from_name(s.target->text)) {
      fail_statement(
          s, fmt::format("{} is the name of a function; choose another name", s.target->text));
    }
    targets_.push_back(is_named ? s.target->text : std::string(kLastName));
  }
  const std::set<std::string, std::less<>> assigned(targets_.begin(), targets_.end());
  std::set<std::string, std::less<>> defined, seen;
  std::map<std::string, std::size_t, std::less<>> last_read, last_written;
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    check_calls(*statements_[i].value);
    std::vector<const Node*> names;
    collect_names(*statements_[i].value, assigned, names);
    for (const Node* name_node : names) {
      const std::string& read = name_node->text;
      last_read[read] = i;
      if (!assigned.contains(read)) {
        if (seen.insert(read).second) inputs_.push_back(read);
      } else if (!defined.contains(read) &&
                 !(statements_[i].target == nullptr && read == kLastName)) {
        fail_at(source_, range_of(*name_node), ErrorCode::bad_argument,
                fmt::format("{} is read before it is assigned", read));
      }
    }
    const bool is_unnamed = statements_[i].target == nullptr;
    if (is_unnamed && (defined.contains(kLastName) || last_read.contains(kLastName))) {
      fail_statement(statements_[i],
                     fmt::format("the result of an expression without a name is {}, "
                                 "which is in use: give it a name, Z = …",
                                 kLastName));
    }
    if (defined.insert(targets_[i]).second) assigned_.push_back(targets_[i]);
    last_written[targets_[i]] = i;
  }
  for (const std::string& name_of : assigned_) {
    const auto read = last_read.find(name_of);
    if (read == last_read.end() || read->second <= last_written[name_of])
      outputs_.push_back(name_of);
  }
}

plan::Lowered ProgramText::lower(std::span<const Layout> inputs,
                                 std::span<const std::string> wanted, const Options& options,
                                 DType number_type, const Numbers& numbers) const {
  if (inputs.size() + numbers.size() != inputs_.size()) {
    fail(ErrorCode::bad_argument, "the program has {} input{}, got {}", inputs_.size(),
         inputs_.size() == 1 ? "" : "s", inputs.size() + numbers.size());
  }
  require_program_options(options);
  Lowering lowering(options, number_type);
  std::map<std::string, LoweredOperand, std::less<>> names;
  std::size_t next = 0;
  for (const std::string& input : inputs_) {
    const auto number = numbers.find(input);
    names.emplace(input, number == numbers.end()
                             ? LoweredOperand(lowering.input(input, inputs[next++]))
                             : LoweredOperand(number->second));
  }
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    TextLowering text(source_, lowering, names);
    names.insert_or_assign(targets_[i], text.expression(*statements_[i].value));
  }
  for (const std::string& output :
       wanted.empty() ? std::span<const std::string>(outputs_) : wanted) {
    const auto found = names.find(output);
    if (found == names.end() ||
        std::find(assigned_.begin(), assigned_.end(), output) == assigned_.end()) {
      std::string list;
      for (const std::string& known : assigned_) list += (list.empty() ? "" : ", ") + known;
      fail(ErrorCode::bad_argument, "the program assigns no '{}'; it assigns: {}", output, list);
    }
    lowering.output(output, lowering.value_of(found->second));
  }
  plan::Lowered lowered = lowering.finish();
  lowered.source = source_;
  return lowered;
}

}  // namespace hadamard::dialect
