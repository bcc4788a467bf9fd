// Text to tokens, one at a time. What a character means depends on what stands before it and on the
// innermost bracket: inside [ ], white space separates elements, and the lexer says so by a comma.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/syntax/syntax.hpp"

namespace hadamard::syntax {

enum class TokenKind : std::uint8_t {
  end_of_text,
  newline,  // not inside ( ), where it is white space
  comma,    // or white space between two elements
  semicolon,
  number,
  text,    // 'char'
  string,  // "string"
  name,
  keyword,  // end and the words that this front door does not have
  op,       // with one operand or two: + and - are Operator::plus and minus here
  colon,
  assign,
  dot,  // between a name and a field
  open_paren,
  close_paren,
  open_bracket,
  close_bracket,
};

struct Token {
  TokenKind kind = TokenKind::end_of_text;
  Place place;
  Operator op{};
  bool imaginary = false;
  double value = 0;
  std::uint64_t integer = 0;  // of a hexadecimal or binary number; `text` is its class
  std::string text;
};

class Lexer {
 public:
  explicit Lexer(std::string_view source);

  // Throws SyntaxError.
  Token next();

  // Right after the name of a command at the start of a statement: do words follow it, or nothing?
  // Not so where '=' or '(' follows, or an operator between blanks and an operand: `who - 1` is a
  // difference, `save -v7 x` a command. Then words() are those up to the end of the statement.
  bool is_command() const;
  std::vector<std::string> words();

  // Did the end of the text come inside a bracket, a block comment, or after "..."?
  bool is_unfinished() const { return is_unfinished_; }

 private:
  enum class Bracket : bool { paren, square };

  char at(std::size_t offset) const {
    return at_ + offset < source_.size() ? source_[at_ + offset] : '\0';
  }
  bool is_inside(Bracket bracket) const {
    return !brackets_.empty() && brackets_.back() == bracket;
  }
  bool ends_operand() const;
  bool begins_operand() const;
  bool is_continuation() const;

  std::size_t newline_length(std::size_t position) const;
  bool ends_statement(std::size_t position) const;
  std::size_t after_blanks(std::size_t position) const;
  void skip_line();
  bool skip_blanks();
  bool is_line_of_block(char brace) const;
  void skip_block_comment();

  Token token(TokenKind kind, std::size_t length);
  Token read();
  Token read_number();
  Token read_prefixed_number();
  Token read_name();
  Token read_text();
  Token read_string();
  char32_t read_escape();
  Token read_operator();
  Token open(TokenKind kind, Bracket bracket);
  Token close(TokenKind kind, Bracket bracket);
  [[noreturn]] void refuse_character();

  std::string_view source_;
  std::size_t at_ = 0;
  TokenKind previous_ = TokenKind::newline;
  Operator previous_op_{};
  std::vector<Bracket> brackets_;
  bool is_unfinished_ = false;
};

// A letter or '_', then letters, digits and '_', and no keyword.
bool is_variable_name(std::string_view text);

// "'./'", "the end of the line": what was found, for a message.
std::string describe(const Token& token, std::string_view source);

}  // namespace hadamard::syntax
