// The reader of .case files: what it takes, and that it takes nothing else.
#include "conform/case_file.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hadamard::conform {
namespace {

constexpr char kGood[] =
    "# a comment\n"
    "clause SONNX-DIV-INT-C3 SONNX-DIV-INT-R3\n"
    "note   division by zero\n"
    "op div\n"
    "type int8\n"
    "dialect sonnx\n"
    "a [1 2]\n"
    "b [1 0]\n"
    "error zero_divisor SONNX-DIV-INT-C3 at (1)\n";

// kGood with `from` (which must be there) replaced.
std::string changed(std::string_view from, std::string_view to) {
  std::string text = kGood;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string problem(std::string_view text) {
  try {
    parse_cases(text, "x.case");
  } catch (const CaseError& error) {
    return error.what();
  }
  return "none";
}

TEST(CaseFile, ReadsEveryKey) {
  const auto cases = parse_cases(kGood, "x.case");
  ASSERT_EQ(cases.size(), 1u);
  const Case& c = cases[0];
  EXPECT_EQ(c.place(), "x.case:2");
  EXPECT_EQ(c.clauses, (std::vector<std::string>{"SONNX-DIV-INT-C3", "SONNX-DIV-INT-R3"}));
  EXPECT_EQ(c.note, "division by zero");
  EXPECT_EQ(c.op, Op::div);
  EXPECT_EQ(c.options.dialect, Dialect::sonnx);
  EXPECT_EQ(c.a.to_vector<std::int8_t>(), (std::vector<std::int8_t>{1, 2}));
  EXPECT_EQ(c.b.to_vector<std::int8_t>(), (std::vector<std::int8_t>{1, 0}));
  ASSERT_TRUE(c.error);
  EXPECT_EQ(c.error->code, ErrorCode::zero_divisor);
  EXPECT_EQ(c.error->requirement, "SONNX-DIV-INT-C3");
  EXPECT_EQ(c.error->place, "(1)");

  const auto options = parse_cases(
      "clause X\nop sub\ntype fp32\nb-type int4\ndialect onnx\nbroadcast paddle\naxis -1\n"
      "int-division floor\na-hex [0x3f800000]\nb-hex [0xf]\ny-hex [0x80000000]\n",
      "x.case");
  ASSERT_EQ(options.size(), 1u);
  EXPECT_EQ(options[0].options.broadcast, Broadcast::paddle);
  EXPECT_EQ(options[0].options.axis, -1);
  EXPECT_EQ(options[0].options.int_division, IntDivision::floor);
  EXPECT_EQ(options[0].a.at<float>({0}), 1.0F);
  EXPECT_EQ(options[0].b.at<int4>({0}).value, -1);
  EXPECT_TRUE(std::signbit(options[0].y->at<float>({0})));
}

TEST(CaseFile, SeparatesCasesByBlankLines) {
  const std::string other = changed("b [1 0]", "b [0 1]");
  const auto cases = parse_cases(std::string(kGood) + " \t\n\n" + other, "x.case");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[1].line, 13);
}

TEST(CaseFile, RefusesWithFileAndLine) {
  EXPECT_EQ(problem(changed("op div", "operator div")).substr(0, 38),
            "x.case:4: 'operator' is no key; the ke");
  EXPECT_EQ(problem(changed("op div", "op")), "x.case:4: the key 'op' has no value");
  EXPECT_EQ(problem(changed("op div", "op powder")), "x.case:4: op 'powder' is not known");
  EXPECT_EQ(problem(changed("op div\n", "")), "x.case:2: the case has no key 'op'");
  EXPECT_EQ(problem(changed("clause SONNX-DIV-INT-C3 SONNX-DIV-INT-R3\n", "")),
            "x.case:2: the case has no key 'clause'");
  EXPECT_EQ(problem(changed("dialect sonnx\n", "")), "x.case:2: the case has no key 'dialect'");
  EXPECT_EQ(problem(changed("a [1 2]\n", "")), "x.case:2: the case has no operand 'a'");
  EXPECT_EQ(problem(changed("a [1 2]", "a [1 200]")).substr(0, 12), "x.case:7: a:");
  EXPECT_EQ(problem(changed("b [1 0]", "b-hex [0x1ff]")),
            "x.case:8: 0x1ff has more than the 8 bits of int8");
  EXPECT_EQ(problem(changed("b [1 0]", "b [1 0]\nb-hex [1 0]")),
            "x.case:9: the case has both b and b-hex");
  EXPECT_EQ(problem(changed("b [1 0]", "b [1 0]\nb [1 0]")),
            "x.case:9: the key 'b' stands twice, first in line 8");
  EXPECT_EQ(problem(changed("error zero_divisor SONNX-DIV-INT-C3 at (1)\n", "")),
            "x.case:2: the case must have one expectation: y, y-hex or error");
  EXPECT_EQ(problem(changed("error zero", "y [1 2]\nerror zero")),
            "x.case:2: the case must have one expectation: y, y-hex or error");
  EXPECT_EQ(problem(changed("zero_divisor", "zero")), "x.case:9: error 'zero' is no error code");
  EXPECT_EQ(problem(changed("at (1)", "at 1")).substr(0, 24), "x.case:9: error … at '");
  EXPECT_EQ(problem(changed("int8", "int7")), "x.case:5: type 'int7' is not known");
  EXPECT_EQ(problem(changed("sonnx", "sonx")), "x.case:6: dialect 'sonx' is not known");
}

TEST(CaseFile, RefusesTheSameCaseTwice) {
  const std::string twice = std::string(kGood) + "\n" + changed("division by zero", "again");
  EXPECT_EQ(problem(twice), "x.case:12: the same case stands at x.case:2");
}

TEST(CaseFile, RefusesAFolderWithoutCases) { EXPECT_THROW(read_cases("/nonexistent"), CaseError); }

}  // namespace
}  // namespace hadamard::conform
