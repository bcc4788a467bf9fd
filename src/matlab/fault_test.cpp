#include "matlab/fault.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hadamard::matlab {
namespace {

TEST(Report, LineAndCarets) {
  EXPECT_EQ(report(Fault{"MATLAB:x", "no", Place{12, 14}}, "a = 1\nb = A ./ B\n", "s.m"),
            "error: no [MATLAB:x]\n"
            "s.m:2 | b = A ./ B\n"
            "      |       ^^\n");
  EXPECT_EQ(report(SyntaxError{{3, 3}, "more"}, "1 +", "-e"),
            "parse error: more\n"
            "-e:1 | 1 +\n"
            "     |    ^\n");
}

TEST(Report, WithoutPlaceOrIdentifier) {
  EXPECT_EQ(report(Fault{"", "no"}, "x", "s"), "error: no\n");
  EXPECT_EQ(report(Fault{"A:b", "no"}, "x", "s"), "error: no [A:b]\n");
}

TEST(Report, CaretsStandUnderCharacters) {
  EXPECT_EQ(report(Fault{"", "no", Place{6, 7}}, "\t'\u00e9' + 1", "s"),
            "error: no\ns:1 |  '\u00e9' + 1\n    |      ^\n");
}

// A place of several lines is shown by its first; every kind of line end counts as one.
TEST(Report, Lines) {
  EXPECT_EQ(report(Fault{"", "no", Place{5, 12}}, "1\r\n2\r[1\n2 3]", "s"),
            "error: no\ns:3 | [1\n    | ^^\n");
  EXPECT_EQ(report(Fault{"", "no", Place{2, 2}}, "1\n", "s"), "error: no\ns:2 | \n    | ^\n");
  EXPECT_EQ(report(Fault{"", "no", Place{900, 901}}, "1", "s"), "error: no\ns:1 | 1\n    |  ^\n");
}

TEST(Report, LongLineIsShownInPart) {
  const std::string source = std::string(500, 'a') + "+" + std::string(500, 'b');
  EXPECT_EQ(report(Fault{"", "no", Place{500, 501}}, source, "s"),
            "error: no\ns:1 | ..." + std::string(50, 'a') + "+" + std::string(49, 'b') +
                "...\n    | " + std::string(53, ' ') + "^\n");
  EXPECT_EQ(
      report(Fault{"", "no", Place{0, 1001}}, source, "s"),
      "error: no\ns:1 | " + std::string(100, 'a') + "...\n    | " + std::string(100, '^') + "\n");
}

TEST(Report, LongMessageIsShownInPart) {
  const std::string long_text = "begin " + std::string(5000, 'a') + " end";
  EXPECT_EQ(
      report(Fault{"A:b", long_text}, "x", "s"),
      "error: begin " + std::string(694, 'a') + " ... " + std::string(296, 'a') + " end [A:b]\n");
  std::string accents;
  for (int i = 0; i < 1000; ++i) accents += "\u00e9";
  const std::string shown = report(Fault{"", "x" + accents}, "x", "s");
  EXPECT_LT(shown.size(), 1020u);
  EXPECT_NE(shown.find("\u00e9 ... \u00e9"), std::string::npos);
  EXPECT_EQ(report(Fault{"", std::string(1000, 'a')}, "x", "s"),
            "error: " + std::string(1000, 'a') + "\n");
}

}  // namespace
}  // namespace hadamard::matlab
