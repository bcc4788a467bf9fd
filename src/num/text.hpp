// One element as text, and text as one element.
#pragma once

#include <string>
#include <string_view>

#include "hadamard/types.hpp"
#include "num/dtype.hpp"

namespace hadamard::text {

// The shortest text that parse() reads back to the same value (of several the closest): "0.1",
// "1e+30", "-0", "nan", "inf", "61/30", "1-2.5i", "true". Decimal points only where needed: "7",
// not "7.0". Positional notation for decimal exponents -4 … 15, as Python's repr chooses it.
template <class T>
std::string format(const T& value);

// The bit pattern, as wide as the type: "0x3c00"; complex "0x3f800000+0x40000000i"; `real` as
// format().
template <class T>
std::string format_hex(const T& value);

// The inverse. Decimal ("-1.5e3", ".5", "5."), "inf"/"infinity"/"nan" in any case with an optional
// sign, hexadecimal floats ("0x1.8p3"), fractions "61/30" of such numbers without exponent blow-up,
// for complex "1+2i", "-2.5i", "i" (also "j"), for bool "true" "false" "1" "0". Rounded once, to
// nearest even. Throws bad_literal, naming the text and the type, for: anything else, an integer
// out of range or not whole, a finite number that overflows a float type, a NaN or infinity where
// the type has none.
template <class T>
T parse(std::string_view text);

// How many characters at the start of `text` belong to one number (for a tokenizer): the longest
// prefix over the characters that parse() can take (letters, digits and + - . /); 0 if none.
std::size_t number_length(std::string_view text);

// Whether all of `text` has the form of a number of some type (so "1e999" has, "1.npy" has not).
bool is_number(std::string_view text) noexcept;

}  // namespace hadamard::text
