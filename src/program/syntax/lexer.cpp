#include "program/syntax/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.hpp"
#include "num/number_scan.hpp"

namespace hadamard::syntax {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_comment(char c) { return c == '%' || c == '#'; }

// Sorted.
constexpr std::array<std::string_view, 39> kKeywords = {"break",
                                                        "case",
                                                        "catch",
                                                        "classdef",
                                                        "continue",
                                                        "do",
                                                        "else",
                                                        "elseif",
                                                        "end",
                                                        "end_try_catch",
                                                        "end_unwind_protect",
                                                        "endclassdef",
                                                        "endenumeration",
                                                        "endevents",
                                                        "endfor",
                                                        "endfunction",
                                                        "endif",
                                                        "endmethods",
                                                        "endparfor",
                                                        "endproperties",
                                                        "endswitch",
                                                        "endwhile",
                                                        "enumeration",
                                                        "events",
                                                        "for",
                                                        "function",
                                                        "global",
                                                        "if",
                                                        "methods",
                                                        "otherwise",
                                                        "parfor",
                                                        "persistent",
                                                        "return",
                                                        "switch",
                                                        "try",
                                                        "until",
                                                        "unwind_protect",
                                                        "unwind_protect_cleanup",
                                                        "while"};
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));
bool is_keyword(std::string_view text) {
  return text.size() > 1 && std::binary_search(kKeywords.begin(), kKeywords.end(), text);
}

struct Sign {
  std::string_view text;
  Operator op;
};
// Of those that begin alike the longest stands first.
constexpr Sign kSigns[] = {
    {".**", Operator::power},   {".*", Operator::times}, {"./", Operator::rdivide},
    {".\\", Operator::ldivide}, {".^", Operator::power}, {".'", Operator::transpose},
    {"**", Operator::mpower},   {"*", Operator::mtimes}, {"/", Operator::mrdivide},
    {"\\", Operator::mldivide}, {"^", Operator::mpower}, {"==", Operator::eq},
    {"~=", Operator::ne},       {"!=", Operator::ne},    {"<=", Operator::le},
    {"<", Operator::lt},        {">=", Operator::ge},    {">", Operator::gt},
    {"&&", Operator::and_then}, {"&", Operator::and_},   {"||", Operator::or_else},
    {"|", Operator::or_},       {"+", Operator::plus},   {"-", Operator::minus},
    {"~", Operator::not_},      {"!", Operator::not_},
};

Place place_of(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace

Lexer::Lexer(std::string_view source) : source_(source) {
  if (source_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

bool Lexer::ends_operand() const {
  switch (previous_) {
    case TokenKind::number:
    case TokenKind::text:
    case TokenKind::string:
    case TokenKind::name:
    case TokenKind::keyword:
    case TokenKind::close_paren:
    case TokenKind::close_bracket:
      return true;
    case TokenKind::op:
      return previous_op_ == Operator::ctranspose || previous_op_ == Operator::transpose;
    default:
      return false;
  }
}

// After white space inside [ ], where `[1 -2]` has two elements and `[1 - 2]` and `[1 ~=2]` one.
bool Lexer::begins_operand() const {
  const char c = at(0);
  if (c == '+' || c == '-') return !is_blank(at(1));
  if (c == '~' || c == '!') return at(1) != '=';
  if (c == '.') return is_digit(at(1));
  return is_letter(c) || is_digit(c) ||
         std::string_view("'\"([{@").find(c) != std::string_view::npos;
}

bool Lexer::is_continuation() const { return source_.substr(at_, 3) == "..."; }

// 0 where there is none.
std::size_t Lexer::newline_length(std::size_t position) const {
  if (position >= source_.size()) return 0;
  if (source_[position] == '\n') return 1;
  if (source_[position] != '\r') return 0;
  return source_.substr(position, 2) == "\r\n" ? 2 : 1;
}

// Up to the newline.
void Lexer::skip_line() { at_ = std::min(source_.find_first_of("\r\n", at_), source_.size()); }

// Is "%{" (or "%}") here, alone on its line?
bool Lexer::is_line_of_block(char brace) const {
  if (!is_comment(at(0)) || at(1) != brace) return false;
  std::size_t before = at_;
  while (before > 0 && is_blank(source_[before - 1])) --before;
  if (before > 0 && newline_length(before - 1) == 0) return false;
  std::size_t after = at_ + 2;
  while (after < source_.size() && is_blank(source_[after])) ++after;
  return after == source_.size() || newline_length(after) != 0;
}

// They nest.
void Lexer::skip_block_comment() {
  const std::size_t begin = at_;
  int open = 0;
  while (true) {
    while (is_blank(at(0))) ++at_;
    if (is_line_of_block('{')) {
      ++open;
    } else if (is_line_of_block('}')) {
      --open;
    }
    skip_line();
    if (open == 0) return;
    if (at_ == source_.size()) {
      is_unfinished_ = true;
      throw SyntaxError{place_of(begin, begin + 2),
                        "the block comment is not closed: expected a line with '%}' alone, found "
                        "the end of the text"};
    }
    at_ += newline_length(at_);
  }
}

// White space, comments, "..." with its newline and, inside ( ), newlines. Was there any?
bool Lexer::skip_blanks() {
  const std::size_t begin = at_;
  bool continues = false;
  while (at_ < source_.size()) {
    if (is_blank(at(0))) {
      ++at_;
    } else if (is_continuation()) {
      skip_line();
      at_ += newline_length(at_);
      continues = true;
    } else if (is_comment(at(0))) {
      if (is_line_of_block('{')) {
        skip_block_comment();
      } else {
        skip_line();
      }
      continues = false;
    } else if (is_inside(Bracket::paren) && newline_length(at_) != 0) {
      at_ += newline_length(at_);
      continues = false;
    } else {
      return at_ != begin;
    }
  }
  if (continues || !brackets_.empty()) is_unfinished_ = true;
  return at_ != begin;
}

Token Lexer::token(TokenKind kind, std::size_t length) {
  Token made;
  made.kind = kind;
  made.place = place_of(at_, at_ + length);
  at_ += length;
  return made;
}

Token Lexer::next() {
  Token made = skip_blanks() && is_inside(Bracket::square) && ends_operand() && begins_operand()
                   ? token(TokenKind::comma, 0)
                   : read();
  previous_ = made.kind;
  previous_op_ = made.op;
  return made;
}

Token Lexer::read() {
  if (at_ == source_.size()) return token(TokenKind::end_of_text, 0);
  if (const std::size_t length = newline_length(at_); length != 0) {
    return token(TokenKind::newline, length);
  }
  const char c = at(0);
  if (is_letter(c)) return read_name();
  if (is_digit(c) || (c == '.' && is_digit(at(1)))) return read_number();
  switch (c) {
    case ',':
      return token(TokenKind::comma, 1);
    case ';':
      return token(TokenKind::semicolon, 1);
    case ':':
      return token(TokenKind::colon, 1);
    case '(':
      return open(TokenKind::open_paren, Bracket::paren);
    case ')':
      return close(TokenKind::close_paren, Bracket::paren);
    case '[':
      return open(TokenKind::open_bracket, Bracket::square);
    case ']':
      return close(TokenKind::close_bracket, Bracket::square);
    case '"':
      return read_string();
    case '\'':
      // White space before it inside [ ] has made a comma, which does not end an operand.
      if (!ends_operand()) return read_text();
      break;
    default:
      break;
  }
  return read_operator();
}

Token Lexer::read_name() {
  std::size_t length = 1;
  while (is_letter(at(length)) || is_digit(at(length))) ++length;
  const std::string_view text = source_.substr(at_, length);
  Token made = token(is_keyword(text) ? TokenKind::keyword : TokenKind::name, length);
  made.text = text;
  return made;
}

Token Lexer::open(TokenKind kind, Bracket bracket) {
  if (brackets_.size() >= static_cast<std::size_t>(kDeepest)) {
    throw SyntaxError{
        place_of(at_, at_ + 1),
        fmt::format("expected at most {} brackets within each other, found one more", kDeepest)};
  }
  brackets_.push_back(bracket);
  return token(kind, 1);
}

// One that closes another kind of bracket is left to the parser, which knows what it expected.
Token Lexer::close(TokenKind kind, Bracket bracket) {
  if (is_inside(bracket)) brackets_.pop_back();
  return token(kind, 1);
}

// ''  inside is a quote.
Token Lexer::read_text() {
  std::string text;
  std::size_t length = 1;
  for (;; ++length) {
    if (at_ + length >= source_.size() || newline_length(at_ + length) != 0) {
      throw SyntaxError{place_of(at_, at_ + length),
                        "the text is not closed: expected ' before the end of the line"};
    }
    if (at(length) == '\'') {
      if (at(length + 1) != '\'') break;
      ++length;
    }
    text += at(length);
  }
  Token made = token(TokenKind::text, length + 1);
  made.text = std::move(text);
  return made;
}

Token Lexer::read_string() {
  const std::size_t begin = at_;
  std::string text;
  ++at_;
  while (true) {
    const bool at_end = at_ == source_.size();
    if (at_end || (newline_length(at_) != 0)) {
      throw SyntaxError{place_of(begin, at_),
                        "the string is not closed: expected \" before the end of the line"};
    }
    const char c = source_[at_++];
    if (c == '"') {
      if (at(0) != '"') break;
      ++at_;
      text += '"';
    } else if (c == '\\' && newline_length(at_) != 0) {
      at_ += newline_length(at_);
    } else if (c == '\\' && at_ < source_.size()) {
      append_utf8(text, read_escape());
    } else {
      text += c;
    }
  }
  Token made;
  made.kind = TokenKind::string;
  made.place = place_of(begin, at_);
  made.text = std::move(text);
  return made;
}

// What follows the backslash. An unknown one stands for itself, as in Octave.
char32_t Lexer::read_escape() {
  constexpr std::string_view letters = "abfnrtv", values = "\a\b\f\n\r\t\v";
  const char c = at(0);
  if (const auto i = letters.find(c); i != letters.npos) {
    ++at_;
    return static_cast<unsigned char>(values[i]);
  }
  const bool is_hex = c == 'x';
  const std::string_view digits = is_hex ? "0123456789abcdefABCDEF" : "01234567";
  const std::size_t begin = at_ + (is_hex ? 1 : 0);
  std::size_t end = begin;
  while (end < source_.size() && end - begin < (is_hex ? 2 : 3) &&
         digits.find(source_[end]) != digits.npos) {
    ++end;
  }
  if (end == begin) {
    // The rest of a character of several bytes follows as it is.
    if (static_cast<unsigned char>(c) >= 0x80) return U'\\';
    ++at_;
    return static_cast<unsigned char>(c);
  }
  at_ = end;
  char32_t code = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t digit = digits.find(source_[i]);
    code = code * (is_hex ? 16 : 8) + static_cast<char32_t>(digit < 16 ? digit : digit - 6);
  }
  return code;
}

Token Lexer::read_operator() {
  const std::string_view rest = source_.substr(at_);
  if (rest[0] == '\'') {
    Token made = token(TokenKind::op, 1);
    made.op = Operator::ctranspose;
    return made;
  }
  if (rest[0] == '=' && at(1) != '=') return token(TokenKind::assign, 1);
  if (rest[0] == '.' && is_letter(at(1)) && ends_operand()) return token(TokenKind::dot, 1);
  for (const Sign& sign : kSigns) {
    if (rest[0] == sign.text[0] && rest.starts_with(sign.text)) {
      Token made = token(TokenKind::op, sign.text.size());
      made.op = sign.op;
      return made;
    }
  }
  refuse_character();
}

void Lexer::refuse_character() {
  const Place place = place_of(at_, at_ + 1);
  switch (at(0)) {
    case '{':
    case '}':
      throw SyntaxError{place,
                        "there are no cell arrays ('{ }') here: expected an expression of arrays"};
    case '@':
      throw SyntaxError{
          place, "there are no function handles ('@') here: expected an expression of arrays"};
    default:
      break;
  }
  std::size_t end = at_ + 1;
  while (end < source_.size() && end < at_ + 4 && (source_[end] & 0xC0) == 0x80) ++end;
  throw SyntaxError{place_of(at_, end),
                    fmt::format("expected a number, a name or an operator, found {}",
                                text::in_quotes(source_.substr(at_, end - at_)))};
}

bool is_variable_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c);
  }) && !is_keyword(text);
}

std::size_t Lexer::after_blanks(std::size_t position) const {
  while (position < source_.size() && is_blank(source_[position])) ++position;
  return position;
}

bool Lexer::ends_statement(std::size_t position) const {
  if (position == source_.size() || newline_length(position) != 0) return true;
  const char c = source_[position];
  return c == ',' || c == ';' || is_comment(c);
}

bool Lexer::is_command() const {
  const std::size_t position = after_blanks(at_);
  if (ends_statement(position)) return true;
  const std::string_view rest = source_.substr(position);
  if (position == at_ || rest[0] == '(') return false;
  if (rest[0] == '=' && !rest.starts_with("==")) return false;
  for (const Sign& sign : kSigns) {
    if (!rest.starts_with(sign.text)) continue;
    const std::size_t end = position + sign.text.size();
    return after_blanks(end) == end || ends_statement(after_blanks(end));
  }
  return true;
}

// Quotes may stand around a word.
std::vector<std::string> Lexer::words() {
  std::vector<std::string> found;
  while (true) {
    at_ = after_blanks(at_);
    if (ends_statement(at_)) return found;
    const char c = at(0);
    if (c == '\'' || c == '"') {
      found.push_back(c == '"' ? read_string().text : read_text().text);
      continue;
    }
    const std::size_t end = std::min(source_.find_first_of(" \t\r\n,;", at_), source_.size());
    found.emplace_back(source_.substr(at_, end - at_));
    at_ = end;
  }
}

std::string describe(const Token& token, std::string_view source) {
  switch (token.kind) {
    case TokenKind::end_of_text:
      return "the end of the text";
    case TokenKind::newline:
      return "the end of the line";
    default:
      break;
  }
  if (token.place.begin == token.place.end) return "white space, which separates elements";
  return text::in_quotes(source.substr(token.place.begin, token.place.end - token.place.begin));
}

}  // namespace hadamard::syntax
