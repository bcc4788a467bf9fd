// Expressions.
#include "program/syntax/parser.hpp"

#include <algorithm>

namespace hadamard::syntax {
namespace {

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

NodePtr Parser::expression() { return binary(kOrElse); }

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

// name=value, where the name has been read.
NodePtr Parser::named_argument(NodePtr name) {
  if (name->kind != NodeKind::name) expected("',' or ')' ('==' compares)");
  take();
  NodePtr made = node(NodeKind::named, {name->place.begin, 0});
  made->text = std::move(name->text);
  adopt(*made, expression());
  made->place.end = last_end_;
  return made;
}

NodePtr Parser::argument() {
  if (!is(TokenKind::colon)) {
    NodePtr made = expression();
    return grammar_.named_arguments && is(TokenKind::assign) ? named_argument(std::move(made))
                                                             : std::move(made);
  }
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

}  // namespace hadamard::syntax
