#include "tensor/literal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/fail.hpp"
#include "num/dtype.hpp"
#include "num/number_scan.hpp"
#include "num/text.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

constexpr std::size_t kMaxDepth = 64;

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

enum class Symbol : std::uint8_t { end, number, open, close, comma, row };

struct Token {
  Symbol symbol = Symbol::end;
  std::size_t position = 0;  // in the text
  std::string_view text;
};

// Where a byte of the text is, for a message.
std::string place(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position);
  const std::size_t line_end = before.rfind('\n');
  if (line_end == std::string_view::npos) return fmt::format("column {}", position + 1);
  return fmt::format("line {}, column {}", 1 + std::count(before.begin(), before.end(), '\n'),
                     position - line_end);
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Token next() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
    Token token{Symbol::end, position_, text_.substr(position_, 1)};
    if (token.text.empty()) return token;
    token.symbol = symbol_of(token.text[0]);
    if (token.symbol == Symbol::number) {
      const std::size_t length = text::number_length(text_.substr(position_));
      if (length == 0) {
        fail(ErrorCode::bad_literal, "{}: {} cannot stand in a literal; numbers and [ ] , ; can",
             place(text_, position_), text::in_quotes(token.text));
      }
      token.text = text_.substr(position_, length);
      // Left to the number's own parser, "1 - 2" would be a puzzling complaint about '-'.
      if (token.text == "+" || token.text == "-" || token.text == "/") {
        fail(ErrorCode::bad_literal,
             "{}: a number was expected after {}, without a space between; a literal does not "
             "compute",
             place(text_, position_), text::in_quotes(token.text));
      }
    }
    position_ += token.text.size();
    return token;
  }

 private:
  static Symbol symbol_of(char c) {
    switch (c) {
      case '[':
        return Symbol::open;
      case ']':
        return Symbol::close;
      case ',':
        return Symbol::comma;
      case ';':
        return Symbol::row;
      default:
        return Symbol::number;
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

// The first of two readings: brackets and separators only, to know the shape. The extents of a
// level are set by the first bracket that closes on it; every later one must agree.
class ShapeReader {
 public:
  explicit ShapeReader(std::string_view text) : text_(text), tokens_(text) { advance(); }

  Dims read() {
    if (token_.symbol == Symbol::number) {
      advance();
    } else if (token_.symbol == Symbol::open) {
      read_bracket(0);
    } else {
      fail_at_token("a number or [ was expected");
    }
    if (token_.symbol != Symbol::end) fail_at_token("the end was expected after a whole literal");
    return shape();
  }

 private:
  void advance() { token_ = tokens_.next(); }

  [[noreturn]] void fail_at_token(std::string_view expected) const {
    const std::string found =
        token_.symbol == Symbol::end ? "the end" : text::in_quotes(token_.text);
    fail(ErrorCode::bad_literal, "{}: {}, but {} came", place(text_, token_.position), expected,
         found);
  }

  // A bracket on `level`, with all that is in it. The current token is its '['.
  void read_bracket(std::size_t level) {
    if (level >= kMaxDepth) {
      fail(ErrorCode::bad_literal, "{}: brackets are nested deeper than {}",
           place(text_, token_.position), kMaxDepth);
    }
    const std::size_t start = token_.position;
    advance();
    if (token_.symbol == Symbol::open) {
      read_nested(level, start);
    } else {
      read_numbers(level, start);
    }
    advance();  // the ']'
  }

  void read_nested(std::size_t level, std::size_t start) {
    if (numbers_level_ && *numbers_level_ <= level) {
      fail_at_token("a number was expected at this depth, as before");
    }
    std::int64_t count = 0;
    do {
      if (token_.symbol != Symbol::open) fail_at_token("[ was expected among brackets");
      read_bracket(level + 1);
      ++count;
    } while (another_follows());
    if (token_.symbol == Symbol::row)
      fail_at_token("[ or ] was expected: ';' is for rows of numbers");
    if (token_.symbol != Symbol::close) fail_at_token("[ or ] was expected");
    agree(extents_[level], count, start, "element");
  }

  // Numbers on `level`, or nothing at all.
  void read_numbers(std::size_t level, std::size_t start) {
    if (numbers_level_.value_or(level) != level) {
      fail(ErrorCode::bad_literal, "{}: brackets are nested {} deep here but {} before",
           place(text_, start), level + 1, *numbers_level_ + 1);
    }
    numbers_level_ = level;
    std::int64_t rows = 1;
    std::int64_t columns = 0;
    std::optional<std::int64_t> row_length;
    bool by_rows = false;
    while (token_.symbol != Symbol::close) {
      const std::size_t row_start = token_.position;
      columns = read_row();
      agree(row_length, columns, row_start, "element");
      if (token_.symbol != Symbol::row) break;
      by_rows = true;
      ++rows;
      advance();
      if (token_.symbol != Symbol::number) fail_at_token("a number was expected after ';'");
    }
    if (token_.symbol != Symbol::close) fail_at_token("a number or ] was expected");
    if (by_rows_.value_or(by_rows) != by_rows) {
      fail(ErrorCode::bad_literal, "{}: rows by ';' were expected in all brackets or in none",
           place(text_, start));
    }
    by_rows_ = by_rows;
    if (by_rows) agree(rows_, rows, start, "row");
    agree(extents_[level], columns, start, "element");
  }

  std::int64_t read_row() {
    std::int64_t count = 0;
    do {
      if (token_.symbol != Symbol::number) {
        fail_at_token(token_.symbol == Symbol::open ? "a number was expected among numbers"
                                                    : "a number was expected");
      }
      advance();
      ++count;
    } while (another_follows());
    return count;
  }

  // Steps over a comma between neighbours. After a comma an element must come.
  bool another_follows() {
    if (token_.symbol == Symbol::comma) {
      advance();
      return true;
    }
    return token_.symbol == Symbol::number || token_.symbol == Symbol::open;
  }

  void agree(std::optional<std::int64_t>& known, std::int64_t count, std::size_t position,
             std::string_view what) const {
    if (known.value_or(count) != count) {
      fail(ErrorCode::bad_literal, "{}: {} {}{} expected, as before, but {} came",
           place(text_, position), *known, what, *known == 1 ? " was" : "s were", count);
    }
    known = count;
  }

  Dims shape() const {
    Dims result;
    if (!numbers_level_) return result;
    for (std::size_t level = 0; level < *numbers_level_; ++level) {
      result.push_back(*extents_[level]);
    }
    if (rows_) result.push_back(*rows_);
    result.push_back(*extents_[*numbers_level_]);
    return result;
  }

  std::string_view text_;
  Tokenizer tokens_;
  Token token_;
  std::optional<std::int64_t> extents_[kMaxDepth];
  std::optional<std::int64_t> rows_;
  std::optional<std::size_t> numbers_level_;  // of the brackets that have numbers in them
  std::optional<bool> by_rows_;
};

// The second reading: the numbers, in order.
template <class T>
void fill(Tensor& tensor, std::string_view text) {
  Tokenizer tokens(text);
  std::int64_t index = 0;
  for (Token token = tokens.next(); token.symbol != Symbol::end; token = tokens.next()) {
    if (token.symbol != Symbol::number) continue;
    try {
      store_element<T>(tensor.data(), index++, text::parse<T>(token.text));
    } catch (const Error& e) {
      fail(e.code(), "{}: {}", place(text, token.position), e.what());
    }
  }
}

// Collects pieces until they are worth a call.
class Buffered {
 public:
  explicit Buffered(const TextSink& sink) : sink_(sink) {}
  void put(std::string_view piece) {
    buffer_ += piece;
    if (buffer_.size() >= kChunk) flush();
  }
  void flush() {
    if (!buffer_.empty()) sink_(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{64} << 10;
  const TextSink& sink_;
  std::string buffer_;
};

// What stands before an element: nothing, a space, a line end, or the head of its matrix.
std::string separator(const Dims& index) {
  const std::size_t rank = index.size();
  if (rank == 0) return {};
  if (index[rank - 1] != 0) return " ";
  if (rank == 1) return {};
  if (index[rank - 2] != 0) return "\n";
  if (rank == 2) return {};
  const bool first = std::all_of(index.begin(), index.end(), [](std::int64_t i) { return i == 0; });
  std::string out = first ? "[" : "\n\n[";
  for (std::size_t dim = 0; dim + 2 < rank; ++dim) out += std::to_string(index[dim]) + ',';
  return out += ":,:]\n";
}

template <class T>
std::string element_text(const T& value, const TextStyle& style) {
  if constexpr (std::is_same_v<T, Real>) {
    if (style.decimals) {
      return text::format(value) + " (" + value.to_decimal(*style.decimals) + ')';
    }
  }
  return style.hex ? text::format_hex(value) : text::format(value);
}

template <class T>
void print_elements(Buffered& out, const ConstView& tensor, const TextStyle& style) {
  const Dims* const strides[] = {&tensor.strides()};
  for (IndexWalk<1> walk(tensor.shape(), strides); !walk.done(); walk.next()) {
    const T value = load_element<T>(tensor.data(), tensor.offset() + walk.offset(0));
    out.put(separator(walk.index()));
    out.put(element_text(value, style));
  }
}

}  // namespace

Tensor parse_literal(std::string_view text, DType type) {
  Tensor result(type, ShapeReader(text).read());
  with_type(type, [&]<class T>(std::type_identity<T>) { fill<T>(result, text); });
  return result;
}

void print_text(const TextSink& sink, const ConstView& tensor, const TextStyle& style) {
  Buffered out(sink);
  if (tensor.count() == 0) {
    out.put("[] " + to_string(tensor.shape()));
  } else {
    with_type(tensor.dtype(),
              [&]<class T>(std::type_identity<T>) { print_elements<T>(out, tensor, style); });
  }
  out.put("\n");
  out.flush();
}

}  // namespace hadamard
