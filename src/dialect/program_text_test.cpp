#include "dialect/program_text.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "program/program.hpp"

namespace hadamard::dialect {
namespace {

using Names = std::vector<std::string>;

std::string lowered(const std::string& source, std::vector<Layout> inputs, Names wanted = {},
                    const Options& options = {}) {
  try {
    return program::to_text(ProgramText(source).lower(inputs, wanted, options).program);
  } catch (const Error& error) {
    return error.what();
  }
}
std::string error_of(const std::string& source) {
  try {
    const ProgramText text(source);
    const std::vector<Layout> inputs(text.inputs().size(), Layout(DType::fp32, Dims{3}));
    text.lower(inputs, {}, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
const Layout kSingle(DType::fp32, Dims{3});
const Layout kDouble(DType::fp64, Dims{3});
const Layout kInt(DType::int8, Dims{3});

TEST(ProgramText, NamesThatNoStatementAssignsAreInputs) {
  const ProgramText text("D = A - B; Y = tanh(D ./ C) .* D");
  EXPECT_EQ(text.inputs(), (Names{"A", "B", "C"}));
  EXPECT_EQ(text.assigned(), (Names{"D", "Y"}));
  EXPECT_EQ(text.outputs(), (Names{"Y"}));
  EXPECT_EQ(ProgramText("A + B").outputs(), (Names{"Y"}));
  EXPECT_EQ(ProgramText("P = A\nQ = A + P\nR = 1").outputs(), (Names{"Q", "R"}));
  EXPECT_EQ(ProgramText("Y = A; Y = Y + 1").outputs(), (Names{"Y"}));
  EXPECT_EQ(ProgramText("exp(exp)").inputs(),
            (Names{"exp"}));  // a function only where it is called
}

TEST(ProgramText, AttributesHaveNames) {
  EXPECT_EQ(lowered("leaky_relu(A, alpha=0.2)", {kSingle}),
            "A      input                    fp32\n"
            "%1     leaky_relu(A, alpha=0.2) fp32\n"
            "Y      output %1                fp32\n");
  EXPECT_EQ(lowered("k = 4; brelu(A + 1, t_max=k, t_min=-1)", {kSingle}),
            "A      input                    fp32\n"
            "%2     add(A, 1)                fp32\n"
            "%3     brelu(%2, t_min=-1, t_max=4) fp32\n"
            "Y      output %3                fp32\n");
  EXPECT_EQ(ProgramText("leaky_relu(A, alpha = 0.02)").inputs(), (Names{"A"}));
  EXPECT_EQ(lowered("leaky_relu(A, alpha=0.020)", {kSingle}), lowered("leaky_relu(A)", {kSingle}));
  EXPECT_EQ(error_of("leaky_relu(A, beta=2)"),
            "leaky_relu has no attribute beta; it has: alpha (line 1, column 15: 'beta=2')");
  EXPECT_EQ(error_of("exp(A, beta=2)"),
            "exp has no attributes, got beta (line 1, column 8: 'beta=2')");
  EXPECT_EQ(error_of("brelu(A, t_min=2, t_min=3)"),
            "attribute t_min of brelu is given twice (line 1, column 19: 't_min=3')");
  EXPECT_EQ(error_of("leaky_relu(A, alpha=A)"),
            "attribute alpha must be a number, such as 0.2 or -1 (line 1, column 21: 'A')");
  EXPECT_EQ(error_of("leaky_relu(A, alpha=2i)"),
            "attribute alpha must be a number, such as 0.2 or -1 (line 1, column 21: '2i')");
  EXPECT_EQ(error_of("leaky_relu(A, 0.2)"),
            "leaky_relu expects 1 operand, got 2; an attribute has a name: alpha=… (line 1, column "
            "1: 'leaky_relu(A, 0.2)')");
  EXPECT_EQ(error_of("leaky_relu(alpha=0.2, A)"),
            "expected the operands of leaky_relu before its attributes (line 1, column 1: "
            "'leaky_relu(alpha=0.2, A)')");
  EXPECT_EQ(error_of("leaky_relu(A, alpha=1e400)"),
            "attribute alpha of leaky_relu must be 0 or have a size between 2^-1074 and 2^1024 "
            "(line 1, column 1: 'leaky_relu(A, alpha=1e400)')");
  EXPECT_EQ(error_of("leaky_relu(A, alpha+1=2)").substr(0, 29), "expected ',' or ')' ('==' com");
}

TEST(ProgramText, NumbersTakeTheTypeThatTheyMeet) {
  EXPECT_EQ(lowered("A + 0.1", {kSingle}),
            "A      input                    fp32\n"
            "%2     add(A, 0.1)              fp32\n"
            "Y      output %2                fp32\n");
  EXPECT_EQ(lowered("e = 0.1; Y = A + e", {kDouble}),
            "A      input                    fp64\n"
            "%2     add(A, 0.1)              fp64\n"
            "Y      output %2                fp64\n");
  EXPECT_EQ(
      lowered("A + 300", {kInt}),
      "the number 300 cannot be held exactly by int8, the type that it meets; cast the operand "
      "(line 1, column 3: '+')");
  EXPECT_EQ(lowered("A ./ 0.5", {kInt}).substr(0, 14), "the number 1/2");
  // Alone they are fp64.
  EXPECT_EQ(
      lowered("A .* (1 / 3)", {kSingle}),
      "the operands of mul are fp32 and fp64: they must have one type; cast one of them; numbers "
      "that meet no operand are fp64: cast(…, 'fp32'), or --type fp32 (line 1, column 3: '.*')");
  EXPECT_EQ(lowered("-0 + A", {kSingle}).find("add(-0, A)") != std::string::npos, true);
}

// Rounded once, whatever way a number goes.
TEST(ProgramText, NumbersAreRoundedOnce) {
  const auto constant = [](const std::string& text) {
    const plan::Lowered made = ProgramText(text).lower({}, {}, {});
    const program::Node& node = made.program.node(made.program.outputs()[0].value);
    return program::value_name(made.program, node.operands[0]);
  };
  EXPECT_EQ(constant("cast(9007199254740993, 'int64')"), "9007199254740993");
  EXPECT_EQ(constant("cast(16777217.0000000001, 'fp32')"), "16777218");
  EXPECT_EQ(constant("cast(0.1, 'real')"), "1/10");
  EXPECT_EQ(constant("cast(300.7, 'int8')"), "127");
  EXPECT_EQ(constant("0xFFs8 + 5"), "4");
  EXPECT_EQ(constant("0xFFu8 + 5"), "260");
}

TEST(ProgramText, OutputsAreThoseThatAreAskedFor) {
  EXPECT_EQ(lowered("D = A - B; Y = exp(D)", {kSingle, kSingle}, {"D"}),
            "A      input                    fp32\n"
            "B      input                    fp32\n"
            "%2     sub(A, B)                fp32\n"
            "D      output %2                fp32\n");
  EXPECT_EQ(lowered("D = A; Y = D", {kSingle}, {"Z"}),
            "the program assigns no 'Z'; it assigns: D, Y");
}

TEST(ProgramText, ReversedDivision) {
  EXPECT_NE(lowered("A .\\ B", {kSingle, kSingle}).find("div(B, A)"), std::string::npos);
}

TEST(ProgramText, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(""), "the program is empty");
  EXPECT_EQ(
      error_of("A +"),
      "expected a number, a name or a bracket, found the end of the text (line 1, column 4: '')");
  EXPECT_EQ(error_of("tahn(A)"),
            "no element-wise function is called 'tahn'; did you mean tanh? (line 1, column 1: "
            "'tahn(A)')");
  EXPECT_EQ(error_of("A'"),
            "a program has numbers, names, operators and calls of element-wise "
            "functions only (line 1, column 2: ''')");
  EXPECT_EQ(error_of("Y = A; A = Y"), "A is read before it is assigned (line 1, column 5: 'A')");
  EXPECT_EQ(error_of("A + 1; B + 1"),
            "expected an assignment; only the last statement may have no "
            "name (line 1, column 1: 'A + 1')");
  EXPECT_EQ(error_of("A * B"),
            "'*' needs a scalar on one side; use '.*' for elements (line 1, column 3: '*')");
  EXPECT_EQ(error_of("A * 2"), "no error");
  EXPECT_EQ(error_of("exp(A, B)"), "exp expects 1 operand, got 2 (line 1, column 1: 'exp(A, B)')");
  EXPECT_NE(error_of("cast(A, 'float32')")
                .find("no element type is called 'float32'; there are: "
                      "real, fp16, bf16, fp32"),
            std::string::npos);
  EXPECT_NE(error_of("A % 2").find("'%' begins a comment"), std::string::npos);
  EXPECT_EQ(error_of("B = A; % a remark\n  # another\nB + 1"), "no error");
  EXPECT_EQ(error_of("0 < A < 1"),
            "a comparison of a comparison; for a < b < c write a < b & b < c "
            "(line 1, column 7: '<')");
  EXPECT_EQ(error_of("Y = A; A - 1"),
            "the result of an expression without a name is Y, which is in "
            "use: give it a name, Z = … (line 1, column 8: 'A - 1')");
  EXPECT_EQ(error_of("X + Y"),
            "the result of an expression without a name is Y, which is in use: "
            "give it a name, Z = … (line 1, column 1: 'X + Y')");
  EXPECT_THROW(ProgramText("nosuch(A)"), Error);
  EXPECT_EQ(error_of("exp = A; Y = exp(B)"),
            "exp is the name of a function; choose another name (line 1, column 1: 'exp = A')");
  EXPECT_EQ(error_of("cast(A)"),
            "cast expects an operand and a type: cast(x, 'fp32') (line 1, column 1: 'cast(A)')");
  EXPECT_EQ(error_of("~A"),
            "logical_not is not defined for fp32; it is for: bool "
            "(line 1, column 1: '~')");
}

TEST(ProgramText, ShapesThatDoNotFit) {
  EXPECT_EQ(lowered("A + B", {kSingle, Layout(DType::fp32, Dims{4})}),
            "the operands of add have shapes A (3) and B (4), which do not broadcast (numpy rule) "
            "(line 1, "
            "column 3: '+')");
}

// Neither may take long or much memory, nor end the process.
TEST(ProgramText, HugeAndDeepTexts) {
  std::string deep(100'000, '(');
  EXPECT_NE(error_of(deep + "A" + std::string(100'000, ')')).find("expected at most"),
            std::string::npos);
  std::string chain = "A";
  for (int i = 0; i < 100'000; ++i) chain += "+A";
  EXPECT_NE(error_of(chain), "no error");
  std::string many;
  for (int i = 0; i < 70'000; ++i) many += "x" + std::to_string(i) + "=A;";
  EXPECT_EQ(error_of(many), "a program has at most 65536 statements, found 70000");
  EXPECT_NE(error_of("A + 1e999999999"), "no error");
}

}  // namespace
}  // namespace hadamard::dialect
