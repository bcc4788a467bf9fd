#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hadamard {
namespace {

std::string encoded(std::vector<char16_t> units) {
  std::string text;
  append_utf16(text, static_cast<std::int64_t>(units.size()),
               [&](std::int64_t i) -> char32_t { return units[static_cast<std::size_t>(i)]; });
  return text;
}

TEST(Utf8, EveryLengthBeginsAndEndsWhereItShould) {
  const auto text = [](char32_t point) {
    std::string made;
    append_utf8(made, point);
    return made;
  };
  EXPECT_EQ(text(0x7F), "\x7F");
  EXPECT_EQ(text(0x80), "\xC2\x80");
  EXPECT_EQ(text(0x7FF), "\xDF\xBF");
  EXPECT_EQ(text(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(text(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(text(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(text(0x10FFFF), "\xF4\x8F\xBF\xBF");
}

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    if ((point & ~0x7FFu) == 0xD800) continue;
    std::string made;
    append_utf8(made, point);
    std::string_view rest = made;
    ASSERT_EQ(take_code_point(rest), point);
    ASSERT_TRUE(rest.empty());
  }
}

TEST(Utf8, WhatIsNoCharacterIsReplaced) {
  EXPECT_EQ(encoded({u'a', 0xD83D, 0xDE00, u'b'}),
            "a\xF0\x9F\x98\x80"
            "b");
  EXPECT_EQ(encoded({0xD83D, u'b'}),
            "\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(encoded({0xDE00, 0xD83D}), "\xEF\xBF\xBD\xEF\xBF\xBD");
  for (const std::string_view bad :
       {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    std::string_view rest = bad;
    EXPECT_EQ(take_code_point(rest), kReplacement);
    EXPECT_EQ(rest.size(), bad.size() - 1);
  }
}

}  // namespace
}  // namespace hadamard
