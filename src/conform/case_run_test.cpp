// The runner itself: planted wrong expectations must fail. A check that cannot fail is worthless.
#include "conform/case_run.hpp"

#include <gtest/gtest.h>

#include "base/fail.hpp"
#include "exec/cpu/cpu_provider.hpp"
#include "hadamard/hadamard.hpp"

namespace hadamard::conform {
namespace {

std::string outcome(const std::string& text, const Subject& subject) {
  const auto cases = parse_cases(text, "planted.case");
  EXPECT_EQ(cases.size(), 1u);
  return run_case(cases.at(0), subject).what;
}

// What every subject says about a case; the same for all, or the test fails.
std::string everywhere(const std::string& text) {
  const auto subjects = all_subjects();
  const std::string first = outcome(text, subjects.at(0));
  for (const Subject& subject : subjects) EXPECT_EQ(outcome(text, subject), first) << subject.name;
  return first;
}

constexpr char kDiv[] = "clause X\nop div\ntype fp32\ndialect sonnx\na [1 -1 0]\nb [2 inf 0]\n";
constexpr char kZero[] = "clause X\nop div\ntype int8\ndialect sonnx\na [1 2]\nb [1 0]\n";

TEST(Runner, HoldsWhereTheExpectationIsRight) {
  EXPECT_EQ(everywhere(std::string(kDiv) + "y-hex [0x3f000000 0x80000000 0x7fc00000]"), "");
  EXPECT_EQ(everywhere(std::string(kZero) + "error zero_divisor SONNX-DIV-INT-C3 at (1)"), "");
}

TEST(Runner, SeesOneWrongBit) {
  EXPECT_EQ(
      everywhere(std::string(kDiv) + "y-hex [0x3f000001 0x80000000 0x7fc00000]"),
      "at (0): 0.50000006 0x3f000001 expected, 0.5 0x3f000000 came, 1 ULP; A 1 0x3f800000, B 2 "
      "0x40000000");
}

TEST(Runner, SeesTheSignOfZeroAndTheBitsOfNaN) {
  EXPECT_EQ(everywhere(std::string(kDiv) + "y-hex [0x3f000000 0x00000000 0x7fc00000]"),
            "at (1): 0 0x00000000 expected, -0 0x80000000 came, 0 ULP; A -1 0xbf800000, B inf "
            "0x7f800000");
  EXPECT_EQ(everywhere(std::string(kDiv) + "y-hex [0x3f000000 0x80000000 0xffc00000]"),
            "at (2): nan 0xffc00000 expected, nan 0x7fc00000 came, 0 ULP; A 0 0x00000000, B 0 "
            "0x00000000");
}

TEST(Runner, SeesAWrongShape) {
  EXPECT_EQ(everywhere(std::string(kDiv) + "y-hex [[0x3f000000 0x80000000 0x7fc00000]]"),
            "shape (1,3) expected, (3) came");
  EXPECT_EQ(everywhere(std::string(kDiv) + "y []"), "shape (0) expected, (3) came");
}

TEST(Runner, SeesAnErrorThatWasNotExpectedAndOneThatDidNotCome) {
  EXPECT_EQ(everywhere(std::string(kZero) + "y [1 0]").substr(0, 40),
            "a result expected, error zero_divisor ca");
  EXPECT_EQ(everywhere(std::string(kDiv) + "error zero_divisor SONNX-DIV-FLOAT-C3"),
            "error zero_divisor expected, a result came");
}

TEST(Runner, SeesAnotherCodeRequirementOrPlace) {
  EXPECT_EQ(everywhere(std::string(kZero) + "error shape_mismatch SONNX-DIV-INT-C3").substr(0, 43),
            "error shape_mismatch expected, zero_divisor");
  EXPECT_EQ(everywhere(std::string(kZero) + "error zero_divisor SONNX-DIV-INT-C2"),
            "requirement 'SONNX-DIV-INT-C2' expected, 'SONNX-DIV-INT-C3' came");
  EXPECT_EQ(everywhere(std::string(kZero) + "error zero_divisor"),
            "requirement '' expected, 'SONNX-DIV-INT-C3' came");
  EXPECT_EQ(
      everywhere(std::string(kZero) + "error zero_divisor SONNX-DIV-INT-C3 at (0)").substr(0, 22),
      "index (0) expected in ");
}

TEST(Runner, SeesASubjectOfAnotherTypeOrThatThrowsOtherwise) {
  const std::string text = std::string(kDiv) + "y-hex [0x3f000000 0x80000000 0x7fc00000]";
  const Subject other{"other", [](Op, const Tensor&, const Tensor&, const Options&) {
                        return Tensor(DType::fp64, Dims{3});
                      }};
  EXPECT_EQ(outcome(text, other), "type fp32 expected, fp64 came");
  const Subject odd{"odd", [](Op, const Tensor&, const Tensor&, const Options&) -> Tensor {
                      throw std::runtime_error("odd");
                    }};
  EXPECT_EQ(outcome(text, odd), "an exception that is no hadamard::Error: odd");
}

// A subject that is only wrong in full vectors passes the three elements as they stand.
TEST(Runner, SeesAMistakeThatOnlyLongLinesHave) {
  const Subject late{"late", [](Op op, const Tensor& a, const Tensor& b, const Options& options) {
                       Tensor y = apply(op, a, b, options);
                       if (y.count() > 200) y.set<float>({200}, 7.0F);
                       return y;
                     }};
  const std::string text = std::string(kDiv) + "y-hex [0x3f000000 0x80000000 0x7fc00000]";
  EXPECT_EQ(outcome(text, late),
            "repeated to a long line: at (200): nan 0x7fc00000 expected, 7 0x40e00000 came, no "
            "distance; A 0 0x00000000, B 0 0x00000000");
}

TEST(Runner, HasTheReferenceAndEveryTarget) {
  std::vector<std::string> names;
  for (const Subject& subject : all_subjects()) names.push_back(subject.name);
  std::vector<std::string> expected;
  for (const auto& target : exec::cpu_targets()) {
    if (target.supported) expected.push_back("cpu/" + std::string(target.name));
  }
  expected.emplace_back("ref");
  EXPECT_EQ(names, expected);
  EXPECT_GE(names.size(), 2u);
}

}  // namespace
}  // namespace hadamard::conform
