// The numbers of the language: 1, 1.5, .5, 1e3, 1d3, 1_000, 3i, 0x1F, 0b101, 0xFFs8.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>
#include <system_error>

#include "num/dtype.hpp"
#include "num/number_scan.hpp"
#include "program/syntax/lexer.hpp"

namespace hadamard::syntax {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Nearest, infinity where it is too large.
double decimal(const std::string& text) {
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc())
    return value;
  return std::bit_cast<double>(text::nearest(text::scan(text).number, kFp64));
}

// 16 and up: no digit.
unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10 : 16;
}

bool is_part_of_name(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || is_digit(c) || c == '_';
}

}  // namespace

Token Lexer::read_number() {
  if (at(0) == '0' && (at(1) == 'x' || at(1) == 'X' || at(1) == 'b' || at(1) == 'B')) {
    return read_prefixed_number();
  }
  std::string digits;
  std::size_t length = 0;
  const auto take_digits = [&] {
    for (; is_digit(at(length)) || at(length) == '_'; ++length) {
      if (at(length) != '_') digits += at(length);
    }
  };
  take_digits();
  // The point of an operator (1./2, 1.') is none of the number's, nor is that of "...".
  const bool is_operator =
      std::string_view("*/\\^'").find(at(length + 1)) != std::string_view::npos && at(length + 1);
  const bool is_dots = at(length + 1) == '.' && at(length + 2) == '.';
  if (at(length) == '.' && !is_operator && !is_dots) {
    digits += '.';
    ++length;
    take_digits();
  }
  const char mark = static_cast<char>(at(length) | 0x20);
  const bool is_signed = at(length + 1) == '+' || at(length + 1) == '-';
  if ((mark == 'e' || mark == 'd') && is_digit(at(length + (is_signed ? 2 : 1)))) {
    digits += 'e';
    if (at(length + 1) == '-') digits += '-';
    length += is_signed ? 2 : 1;
    take_digits();
  }
  const char suffix = static_cast<char>(at(length) | 0x20);
  const bool imaginary = suffix == 'i' || suffix == 'j';
  if (imaginary) ++length;
  if (is_part_of_name(at(length))) {
    at_ += length;
    const Place place{static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 1)};
    throw SyntaxError{place, fmt::format("expected an operator after the number, found {}",
                                         text::in_quotes(source_.substr(at_, 1)))};
  }
  Token made = token(TokenKind::number, length);
  made.value = decimal(digits);
  made.imaginary = imaginary;
  return made;
}

// Its class is the narrowest unsigned one that holds as many digits, or what the suffix (u8 … s64)
// says.
Token Lexer::read_prefixed_number() {
  const unsigned bits_of_digit = (at(1) | 0x20) == 'x' ? 4 : 1;
  std::uint64_t value = 0;
  unsigned bits = 0;
  std::size_t length = 2;
  for (; at(length) == '_' || digit_value(at(length)) >> bits_of_digit == 0; ++length) {
    if (at(length) == '_') continue;
    value = value << bits_of_digit | digit_value(at(length));
    bits += bits_of_digit;
    if (bits > 64) break;
  }
  const bool has_digits = bits != 0;
  const bool is_signed = at(length) == 's';
  unsigned width = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
  if (is_signed || at(length) == 'u') {
    for (const unsigned each : {8U, 16U, 32U, 64U}) {
      const std::string text = std::to_string(each);
      if (source_.substr(at_ + length + 1).starts_with(text)) {
        width = each;
        length += 1 + text.size();
        break;
      }
    }
  }
  const Place place{static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + length)};
  if (bits > width) {
    throw SyntaxError{
        place, fmt::format("expected a number of at most {} bits, found more digits", width)};
  }
  if (!has_digits || is_part_of_name(at(length))) {
    throw SyntaxError{
        {place.begin, place.end + 1},
        fmt::format("expected digits of base {} and at most a suffix u8 ... s64, found {}",
                    1U << bits_of_digit, text::in_quotes(source_.substr(at_, length + 1)))};
  }
  Token made = token(TokenKind::number, length);
  made.text = fmt::format("{}int{}", is_signed ? "" : "u", width);
  const bool is_negative = is_signed && (value >> (width - 1)) != 0;
  made.integer = is_negative && width < 64 ? value | ~std::uint64_t{0} << width : value;
  made.value = is_signed ? static_cast<double>(static_cast<std::int64_t>(made.integer))
                         : static_cast<double>(made.integer);
  return made;
}

}  // namespace hadamard::syntax
