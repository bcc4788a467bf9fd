// The language: text to syntax trees. Nothing is looked up or computed here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hadamard::matlab {

// Where something stands in the source, for the line and the caret of an error.
struct Place {
  std::uint32_t begin = 0;  // byte offsets into the source
  std::uint32_t end = 0;
};

enum class NodeKind : std::uint8_t {
  number,   // value, imaginary
  text,     // 'char' (text)
  string,   // "string" (text)
  name,     // text: a variable, or a function without arguments
  colon,    // a bare ':' in an index
  end,      // 'end' in an index
  unary,    // op, children[0]
  binary,   // op, children[0], children[1]
  postfix,  // op ' or .', children[0]
  range,    // children: first, [step,] last
  matrix,   // children: rows, each of kind `row`
  row,      // children: its parts
  index,    // children[0] (...): children[1...] are the arguments
  field,    // children[0].text: gpuArray.zeros
};

enum class Operator : std::uint8_t {
  plus,
  minus,
  times,
  rdivide,
  ldivide,
  power,  // + - .* ./ .\ .^
  mtimes,
  mrdivide,
  mldivide,
  mpower,  // * / \ ^
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  and_,
  or_,
  and_then,
  or_else,  // == ~= < <= > >= & | && ||
  not_,
  uplus,
  uminus,
  ctranspose,
  transpose,  // ~ + - ' .'
};
std::string_view symbol(Operator op) noexcept;

struct Node {
  NodeKind kind;
  Place place;
  Operator op{};
  bool imaginary = false;
  double value = 0;
  std::string text;
  std::vector<std::unique_ptr<Node>> children;
};
using NodePtr = std::unique_ptr<Node>;

// `target = value`, or `value` alone (target empty), or a command word: `format long`, `clear a b`,
// `who`, `help div`.
struct Statement {
  Place place;
  NodePtr target;                  // a name, or an index of a name
  NodePtr value;                   // empty for a command
  std::string command;             // "format"
  std::vector<std::string> words;  // its arguments
  bool is_silent = false;          // ends with ';'
};

// Thrown for text that is not of the language.
struct SyntaxError {
  Place place;
  std::string message;
};

// All statements of a text. Deep nesting is an error, not a crash: at most kDeepest levels.
inline constexpr int kDeepest = 200;
std::vector<Statement> parse(std::string_view source);

// Does the text end inside a bracket, or with "..."? Then a prompt asks for more.
bool is_unfinished(std::string_view source);

}  // namespace hadamard::matlab
