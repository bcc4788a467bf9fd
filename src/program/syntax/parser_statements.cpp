// Statements: commands, assignments, expressions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "program/syntax/parser.hpp"

namespace hadamard::syntax {
namespace {

constexpr std::array<std::string_view, 11> kCommands = {
    "format", "clear", "who", "whos", "help", "clc", "integers", "load", "save", "close", "more"};

}  // namespace

std::optional<Statement> Parser::next() {
  if (!has_begun_) {
    take();
    has_begun_ = true;
  }
  while (is(TokenKind::newline) || is(TokenKind::comma) || is(TokenKind::semicolon)) take();
  if (is(TokenKind::end_of_text)) return std::nullopt;
  Statement made = statement();
  if (is(TokenKind::semicolon)) {
    made.is_silent = true;
  } else if (is(TokenKind::assign)) {
    expected("the end of the statement (one assignment in each; '==' compares)");
  } else if (!is(TokenKind::newline) && !is(TokenKind::comma) && !is(TokenKind::end_of_text)) {
    expected("an operator or the end of the statement");
  }
  return made;
}

Statement Parser::statement() {
  Statement made;
  made.place.begin = now_.place.begin;
  if (is_command_word() && lexer_.is_command()) {
    made.command = now_.text;
    made.words = lexer_.words();
    take();
    made.place.end = now_.place.begin;
    return made;
  }
  nothings_ = 0;
  made.value = expression();
  if (is(TokenKind::assign)) {
    take_targets(made);
    take();
    nothings_ = 0;
    made.value = expression();
  }
  if (nothings_ > 0) throw SyntaxError(*of_nothing_);
  made.place.end = last_end_;
  return made;
}

// What was read as an expression stands before '='.
void Parser::take_targets(Statement& made) {
  const Place place{made.place.begin, last_end_};
  std::vector<NodePtr> targets;
  if (made.value->kind == NodeKind::matrix && made.value->children.size() == 1) {
    targets = std::move(made.value->children[0]->children);
  } else {
    targets.push_back(std::move(made.value));
  }
  for (const NodePtr& target : targets) {
    if (target->kind == NodeKind::nothing) {
      --nothings_;
      continue;
    }
    require_target(*target, targets.size() > 1 ? target->place : place);
    assigned_.insert(target->kind == NodeKind::name ? target->text : target->children[0]->text);
  }
  if (nothings_ > 0) throw SyntaxError(*of_nothing_);
  made.target = std::move(targets[0]);
  made.more.assign(std::make_move_iterator(targets.begin() + 1),
                   std::make_move_iterator(targets.end()));
}

// A '~' that has been taken and that no operand follows: said to be wrong when the statement shows
// whether it is a target.
NodePtr Parser::nothing() {
  NodePtr made = node(NodeKind::nothing, {last_end_ - 1, last_end_});
  try {
    expected_operand();
  } catch (const SyntaxError& error) {
    if (nothings_++ == 0) of_nothing_ = error;
  }
  return made;
}

bool Parser::is_command_word() const {
  if (!is(TokenKind::name)) return false;
  if (std::find(kCommands.begin(), kCommands.end(), now_.text) == kCommands.end()) return false;
  return !assigned_.contains(now_.text) && !(is_variable_ && is_variable_(now_.text));
}

void Parser::require_target(const Node& target, Place place) const {
  if (target.kind == NodeKind::name) return;
  if (target.kind == NodeKind::index && target.children[0]->kind == NodeKind::name) return;
  if (target.kind == NodeKind::matrix) {
    throw SyntaxError{place, "expected variables in one row before '=', as in [m, n] = size(A)"};
  }
  const Node* part = &target;
  while (part->kind == NodeKind::index) part = part->children[0].get();
  const std::string_view why =
      part->kind == NodeKind::field ? "there are no structures ('.') here: " : "";
  throw SyntaxError{place, fmt::format("{}expected a variable before '=', or elements of one as in "
                                       "A(2,:)",
                                       why)};
}

std::span<const std::string_view> command_words() noexcept { return kCommands; }

StatementReader::StatementReader(std::string_view source, const IsVariable& is_variable,
                                 Grammar grammar)
    : parser_(std::make_unique<Parser>(source, is_variable, grammar)) {}
StatementReader::StatementReader(StatementReader&&) noexcept = default;
StatementReader::~StatementReader() = default;
std::optional<Statement> StatementReader::next() { return parser_->next(); }

std::vector<Statement> parse(std::string_view source, const IsVariable& is_variable,
                             Grammar grammar) {
  std::vector<Statement> found;
  Parser parser(source, is_variable, grammar);
  while (std::optional<Statement> statement = parser.next()) {
    found.push_back(*std::move(statement));
  }
  return found;
}

bool is_unfinished(std::string_view source) {
  if (source.size() > kLongestSource) return false;
  Parser parser(source);
  try {
    while (parser.next()) {
    }
  } catch (const SyntaxError&) {
  }
  return parser.is_unfinished();
}

}  // namespace hadamard::syntax
