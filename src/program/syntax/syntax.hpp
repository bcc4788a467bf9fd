// The language: text to syntax trees. Nothing is looked up or computed here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hadamard::syntax {

// Where something stands in the source, for the line and the caret of an error: of an operator (and
// the ':' of a range) its sign, of anything else the whole of it.
struct Place {
  std::uint32_t begin = 0;  // byte offsets into the source
  std::uint32_t end = 0;
};

enum class NodeKind : std::uint8_t {
  number,   // value, imaginary; 0x1F and 0b11 also have text (their class) and integer
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
  named,    // text = children[0], an argument by its name, where the grammar has them
  nothing,  // '~' in [~, i] = …: a result that is not kept
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
  std::uint16_t height = 1;   // 1 more than the tallest of its children
  double value = 0;           // rounded where it is an integer beyond 2^53
  std::uint64_t integer = 0;  // of 0x1F: two's complement in 64 bits, if text is int8 … uint64
  std::string text;
  std::vector<std::unique_ptr<Node>> children;
};
using NodePtr = std::unique_ptr<Node>;

// `target = value`, `[target, more…] = value`, or `value` alone (target empty), or a command word:
// `format long`, `clear a b`, `who`, `help div`, `load x.mat`. Only functions that take words are
// commands.
struct Statement {
  Place place;
  NodePtr target;                  // a name, or an index of a name; beside others also `nothing`
  std::vector<NodePtr> more;       // targets of the second result and of those after it
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

// The bounds of a text. Beyond them is an error, not a crash: brackets, calls and signs within each
// other; the height of a tree, which long chains (1+1+…) have too, so that whoever walks it may
// recurse; bytes of source.
inline constexpr int kDeepest = 200;
inline constexpr int kTallest = 1000;
inline constexpr std::size_t kLongestSource = std::size_t{16} << 20;

// Is this the name of a variable as the text begins? A variable is never a command; those that the
// text itself assigns to are known.
using IsVariable = std::function<bool(std::string_view name)>;

// The names that may be followed by words instead of arguments: format, clear, load, …
std::span<const std::string_view> command_words() noexcept;

// What differs between the languages that share this grammar.
struct Grammar {
  bool named_arguments = false;  // f(x, name=value)
};

// The statements of a text, one after the other: a long script needs no more memory than its text.
// The text must outlive it. Throws SyntaxError.
class StatementReader {
 public:
  explicit StatementReader(std::string_view source, const IsVariable& is_variable = {},
                           Grammar grammar = {});
  StatementReader(StatementReader&&) noexcept;
  ~StatementReader();
  std::optional<Statement> next();  // nothing at the end

 private:
  std::unique_ptr<class Parser> parser_;
};
// All of them.
std::vector<Statement> parse(std::string_view source, const IsVariable& is_variable = {},
                             Grammar grammar = {});

// Does the text end inside a bracket or a block comment, or with "..."? Then a prompt asks for
// more. What is wrong before its end needs no more to be said.
bool is_unfinished(std::string_view source);

// A tree as an expression with every operation in parentheses, which parses to the same tree.
std::string to_source(const Node& node);

}  // namespace hadamard::syntax
