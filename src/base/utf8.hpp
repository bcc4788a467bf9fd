// Text: code points, UTF-8 outside, and the UTF-16 code units that char holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hadamard {

// U+FFFD stands for what is no character.
inline constexpr char32_t kReplacement = 0xFFFD;

void append_utf8(std::string& text, char32_t point);

// The code point that `utf8`, which is not empty, begins with, and which it is shortened by;
// kReplacement for one byte that begins none.
char32_t take_code_point(std::string_view& utf8);

// The units at(0) … at(count - 1); a surrogate without its other half becomes kReplacement.
template <class At>
void append_utf16(std::string& text, std::int64_t count, At at) {
  for (std::int64_t i = 0; i < count; ++i) {
    char32_t point = at(i);
    if ((point & ~0x7FFu) == 0xD800) {
      const bool is_pair = point < 0xDC00 && i + 1 < count && (at(i + 1) & ~0x3FFu) == 0xDC00;
      point = is_pair ? 0x10000 + ((point & 0x3FF) << 10) + (at(++i) & 0x3FF) : kReplacement;
    }
    append_utf8(text, point);
  }
}

}  // namespace hadamard
