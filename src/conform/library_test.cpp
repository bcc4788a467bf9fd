// Cases put to libraries of our own making: each kind of mistake is found, and nothing else.
#include "conform/library.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string_view>

namespace hadamard::conform {
namespace {

constexpr char kDivision[] =
    "clause X\nop div\ntype int8\ndialect sonnx\na [6 -35]\nb [3 3]\ny [2 -12]\n\n"
    "clause Y\nop div\ntype int8\ndialect onnx\na [6 -35]\nb [3 3]\ny [2 -11]\n\n"
    "clause Z\nop div\ntype int8\ndialect sonnx\na [1 2]\nb [1 0]\nerror zero_divisor R at (1)\n";

std::size_t count_of(std::int32_t rank, const std::int64_t* shape) {
  std::size_t count = 1;
  for (std::int32_t i = 0; i < rank; ++i) count *= static_cast<std::size_t>(shape[i]);
  return count;
}

// Divides int8, right but for what a test plants.
template <char planted>
int divide(const char* profile, const char* op, const char* type, std::int32_t rank,
           const std::int64_t* shape, const void* a, const void* b, void* y) {
  if (std::strcmp(op, "div") != 0 || std::strcmp(type, "int8") != 0) {
    return HADAMARD_CONFORM_UNSUPPORTED;
  }
  const std::size_t count = count_of(rank, shape);
  const auto* const left = static_cast<const std::int8_t*>(a);
  const auto* const right = static_cast<const std::int8_t*>(b);
  auto* const out = static_cast<std::int8_t*>(y);
  if (planted == 'n') return 7;
  if (planted == 'r') return HADAMARD_CONFORM_ERROR;
  for (std::size_t i = 0; i < count; ++i) {
    if (right[i] == 0) {
      if (planted == 'f') std::raise(SIGFPE);
      if (planted != 'z') return HADAMARD_CONFORM_ERROR;
      out[i] = 0;
      continue;
    }
    int quotient = left[i] / right[i];
    const bool floor = std::strcmp(profile, "sonnx") == 0 && planted != 't';
    if (floor && quotient * right[i] != left[i] && (left[i] < 0) != (right[i] < 0)) --quotient;
    if (planted == 'l' && i == 200) quotient = 9;
    out[i] = static_cast<std::int8_t>(quotient);
  }
  if (planted == 'p') out[count] = 1;
  return HADAMARD_CONFORM_OK;
}

// The failures, a line each: "place what".
std::string failures(Function function, std::string_view text = kDivision) {
  const auto cases = parse_cases(text, "p.case");
  const Report report = run_library(cases, "lib", [&] { return function; }, {});
  std::string found;
  for (const Failure& f : report.failures) found += f.at->place() + ' ' + f.finding.what + '\n';
  return found;
}

TEST(Library, HoldsWhereItIsRight) { EXPECT_EQ(failures(&divide<0>), ""); }

TEST(Library, ShowsElementAndOperands) {
  EXPECT_EQ(failures(&divide<'t'>),
            "p.case:1 at (1): -12 0xf4 expected, -11 0xf5 came, 1 ULP; A -35 0xdd, B 3 0x03\n");
}

TEST(Library, IsAskedWithLongLinesToo) {
  EXPECT_EQ(failures(&divide<'l'>),
            "p.case:1 repeated to a long line: at (200): 2 0x02 expected, 9 0x09 came, 7 ULP; A 6 "
            "0x06, B 3 0x03\n"
            "p.case:9 repeated to a long line: at (200): 2 0x02 expected, 9 0x09 came, 7 ULP; A 6 "
            "0x06, B 3 0x03\n");
}

TEST(Library, MustRefuseWhereAnErrorIsDemandedAndOnlyThere) {
  EXPECT_EQ(failures(&divide<'z'>),
            "p.case:17 error zero_divisor at (1) expected, a result came; A 2 0x02, B 0 0x00\n");
  EXPECT_EQ(
      failures(&divide<'r'>),
      "p.case:1 a result expected, HADAMARD_CONFORM_ERROR came; A (2) [6 -35], B (2) [3 3]\n"
      "p.case:9 a result expected, HADAMARD_CONFORM_ERROR came; A (2) [6 -35], B (2) [3 3]\n");
}

TEST(Library, MustBehave) {
  EXPECT_EQ(failures(&divide<'f'>), "p.case:17 crashed: SIGFPE; A (2) [1 2], B (2) [1 0]\n");
  EXPECT_EQ(failures(&divide<'p'>).substr(0, 30), "p.case:1 wrote outside y; A (2");
  EXPECT_EQ(failures(&divide<'n'>).substr(0, 66),
            "p.case:1 returned 7; expected 0 (OK), 1 (UNSUPPORTED) or 2 (ERROR)");
}

TEST(Library, SkipsWhatItDoesNotSupport) {
  const auto cases = parse_cases(
      std::string(kDivision) + "\nclause W\nop add\ntype int8\ndialect onnx\na 1\nb 1\ny 2\n",
      "p.case");
  const Report report = run_library(cases, "lib", [] { return &divide<0>; }, {});
  ASSERT_EQ(report.skips.size(), 1u);
  EXPECT_EQ(report.skips[0].kind, Skip::Kind::unsupported);
  EXPECT_EQ(report.skips[0].at, &cases[3]);
  EXPECT_TRUE(report.failures.empty());
}

TEST(Library, IsGivenUpWhereItHangsAllTheTime) {
  EXPECT_EQ(Limits{}.hangs, 20) << "as docs/semantics/program.md says";
  const Function hang = [](const char*, const char*, const char*, std::int32_t, const std::int64_t*,
                           const void*, const void*, void*) { return pause(); };
  const auto cases = parse_cases(kDivision, "p.case");
  const Report report =
      run_library(cases, "lib", [&] { return hang; }, {std::chrono::duration<double>(0.5), 2});
  EXPECT_EQ(report.failures.size(), 2u);
  EXPECT_EQ(report.failures.at(0).finding.what,
            "hung: no answer after 0.5 s; A (2) [6 -35], B (2) [3 3]");
  const std::string text = to_text(cases, report);
  EXPECT_NE(text.find("\nlib: gave up: 2 calls hung\nclause "), std::string::npos) << text;
  EXPECT_NE(text.find("3 cases: 0 hold, 2 failed, 1 not run, on: lib\n"), std::string::npos);
}

std::string trouble(std::string_view text) {
  try {
    failures(&divide<0>, text);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Library, IsNoSuccessWhereNothingWasCompared) {
  EXPECT_EQ(trouble("clause W\nop add\ntype int8\ndialect onnx\na 1\nb 1\ny 2\n"),
            "lib returned HADAMARD_CONFORM_UNSUPPORTED (1) to all 2 calls: nothing was compared");
  EXPECT_EQ(trouble("clause W\nop add\ntype real\ndialect sonnx\na 1\nb 1\ny 2\n"),
            "none of the 1 cases can be put to a library: exact rationals have no bytes (--json "
            "says why of each)");
}

TEST(Library, TakesAnyNaNAndAnyShape) {
  const Function nan = [](const char*, const char*, const char*, std::int32_t rank,
                          const std::int64_t* shape, const void*, const void*, void* y) {
    for (std::size_t i = 0; i < count_of(rank, shape); ++i) {
      const std::uint32_t bits = 0xffc12345;
      std::memcpy(static_cast<char*>(y) + 4 * i, &bits, 4);
    }
    return static_cast<int>(HADAMARD_CONFORM_OK);
  };
  constexpr char kHead[] = "op add\ntype fp32\ndialect onnx\n";
  const std::string text = std::string("clause X\n") + kHead + "a nan\nb 1\ny nan\n\nclause X\n" +
                           kHead + "a []\nb []\ny []\n\nclause X\n" + kHead +
                           "a [1 nan; 2 nan]\nb [nan 1; nan 1]\ny [nan nan; nan nan]\n";
  EXPECT_EQ(failures(nan, text), "");
}

std::string reason(const std::string& text) {
  return not_applicable(parse_cases("clause X\n" + text, "p.case").at(0));
}

TEST(Library, IsNotAskedWhatTheHeaderCannotSay) {
  EXPECT_EQ(reason("op add\ntype fp32\ndialect onnx\na 1\nb 1\ny 2\n"), "");
  EXPECT_EQ(reason("op add\ntype fp32\ndialect native\na 1\nb 1\ny 2\n"),
            "the dialect native is no profile");
  EXPECT_EQ(reason("op add\ntype real\ndialect onnx\na 1\nb 1\ny 2\n"),
            "exact rationals have no bytes");
  EXPECT_EQ(reason("op add\ntype fp32\ndialect onnx\nbroadcast numpy\na 1\nb 1\ny 2\n"),
            "broadcast numpy is not the profile's rule");
  EXPECT_EQ(reason("op div\ntype int8\ndialect onnx\nint-division floor\na 1\nb 1\ny 1\n"),
            "int-division floor is set apart from the profile");
  EXPECT_EQ(reason("op add\ntype fp32\nb-type fp64\ndialect onnx\na 1\nb 1\nerror type_mismatch\n"),
            "the operands have different types");
  EXPECT_EQ(reason("op add\ntype fp32\ndialect onnx\na 1\nb [1 2]\ny [2 3]\n"),
            "the operands have different shapes");
}

}  // namespace
}  // namespace hadamard::conform
