// Recursive descent, one token ahead. Every bracket, call and sign in front of an operand is a
// level of kDeepest; binary operators are climbed by precedence.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "matlab/lexer.hpp"
#include "matlab/syntax.hpp"

namespace hadamard::matlab {
namespace {

constexpr std::array<std::string_view, 11> kCommands = {
    "format", "clear", "who", "whos", "help", "clc", "integers", "load", "save", "close", "more"};

// How tightly binary operators bind; power binds tighter than signs and is no part of this.
enum Precedence : int { kNone, kOrElse, kAndThen, kOr, kAnd, kCompare, kRange, kSum, kProduct };

int precedence(const Token& token) {
  if (token.kind == TokenKind::colon) return kRange;
  if (token.kind != TokenKind::op) return kNone;
  switch (token.op) {
    case Operator::or_else:
      return kOrElse;
    case Operator::and_then:
      return kAndThen;
    case Operator::or_:
      return kOr;
    case Operator::and_:
      return kAnd;
    case Operator::eq:
    case Operator::ne:
    case Operator::lt:
    case Operator::le:
    case Operator::gt:
    case Operator::ge:
      return kCompare;
    case Operator::plus:
    case Operator::minus:
      return kSum;
    case Operator::times:
    case Operator::rdivide:
    case Operator::ldivide:
    case Operator::mtimes:
    case Operator::mrdivide:
    case Operator::mldivide:
      return kProduct;
    default:
      return kNone;
  }
}

}  // namespace

class Parser {
 public:
  // Throws SyntaxError, as next() does.
  explicit Parser(std::string_view source, IsVariable is_variable = {})
      : source_(source), lexer_(source), is_variable_(std::move(is_variable)) {
    if (source.size() > kLongestSource) {
      throw SyntaxError{{},
                        fmt::format("expected a text of at most {} bytes, found one of {}",
                                    kLongestSource, source.size())};
    }
  }

  std::optional<Statement> next();
  bool is_unfinished() const { return lexer_.is_unfinished(); }

 private:
  // One level deeper while it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : depth_(parser.depth_) {
      if (depth_ >= kDeepest) {
        parser.fail(
            fmt::format("expected at most {} levels of brackets and signs within each "
                        "other, found one more",
                        kDeepest));
      }
      ++depth_;
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    int& depth_;
  };

  bool is(TokenKind kind) const { return now_.kind == kind; }
  bool is_op(Operator op) const { return is(TokenKind::op) && now_.op == op; }
  Token take() {
    Token taken = std::move(now_);
    last_end_ = taken.place.end;
    now_ = lexer_.next();
    return taken;
  }
  [[noreturn]] void fail(std::string message) const {
    throw SyntaxError{now_.place, std::move(message)};
  }
  [[noreturn]] void expected(std::string_view what) const {
    fail(fmt::format("expected {}, found {}", what, describe(now_, source_)));
  }
  [[noreturn]] void expected_operand() const;
  [[noreturn]] void expected_close(const Token& open, std::string_view what, char close) const;

  NodePtr node(NodeKind kind, Place place) const;
  void adopt(Node& parent, NodePtr child) const;
  NodePtr operation(NodeKind kind, const Token& sign, NodePtr first, NodePtr second = {}) const;

  Statement statement();
  bool is_command_word() const;
  void require_target(const Node& target, Place place) const;
  void take_targets(Statement& made);
  NodePtr nothing();
  NodePtr expression() { return binary(kOrElse); }
  NodePtr binary(int lowest);
  NodePtr range(NodePtr first);
  bool is_sign() const;
  Operator sign_of(Operator op) const;
  template <class Operand>
  NodePtr signs(Operand operand);
  NodePtr powers();
  NodePtr indexed();
  NodePtr index_of(NodePtr array);
  NodePtr argument();
  NodePtr field_of(NodePtr object);
  NodePtr primary();
  NodePtr parenthesised();
  NodePtr matrix();
  NodePtr row(const Token& open);

  std::string_view source_;
  Lexer lexer_;
  Token now_;
  bool has_begun_ = false;
  std::uint32_t last_end_ = 0;  // of the last token that was taken
  int depth_ = 0;
  IsVariable is_variable_;
  std::set<std::string, std::less<>> assigned_;  // by statements before
  int indices_ = 0;  // how many ( ) of indices are open: 'end' needs one
  // The '~' of this statement that stand for no operand, and what is wrong with the first of them
  // where they are no targets.
  int nothings_ = 0;
  std::optional<SyntaxError> of_nothing_;
};

NodePtr Parser::node(NodeKind kind, Place place) const {
  auto made = std::make_unique<Node>();
  made->kind = kind;
  made->place = place;
  return made;
}

void Parser::adopt(Node& parent, NodePtr child) const {
  if (child->height >= kTallest) {
    throw SyntaxError{child->place,
                      fmt::format("expected at most {} operations upon each other, found more: "
                                  "assign parts of the expression to variables",
                                  kTallest)};
  }
  parent.height = std::max<std::uint16_t>(parent.height, child->height + 1);
  parent.children.push_back(std::move(child));
}

NodePtr Parser::operation(NodeKind kind, const Token& sign, NodePtr first, NodePtr second) const {
  NodePtr made = node(kind, sign.place);
  made->op = sign.op;
  made->children.reserve(second ? 2 : 1);
  adopt(*made, std::move(first));
  if (second) adopt(*made, std::move(second));
  return made;
}

void Parser::expected_operand() const {
  if (is(TokenKind::keyword) && now_.text == "end") {
    fail("'end' is the last index: expected it only inside an index, as in A(end)");
  }
  if (is(TokenKind::keyword)) {
    fail(
        fmt::format("expected an expression, found '{}': there are only expressions and "
                    "assignments here, no control flow and no functions of your own",
                    now_.text));
  }
  if (is(TokenKind::assign) && now_.place.begin > 0 &&
      std::string_view("+-*/^|&\\").find(source_[now_.place.begin - 1]) != std::string_view::npos) {
    expected("a number, a name or a bracket (x = x + 1 is how to write x += 1)");
  }
  expected("a number, a name or a bracket");
}

// What is missing at the end of the text is shown where it was opened.
void Parser::expected_close(const Token& open, std::string_view what, char close) const {
  if (!is(TokenKind::end_of_text)) expected(what);
  throw SyntaxError{open.place,
                    fmt::format("'{}' is not closed: expected '{}', found the end of the text",
                                close == ')' ? '(' : '[', close)};
}

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
  throw SyntaxError{place, "expected a variable before '=', or elements of one as in A(2,:)"};
}

// All binary operators from `lowest` on, each from the left.
NodePtr Parser::binary(int lowest) {
  NodePtr left = signs([this] { return powers(); });
  for (int level = precedence(now_); level >= lowest && level != kNone; level = precedence(now_)) {
    if (level == kRange) {
      left = range(std::move(left));
      continue;
    }
    const Token sign = take();
    NodePtr right = binary(level + 1);
    left = operation(NodeKind::binary, sign, std::move(left), std::move(right));
  }
  return left;
}

// first:last or first:step:last
NodePtr Parser::range(NodePtr first) {
  NodePtr made = node(NodeKind::range, now_.place);
  adopt(*made, std::move(first));
  while (is(TokenKind::colon)) {
    if (made->children.size() == 3) expected("the end of the range first:step:last");
    take();
    adopt(*made, binary(kRange + 1));
  }
  return made;
}

bool Parser::is_sign() const {
  return is_op(Operator::plus) || is_op(Operator::minus) || is_op(Operator::not_);
}

Operator Parser::sign_of(Operator op) const {
  return op == Operator::plus    ? Operator::uplus
         : op == Operator::minus ? Operator::uminus
                                 : Operator::not_;
}

template <class Operand>
NodePtr Parser::signs(Operand operand) {
  if (!is_sign()) return operand();
  const Level level(*this);
  Token sign = take();
  sign.op = sign_of(sign.op);
  const bool is_last = is(TokenKind::comma) || is(TokenKind::close_bracket);
  if (sign.op == Operator::not_ && is_last) return nothing();
  return operation(NodeKind::unary, sign, signs(operand));
}

// Powers, transposes, indices and fields, from the left. The exponent takes signs, indices and
// fields, but neither transpose nor power: 2^-1^2 is (2^(-1))^2, 2^x' is (2^x)'.
NodePtr Parser::powers() {
  NodePtr made = primary();
  while (true) {
    if (is(TokenKind::open_paren)) {
      made = index_of(std::move(made));
    } else if (is(TokenKind::dot)) {
      made = field_of(std::move(made));
    } else if (is_op(Operator::ctranspose) || is_op(Operator::transpose)) {
      const Token sign = take();
      made = operation(NodeKind::postfix, sign, std::move(made));
    } else if (is_op(Operator::power) || is_op(Operator::mpower)) {
      const Token sign = take();
      NodePtr exponent = signs([this] { return indexed(); });
      made = operation(NodeKind::binary, sign, std::move(made), std::move(exponent));
    } else {
      return made;
    }
  }
}

NodePtr Parser::indexed() {
  NodePtr made = primary();
  while (true) {
    if (is(TokenKind::open_paren)) {
      made = index_of(std::move(made));
    } else if (is(TokenKind::dot)) {
      made = field_of(std::move(made));
    } else {
      return made;
    }
  }
}

NodePtr Parser::index_of(NodePtr array) {
  const Level level(*this);
  const bool has_own_place = array->kind != NodeKind::binary && array->kind != NodeKind::unary &&
                             array->kind != NodeKind::postfix && array->kind != NodeKind::range;
  NodePtr made = node(NodeKind::index, {has_own_place ? array->place.begin : now_.place.begin, 0});
  adopt(*made, std::move(array));
  const Token open = take();
  ++indices_;
  if (!is(TokenKind::close_paren)) {
    adopt(*made, argument());
    while (is(TokenKind::comma)) {
      take();
      adopt(*made, argument());
    }
  }
  if (!is(TokenKind::close_paren)) expected_close(open, "',' or ')'", ')');
  --indices_;
  take();
  made->place.end = last_end_;
  return made;
}

NodePtr Parser::argument() {
  if (!is(TokenKind::colon)) return expression();
  NodePtr made = node(NodeKind::colon, now_.place);
  take();
  if (!is(TokenKind::comma) && !is(TokenKind::close_paren)) expected("',' or ')' after ':'");
  return made;
}

NodePtr Parser::field_of(NodePtr object) {
  take();
  if (!is(TokenKind::name)) expected("a name after '.'");
  NodePtr made = node(NodeKind::field, {object->place.begin, now_.place.end});
  made->text = now_.text;
  adopt(*made, std::move(object));
  take();
  return made;
}

NodePtr Parser::primary() {
  NodePtr made;
  switch (now_.kind) {
    case TokenKind::number:
      made = node(NodeKind::number, now_.place);
      made->value = now_.value;
      made->integer = now_.integer;
      made->imaginary = now_.imaginary;
      break;
    case TokenKind::text:
      made = node(NodeKind::text, now_.place);
      break;
    case TokenKind::string:
      made = node(NodeKind::string, now_.place);
      break;
    case TokenKind::name:
      made = node(NodeKind::name, now_.place);
      break;
    case TokenKind::keyword:
      if (now_.text != "end" || indices_ == 0) expected_operand();
      now_.text.clear();
      made = node(NodeKind::end, now_.place);
      break;
    case TokenKind::open_paren:
      return parenthesised();
    case TokenKind::open_bracket:
      return matrix();
    default:
      expected_operand();
  }
  made->text = std::move(now_.text);
  take();
  return made;
}

NodePtr Parser::parenthesised() {
  const Level level(*this);
  const Token open = take();
  NodePtr made = expression();
  if (!is(TokenKind::close_paren)) expected_close(open, "an operator or ')'", ')');
  take();
  return made;
}

// Rows without elements are none: [;] is [], [1;;2] has two.
NodePtr Parser::matrix() {
  const Level level(*this);
  NodePtr made = node(NodeKind::matrix, now_.place);
  const Token open = take();
  while (!is(TokenKind::close_bracket)) {
    NodePtr next = row(open);
    if (!next->children.empty()) adopt(*made, std::move(next));
    if (is(TokenKind::semicolon) || is(TokenKind::newline)) take();
  }
  take();
  made->place.end = last_end_;
  return made;
}

// A comma may stand before the first element and after the last.
NodePtr Parser::row(const Token& open) {
  const auto is_end = [this] {
    return is(TokenKind::semicolon) || is(TokenKind::newline) || is(TokenKind::close_bracket);
  };
  NodePtr made = node(NodeKind::row, now_.place);
  if (is(TokenKind::comma)) take();
  while (!is_end()) {
    if (is(TokenKind::end_of_text)) expected_close(open, "", ']');
    adopt(*made, expression());
    made->place.end = last_end_;
    if (is(TokenKind::comma)) {
      take();
    } else if (!is_end()) {
      expected_close(open, "an operator, ',', ';' or ']'", ']');
    }
  }
  return made;
}

std::span<const std::string_view> command_words() noexcept { return kCommands; }

StatementReader::StatementReader(std::string_view source, const IsVariable& is_variable)
    : parser_(std::make_unique<Parser>(source, is_variable)) {}
StatementReader::StatementReader(StatementReader&&) noexcept = default;
StatementReader::~StatementReader() = default;
std::optional<Statement> StatementReader::next() { return parser_->next(); }

std::vector<Statement> parse(std::string_view source, const IsVariable& is_variable) {
  std::vector<Statement> found;
  Parser parser(source, is_variable);
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

}  // namespace hadamard::matlab
