#include "base/utf8.hpp"

#include <cstddef>

namespace hadamard {

void append_utf8(std::string& text, char32_t point) {
  const auto byte = [&](char32_t bits) { text += static_cast<char>(bits); };
  const auto rest = [&](int shift) { byte(0x80 | (point >> shift & 0x3F)); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xC0 | point >> 6);
    rest(0);
  } else if (point < 0x10000) {
    byte(0xE0 | point >> 12);
    rest(6);
    rest(0);
  } else {
    byte(0xF0 | point >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
}

char32_t take_code_point(std::string_view& utf8) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(utf8[i]); };
  const unsigned char first = byte(0);
  std::size_t length = 1;
  char32_t point = first;
  if (first >= 0xF0 && first < 0xF8) {
    length = 4;
    point = first & 7u;
  } else if (first >= 0xE0) {
    length = 3;
    point = first & 15u;
  } else if (first >= 0xC0) {
    length = 2;
    point = first & 31u;
  }
  bool good = first < 0x80 || (first >= 0xC0 && first < 0xF8 && utf8.size() >= length);
  for (std::size_t i = 1; good && i < length; ++i) {
    good = (byte(i) & 0xC0u) == 0x80u;
    point = point << 6 | (byte(i) & 63u);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  good = good && point >= kSmallest[length] && point <= 0x10FFFF && (point & ~0x7FFu) != 0xD800;
  utf8.remove_prefix(good ? length : 1);
  return good ? point : kReplacement;
}

}  // namespace hadamard
