// The grammar of one number, apart from any type: what a text says before anyone asks what it is
// worth.
//
//   value    = [+-] ( "inf" | "infinity" | "nan" | number [ "/" number ] )      letters in any case
//   number   = decimal | hexadecimal
//   decimal  = ( digit+ [ "." digit* ] | "." digit+ ) [ ("e"|"E") [+-] digit+ ]
//   hexadecimal = ("0x"|"0X") ( hex+ [ "." hex* ] | "." hex+ ) [ ("p"|"P") [+-] digit+ ]
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hadamard/types.hpp"
#include "num/dtype.hpp"

namespace hadamard::text {

// An unsigned number: whole.fraction x base^exponent. Views into the scanned text.
struct ScannedNumber {
  std::string_view source;  // all of it
  std::string_view whole;
  std::string_view fraction;
  bool hex = false;           // digits of base 16 and an exponent of 2; else 10 and 10
  std::int64_t exponent = 0;  // beyond +-10^15 it is 10^15

  bool is_zero() const noexcept;
  // A nonzero number is less than base^magnitude() (base 10, or 2 if hex), and not less than a
  // tenth (a sixteenth) of that.
  std::int64_t magnitude() const noexcept;
};

struct Scanned {
  enum class Form : std::uint8_t { number, inf, nan };
  Form form = Form::number;
  bool negative = false;
  bool is_fraction = false;
  ScannedNumber number;
  ScannedNumber denominator;
  std::size_t length = 0;
};

// The longest value at the start of `text`; length 0 if there is none.
Scanned scan(std::string_view text) noexcept;

// Texts of exact numbers are bounded by these, so that memory and time are.
inline constexpr std::size_t kMaxExactLength = 100'000;
inline constexpr std::int64_t kMaxExactExponent = 9'999;

// The exact value of a scan of form `number`. Throws bad_literal, quoting `text`, for a zero
// denominator and beyond the bounds above.
Real exact_value(const Scanned& scanned, std::string_view text);

// The bit pattern nearest to `number` (ties to even; infinity on overflow), in time and memory
// linear in its text, whatever its exponent says.
std::uint64_t nearest(const ScannedNumber& number, FloatFormat format);

// `text` in quotes for a message: one line of ASCII, cut to 40 characters.
std::string in_quotes(std::string_view text);

}  // namespace hadamard::text
