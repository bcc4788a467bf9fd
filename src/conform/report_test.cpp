// What a reader is told: the table, its last line, and the same as JSON.
#include "conform/report.hpp"

#include <gtest/gtest.h>

namespace hadamard::conform {
namespace {

constexpr char kCases[] =
    "clause X Y\nop div\ntype fp32\ndialect sonnx\na [1 3]\nb [2 4]\ny [0.5 0.75]\n\n"
    "clause X\nop div\ntype int8\ndialect onnx\na [1 2]\nb [1 0]\nerror zero_divisor at (1)\n\n"
    "clause Z\nop add\ntype int8\ndialect onnx\na 1\nb 1\ny 2\n";

// A report on two subjects: one fails the first case, the other has none for the third.
struct Planted {
  std::vector<Case> cases = parse_cases(kCases, "p.case");
  Report report;
  Planted() {
    const Tensor got = Tensor::from({0.5F, 0.5F}, {2});
    const ConstView operands[] = {cases[0].a, cases[0].b};
    report.subjects = {"one", "another"};
    report.failures.push_back({&cases[0], "one", difference(*cases[0].y, got, operands, {})});
    report.skips.push_back({&cases[2], "another", Skip::Kind::unsupported, "it says \"no\""});
    report.skips.push_back({&cases[1], "another", Skip::Kind::not_applicable, "no way"});
  }
};

TEST(Report, IsATableOfClauses) {
  const Planted p;
  EXPECT_EQ(
      to_text(p.cases, p.report),
      "p.case:1: one: div fp32 (sonnx): at (1): 0.75 0x3f400000 expected, 0.5 0x3f000000 "
      "came, 4194304 ULP; A 3 0x40400000, B 4 0x40800000 [X Y]\n"
      "clause                   cases  one     another               where\n"
      "X                            2  1 FAIL  ok 1/2                p.case:1,9\n"
      "Y                            1  1 FAIL  ok                    p.case:1\n"
      "Z                            1  ok      not run: unsupported  p.case:17\n"
      "3 clauses, 3 cases: 0 hold, 1 failed, 1 unsupported, 1 not applicable, on: one, another\n");
}

TEST(Report, IsJson) {
  const Planted p;
  EXPECT_EQ(
      to_json(p.cases, p.report),
      R"({"subjects":["one","another"],"clauses":[)"
      R"({"clause":"X","cases":["p.case:1","p.case:9"],"results":{"one":"1 FAIL","another":"ok 1/2"}},)"
      R"({"clause":"Y","cases":["p.case:1"],"results":{"one":"1 FAIL","another":"ok"}},)"
      R"({"clause":"Z","cases":["p.case:17"],"results":{"one":"ok","another":"not run: unsupported"}}],)"
      R"("failures":[{"case":"p.case:1","clauses":["X","Y"],"subject":"one","op":"div","type":"fp32",)"
      R"("profile":"sonnx","what":"at (1): 0.75 0x3f400000 expected, 0.5 0x3f000000 came, 4194304 ULP; )"
      R"(A 3 0x40400000, B 4 0x40800000","index":[1],"expected":{"value":"0.75","hex":"0x3f400000"},)"
      R"("got":{"value":"0.5","hex":"0x3f000000"},"distance":4194304,)"
      R"("operands":[{"value":"3","hex":"0x40400000"},{"value":"4","hex":"0x40800000"}]}],)"
      R"("skipped":[{"case":"p.case:17","subject":"another","result":"unsupported","why":"it says \"no\""},)"
      R"({"case":"p.case:9","subject":"another","result":"not applicable","why":"no way"}],)"
      R"("totals":{"clauses":3,"clauses not run":0,"cases":3,"hold":0,"failed":1,"unsupported":1,"not applicable":1,"not run":0}})"
      "\n");
}

TEST(Report, SaysWhichClausesWereNotRunAndWhy) {
  const auto cases = parse_cases(
      "clause X\nop add\ntype int8\ndialect onnx\na 1\nb 1\ny 2\n\n"
      "clause X Y\nop add\ntype real\ndialect onnx\na 1\nb 1\ny 2\n\n"
      "clause Z\nop add\ntype int16\ndialect onnx\na 1\nb 1\ny 2\n\n"
      "clause V\nop add\ntype int32\ndialect onnx\na 1\nb 1\ny 2\n",
      "p.case");
  Report report;
  report.subjects = {"lib"};
  report.skips = {{&cases[0], "lib", Skip::Kind::unsupported, ""},
                  {&cases[1], "lib", Skip::Kind::not_applicable, ""},
                  {&cases[2], "lib", Skip::Kind::not_run, ""}};
  EXPECT_EQ(to_text(cases, report),
            "clause                   cases  lib                                   where\n"
            "V                            1  ok                                    p.case:25\n"
            "X                            2  not run: unsupported, not applicable  p.case:1,9\n"
            "Y                            1  not run: not applicable               p.case:9\n"
            "Z                            1  not run                               p.case:17\n"
            "4 clauses (3 of them not run), 4 cases: 1 hold, 0 failed, 1 unsupported, 1 not "
            "applicable, 1 not run, on: lib\n");
  EXPECT_NE(to_json(cases, report).find(R"("clauses":4,"clauses not run":3,)"), std::string::npos);
}

TEST(Report, LeavesOutOperandsOfAnotherShape) {
  const Tensor expected = Tensor::from({1.0F, 2.0F}, {2}), got = Tensor::from({7.0F, 7.0F}, {2});
  const Tensor scalar = Tensor::scalar(1.0F);
  const ConstView operands[] = {expected, scalar};
  const Finding finding = difference(expected, got, operands, {});
  EXPECT_EQ(finding.what,
            "at (0): 1 0x3f800000 expected, 7 0x40e00000 came, 23068672 ULP; and 1 more");
  EXPECT_TRUE(finding.operands.empty());
}

}  // namespace
}  // namespace hadamard::conform
