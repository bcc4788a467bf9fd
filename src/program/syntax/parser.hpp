// Recursive descent, one token ahead. Every bracket, call and sign in front of an operand is a
// level of kDeepest; binary operators are climbed by precedence.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "program/syntax/lexer.hpp"
#include "program/syntax/syntax.hpp"

namespace hadamard::syntax {

class Parser {
 public:
  // Throws SyntaxError, as next() does.
  explicit Parser(std::string_view source, IsVariable is_variable = {}, Grammar grammar = {})
      : source_(source), lexer_(source), grammar_(grammar), is_variable_(std::move(is_variable)) {
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
  NodePtr expression();
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
  NodePtr named_argument(NodePtr name);
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
  Grammar grammar_;
  IsVariable is_variable_;
  std::set<std::string, std::less<>> assigned_;  // by statements before
  int indices_ = 0;  // how many ( ) of indices are open: 'end' needs one
  // The '~' of this statement that stand for no operand, and what is wrong with the first of them
  // where they are no targets.
  int nothings_ = 0;
  std::optional<SyntaxError> of_nothing_;
};

}  // namespace hadamard::syntax
