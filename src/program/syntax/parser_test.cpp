#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/syntax/syntax.hpp"

namespace hadamard::syntax {
namespace {

// Each statement as to_source() has it, with "target = " and ";".
std::string parsed(std::string_view source) {
  std::string out;
  for (const Statement& statement : parse(source)) {
    if (!out.empty()) out += ' ';
    if (!statement.command.empty()) {
      out += "!" + statement.command;
      for (const std::string& word : statement.words) out += "<" + word + ">";
    } else {
      if (statement.target) out += to_source(*statement.target) + " = ";
      out += to_source(*statement.value);
    }
    out += statement.is_silent ? ";" : ",";
  }
  return out;
}

// The only expression of a text.
std::string expression(std::string_view source) {
  const std::string out = parsed(source);
  return out.substr(0, out.size() - 1);
}

NodePtr tree(std::string_view source) { return std::move(parse(source).at(0).value); }

// "begin-end: message", or nothing where the text is right.
std::string error_of(std::string_view source) {
  try {
    parse(source);
  } catch (const SyntaxError& error) {
    return std::to_string(error.place.begin) + "-" + std::to_string(error.place.end) + ": " +
           error.message;
  }
  return "";
}

std::string repeated(std::string_view piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;
void expect_expressions(const Pairs& pairs) {
  for (const auto& [source, wanted] : pairs) {
    std::string found;
    try {
      found = expression(source);
    } catch (const SyntaxError& error) {
      found = "error: " + error.message;
    }
    EXPECT_EQ(found, wanted) << source;
  }
}

// Octave 7.3 gives both texts of a pair the same value or the same error, here and in the tests of
// quotes, matrices and indices; where a comment says otherwise it does not.
TEST(Parser, Precedence) {
  expect_expressions({
      {"-2^2", "(-(2^2))"},
      {"2^-1", "(2^(-1))"},
      {"2^-1^2", "((2^(-1))^2)"},
      {"2^3^2", "((2^3)^2)"},
      {"2^3'", "((2^3)')"},
      {"2^-x'", "((2^(-x))')"},
      {"2^-a(1)", "(2^(-a(1)))"},
      {"2^-~+a", "(2^(-(~(+a))))"},
      {"a'(2)", "(a')(2)"},
      {"a^b'(1)", "((a^b)')(1)"},
      {"-a'", "(-(a'))"},
      {"!a == b", "((~a)==b)"},
      {"~a.^2", "(~(a.^2))"},
      {"-a*b", "((-a)*b)"},
      {"a*-b", "(a*(-b))"},
      {"1+2*3-4", "((1+(2*3))-4)"},
      {"a./b.*c.\\d", "(((a./b).*c).\\d)"},
      {"a/b\\c", "((a/b)\\c)"},
      {"1:3+1", "(1:(3+1))"},
      {"10:-2:1", "(10:(-2):1)"},
      {"1<2:3", "(1<(2:3))"},
      {"1<2<3", "((1<2)<3)"},
      {"a==b~=c", "((a==b)~=c)"},
      {"a!=b", "(a~=b)"},
      {"a|b&c", "(a|(b&c))"},
      {"a||b&&c|d&e<f", "(a||(b&&(c|(d&(e<f)))))"},
      {"a&&b||c", "((a&&b)||c)"},
      {"(1+2)*3", "((1+2)*3)"},
      {"2**3.**4", "((2^3).^4)"},
      {"a.'.^b'", "(((a.').^b)')"},
      {"- - 1", "(-(-1))"},
  });
}

// Octave has ++ and -- as operators of their own; here they are two signs, as in MATLAB.
TEST(Parser, TwoSigns) {
  expect_expressions({{"1--1", "(1-(-1))"}, {"--1", "(-(-1))"}, {"[1 --2]", "[1, (-(-2))]"}});
}

TEST(Parser, Numbers) {
  const auto value = [](std::string_view source) { return tree(source)->value; };
  EXPECT_EQ(value("1"), 1);
  EXPECT_EQ(value("1.5"), 1.5);
  EXPECT_EQ(value(".5"), .5);
  EXPECT_EQ(value("1."), 1);
  EXPECT_EQ(value("1e3"), 1000);
  EXPECT_EQ(value("1E-3"), 1e-3);
  EXPECT_EQ(value("1.e+2"), 100);
  EXPECT_EQ(value("1d3"), 1000);
  EXPECT_EQ(value("1_000"), 1000);
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value("5e-324"), 5e-324);
  EXPECT_TRUE(std::isinf(value("1e999")));
  EXPECT_TRUE(std::isinf(value("1e99999999999999999999")));
  EXPECT_TRUE(std::isinf(value("1" + repeated("0", 400))));
  EXPECT_EQ(value("1e-999"), 0);
  EXPECT_EQ(value("0e999"), 0);
  EXPECT_EQ(value("9007199254740993"), 9007199254740992.0);
  for (const std::string_view text : {"3i", "3j", "3I", "3J", "3.0i", "3e0j"}) {
    EXPECT_TRUE(tree(text)->imaginary) << text;
    EXPECT_EQ(value(text), 3) << text;
  }
  EXPECT_FALSE(tree("3")->imaginary);
  expect_expressions({
      {"1./2", "(1./2)"},
      {"1.*2", "(1.*2)"},
      {"1.'", "(1.')"},
      {"1..^2", "(1.^2)"},
      {"3-4i", "(3-4i)"},
      {"3i'", "(3i')"},
      {"1...\n+2", "(1+2)"},  // Octave takes the first point for the number's
  });
}

TEST(Parser, HexadecimalAndBinary) {
  const auto check = [](std::string_view source, std::string_view cls, double value) {
    const NodePtr node = tree(source);
    EXPECT_EQ(node->kind, NodeKind::number) << source;
    EXPECT_EQ(node->text, cls) << source;
    EXPECT_EQ(node->value, value) << source;
  };
  check("0x1F", "uint8", 31);
  check("0X1f", "uint8", 31);
  check("0x1FF", "uint16", 511);
  check("0xDEADBEEF", "uint32", 3735928559.0);
  check("0b101", "uint8", 5);
  check("0xffs8", "int8", -1);
  check("0x80s8", "int8", -128);
  check("0x80s16", "int16", 128);
  check("0xFFu64", "uint64", 255);
  check("0x8000000000000000s64", "int64", -9223372036854775808.0);
  EXPECT_EQ(tree("0xFFFFFFFFFFFFFFFF")->integer, ~std::uint64_t{0});
  EXPECT_EQ(tree("0xfes8")->integer, ~std::uint64_t{0} - 1);
  for (const std::string_view wrong :
       {"0x", "0xg", "0b2", "0x1ffu8", "0xFFFFFFFFFFFFFFFFF", "0x1u9", "0x1i"}) {
    EXPECT_NE(error_of(wrong), "") << wrong;
  }
}

TEST(Parser, QuoteIsTransposeOrText) {
  expect_expressions({
      {"a'", "(a')"},
      {"a''", "((a')')"},
      {"a '", "(a')"},
      {"a.'", "(a.')"},
      {"a'*b'", "((a')*(b'))"},
      {"[1 2]'", "([1, 2]')"},
      {"(a)'", "(a')"},
      {"x(end')", "x((end'))"},
      {"'abc'", "'abc'"},
      {"'it''s'", "'it''s'"},
      {"'a' '", "('a' ')"},
      {"f('a', 'b')", "f('a', 'b')"},
      {"a == 'b'", "(a=='b')"},
      {"[a' b']", "[(a'), (b')]"},
      {"[a ' b']", "[a, ' b']"},
      {"[a 'b']", "[a, 'b']"},
      {"[a ',a']", "[a, ',a']"},
      {"[a',a']", "[(a'), (a')]"},
      {"['a' 'b']", "['a', 'b']"},
      {"['a''b']", "['a''b']"},
      {"[1 -2']", "[1, (-(2'))]"},
      {"[a .']", "[(a.')]"},
      {"[f(a ')]", "[f((a'))]"},
      {"''", "''"},
      {"'%x'", "'%x'"},
      {"'...'", "'...'"},
  });
  EXPECT_NE(error_of("[a ']"), "");
  EXPECT_EQ(parsed("x='a'"), "x = 'a',");
  EXPECT_EQ(parsed("x'; y'"), "(x'); (y'),");
}

TEST(Parser, Strings) {
  const auto text = [](std::string_view source) { return tree(source)->text; };
  EXPECT_EQ(tree("\"a\"")->kind, NodeKind::string);
  EXPECT_EQ(text(R"("a\n\t\\\"b")"), "a\n\t\\\"b");
  EXPECT_EQ(text(R"("a""b")"), "a\"b");
  EXPECT_EQ(text(R"("\x41\101\0")"), std::string("AA\0", 3));
  EXPECT_EQ(text(R"("\xe9")"), "\u00e9");
  EXPECT_EQ(text(R"("a\qb")"), "aqb");
  EXPECT_EQ(text("\"a\\\nb\""), "ab");
  EXPECT_EQ(text("\"\u00e9 %\""), "\u00e9 %");
  EXPECT_EQ(expression("[\"a\" 'b']"), "[\"a\", 'b']");
  EXPECT_EQ(expression("\"a\"'"), "(\"a\"')");
  EXPECT_EQ(text(R"('a\n')"), "a\\n");
}

TEST(Parser, MatrixElements) {
  expect_expressions({
      {"[1 -2]", "[1, (-2)]"},
      {"[1 - 2]", "[(1-2)]"},
      {"[1 -2 + 3]", "[1, ((-2)+3)]"},
      {"[1 -2 -3]", "[1, (-2), (-3)]"},
      {"[1 , -2]", "[1, (-2)]"},
      {"[1 +2i]", "[1, (+2i)]"},
      {"[a -b]", "[a, (-b)]"},
      {"[a - -b]", "[(a-(-b))]"},
      {"[a-b]", "[(a-b)]"},
      {"[a- b]", "[(a-b)]"},
      {"[a -(b)]", "[a, (-b)]"},
      {"[1 ~2]", "[1, (~2)]"},
      {"[1 ! 2]", "[1, (~2)]"},
      {"[1 ~= 2]", "[(1~=2)]"},
      {"[1 ~=2]", "[(1~=2)]"},
      {"[1 !=2]", "[(1~=2)]"},
      {"[1 ==1]", "[(1==1)]"},
      {"[1 *2]", "[(1*2)]"},
      {"[1 \\2]", "[(1\\2)]"},
      {"[1 .5]", "[1, 0.5]"},
      {"[1 .*2]", "[(1.*2)]"},
      {"[1 : 3]", "[(1:3)]"},
      {"[1 :3]", "[(1:3)]"},
      {"[2:3 4]", "[(2:3), 4]"},
      {"[f (1)]", "[f, 1]"},
      {"[f(1)]", "[f(1)]"},
      {"[f(1) (2)]", "[f(1), 2]"},
      {"[(1) (2)]", "[1, 2]"},
      {"[(1)(2)]", "[1(2)]"},
      {"[(1 -2)]", "[(1-2)]"},
      {"[f(1 -2)]", "[f((1-2))]"},
      {"[f(1, [2 -3])]", "[f(1, [2, (-3)])]"},
      {"[[1 2] [3]]", "[[1, 2], [3]]"},
      {"x([1 end -1])", "x([1, end, (-1)])"},
      {"[gpuArray.zeros(1) 2]", "[(gpuArray).zeros(1), 2]"},
      {"[1 - ...\n2]", "[(1-2)]"},
      {"[1 -...\n2]", "[1, (-2)]"},
  });
}

TEST(Parser, MatrixRows) {
  expect_expressions({
      {"[]", "[]"},
      {"[ ]", "[]"},
      {"[;]", "[]"},
      {"[,]", "[]"},
      {"[\n]", "[]"},
      {"[,1]", "[1]"},
      {"[1,2,]", "[1, 2]"},
      {"[1;2;]", "[1; 2]"},
      {"[1;;2]", "[1; 2]"},
      {"[1,;2]", "[1; 2]"},
      {"[1,\n2]", "[1; 2]"},
      {"[1;\n2]", "[1; 2]"},
      {"[1, 2\n3, 4]", "[1, 2; 3, 4]"},
      {"[1 2\r\n3 4\r\n]", "[1, 2; 3, 4]"},
      {"[\n1 2\n\n3 4\n]", "[1, 2; 3, 4]"},
      {"[1,2 3;4 5,6]", "[1, 2, 3; 4, 5, 6]"},
      {"[1 2 % one\n3 4 # two\n]", "[1, 2; 3, 4]"},
      {"[1 2 ... more\n3]", "[1, 2, 3]"},
      {"[1 2\n%{\n9\n%}\n3 4]", "[1, 2; 3, 4]"},
      {"[f(1,\n2) 3]", "[f(1, 2), 3]"},
      {"[[];[]]", "[[]; []]"},
  });
}

TEST(Parser, IndicesAndCalls) {
  expect_expressions({
      {"magic(3)", "magic(3)"},
      {"f()", "f()"},
      {"f (1)", "f(1)"},
      {"f(x)(2)", "f(x)(2)"},
      {"3(1)", "3(1)"},
      {"[1 2](1)", "[1, 2](1)"},
      {"'abc'(2)", "'abc'(2)"},
      {"A(:)", "A(:)"},
      {"A(2, :)'", "(A(2, :)')"},
      {"A(end)", "A(end)"},
      {"A(end-1:end, B(end))", "A(((end-1):end), B(end))"},
      {"A((end))", "A(end)"},
      {"A(1:end)", "A((1:end))"},
      {"gpuArray.zeros(1,1)", "(gpuArray).zeros(1, 1)"},
      {"f(1,\n2)", "f(1, 2)"},
      {"f(1, ... two\n2)", "f(1, 2)"},
      {"f(1, % two\n2)", "f(1, 2)"},
  });
}

TEST(Parser, Statements) {
  EXPECT_EQ(parsed(""), "");
  EXPECT_EQ(parsed(" \n ;, \n % nothing"), "");
  EXPECT_EQ(parsed("x = 1"), "x = 1,");
  EXPECT_EQ(parsed("x = 1;"), "x = 1;");
  EXPECT_EQ(parsed("x=1; y=2, x+y\nx"), "x = 1; y = 2, (x+y), x,");
  EXPECT_EQ(parsed("1;;2"), "1; 2,");
  EXPECT_EQ(parsed("1,;2"), "1, 2,");
  EXPECT_EQ(parsed("A(2,:) = 1:3;"), "A(2, :) = (1:3);");
  EXPECT_EQ(parsed("A(end+1) = 3"), "A((end+1)) = 3,");
  EXPECT_EQ(parsed("(a) = 3"), "a = 3,");
  EXPECT_EQ(parsed("x = ... first\n 3 ; % three\ny # and"), "x = 3; y,");
  EXPECT_EQ(parsed("x == 1"), "(x==1),");
  EXPECT_EQ(parsed("\xEF\xBB\xBFx"), "x,");
  EXPECT_EQ(parsed("x\r\ny\rz"), "x, y, z,");
  EXPECT_EQ(parsed("%{\nx\n  %{\n y\n %}\n%}\n1"), "1,");
  EXPECT_EQ(parsed("#{\nx\n#}\n1"), "1,");
  EXPECT_EQ(parsed("%{ no block\n1"), "1,");
  EXPECT_EQ(parsed("1 %{\n2"), "1, 2,");
  EXPECT_EQ(parsed("%}\n1"), "1,");
}

TEST(Parser, Commands) {
  EXPECT_EQ(parsed("format long"), "!format<long>,");
  EXPECT_EQ(parsed("format"), "!format,");
  EXPECT_EQ(parsed("clear a b; who, x"), "!clear<a><b>; !who, x,");
  EXPECT_EQ(parsed("help ./ % what"), "!help<./>,");
  EXPECT_EQ(parsed("clear -all\nwhos"), "!clear<-all>, !whos,");
  EXPECT_EQ(parsed("help 'a b' \"c\""), "!help<a b><c>,");
  EXPECT_EQ(parsed("clc%"), "!clc,");
  EXPECT_EQ(parsed("format('long')"), "format('long'),");
  EXPECT_EQ(parsed("format ('long')"), "format('long'),");
  EXPECT_EQ(parsed("who = 3"), "who = 3,");
  EXPECT_EQ(parsed("who=3"), "who = 3,");
  EXPECT_EQ(parsed("1 + who"), "(1+who),");
  EXPECT_EQ(parsed("who+1"), "(who+1),");
}

TEST(Parser, CommandsAsMatlabTellsThemFromExpressions) {
  EXPECT_EQ(parsed("load x.mat"), "!load<x.mat>,");
  EXPECT_EQ(parsed("load ./x.mat A"), "!load<./x.mat><A>,");
  EXPECT_EQ(parsed("load /tmp/x.mat"), "!load</tmp/x.mat>,");
  EXPECT_EQ(parsed("load ~/x.mat"), "!load<~/x.mat>,");
  EXPECT_EQ(parsed("load 'my file.mat';"), "!load<my file.mat>;");
  EXPECT_EQ(parsed("save -v7.3 x.mat a*, who"), "!save<-v7.3><x.mat><a*>, !who,");
  EXPECT_EQ(parsed("help +"), "!help<+>,");
  EXPECT_EQ(parsed("who -1"), "!who<-1>,");
  EXPECT_EQ(parsed("who - 1"), "(who-1),");
  EXPECT_EQ(parsed("who .* B"), "(who.*B),");
  EXPECT_EQ(parsed("who == 1"), "(who==1),");
  EXPECT_EQ(parsed("who ==1"), "!who<==1>,");
  EXPECT_EQ(parsed("load(1)"), "load(1),");
  EXPECT_EQ(parsed("x = load('x.npy')"), "x = load('x.npy'),");
  // Only functions that take words are commands.
  EXPECT_EQ(parsed("pi -1"), "(pi-1),");
  EXPECT_EQ(parsed("a .*b"), "(a.*b),");
  EXPECT_EQ(parsed("a -1"), "(a-1),");
}

TEST(Parser, AVariableIsNoCommand) {
  EXPECT_EQ(parsed("load = 3; load -1, load"), "load = 3; (load-1), load,");
  EXPECT_EQ(parsed("save(2) = 3; save +1"), "save(2) = 3; (save+1),");
  const auto is_load = [](std::string_view name) { return name == "load"; };
  EXPECT_TRUE(parse("load -1", is_load).at(0).command.empty());
  EXPECT_EQ(parse("save -1", is_load).at(0).command, "save");
}

TEST(Parser, Places) {
  const std::string_view source = "x = A(1, 2) ./ [3 4]';";
  const Statement statement = std::move(parse(source).at(0));
  const auto at = [&](const Node& node) {
    return source.substr(node.place.begin, node.place.end - node.place.begin);
  };
  EXPECT_EQ(statement.place.begin, 0U);
  EXPECT_EQ(statement.place.end, source.size() - 1);
  EXPECT_EQ(at(*statement.target), "x");
  const Node& quotient = *statement.value;
  EXPECT_EQ(at(quotient), "./");
  EXPECT_EQ(at(*quotient.children[0]), "A(1, 2)");
  EXPECT_EQ(at(*quotient.children[1]), "'");
  EXPECT_EQ(at(*quotient.children[1]->children[0]), "[3 4]");
  EXPECT_EQ(at(*tree("gpuArray.zeros(1)")->children[0]).size(), 14U);
  EXPECT_EQ(quotient.height, 5);
}

TEST(Parser, ErrorsSayWhatWasExpectedAndFound) {
  const Pairs pairs = {
      {"1 +", "3-3: expected a number, a name or a bracket, found the end of the text"},
      {"1 +\n2", "3-4: expected a number, a name or a bracket, found the end of the line"},
      {"a b", "2-3: expected an operator or the end of the statement, found 'b'"},
      {"1 ) 2", "2-3: expected an operator or the end of the statement, found ')'"},
      {"(1", "0-1: '(' is not closed: expected ')', found the end of the text"},
      {"x(1, 2", "1-2: '(' is not closed: expected ')', found the end of the text"},
      {"[1 2", "0-1: '[' is not closed: expected ']', found the end of the text"},
      {"[1 2)", "4-5: expected an operator, ',', ';' or ']', found ')'"},
      {"(1, 2)", "2-3: expected an operator or ')', found ','"},
      {"x(1,)", "4-5: expected a number, a name or a bracket, found ')'"},
      {"[1,,2]", "3-4: expected a number, a name or a bracket, found ','"},
      {"1:2:3:4", "5-6: expected the end of the range first:step:last, found ':'"},
      {"1.2.3", "3-5: expected an operator or the end of the statement, found '.3'"},
      {"3x", "1-2: expected an operator after the number, found 'x'"},
      {"3ii", "2-3: expected an operator after the number, found 'i'"},
      {"'abc", "0-4: the text is not closed: expected ' before the end of the line"},
      {"\"abc\n\"", "0-4: the string is not closed: expected \" before the end of the line"},
      {"1 = 2", "0-1: expected a variable before '=', or elements of one as in A(2,:)"},
      {"f(1)(2) = 3", "0-7: expected a variable before '=', or elements of one as in A(2,:)"},
      {"x = y = 3",
       "6-7: expected the end of the statement (one assignment in each; '==' compares), found '='"},
      {"x += 1",
       "3-4: expected a number, a name or a bracket (x = x + 1 is how to write x += 1), found '='"},
      {"end", "0-3: 'end' is the last index: expected it only inside an index, as in A(end)"},
      {"for k = 1:3",
       "0-3: expected an expression, found 'for': there are only expressions and assignments here, "
       "no control flow and no functions of your own"},
      {"x.a = 1",
       "0-3: there are no structures ('.') here: expected a variable before '=', or elements of "
       "one "
       "as in A(2,:)"},
      {"x = {1}", "4-5: there are no cell arrays ('{ }') here: expected an expression of arrays"},
      {"@sin", "0-1: there are no function handles ('@') here: expected an expression of arrays"},
      {"1 \xC3\x97 2", "2-4: expected a number, a name or an operator, found '\\xc3\\x97'"},
      {"A(: + 1)", "4-5: expected ',' or ')' after ':', found '+'"},
      {"%{\nx",
       "0-2: the block comment is not closed: expected a line with '%}' alone, found the end of "
       "the text"},
  };
  for (const auto& [source, wanted] : pairs) EXPECT_EQ(error_of(source), wanted) << source;
}

TEST(Parser, Refused) {
  for (const std::string_view source :
       {"1e",      "1 2",     "()",     "x=",       "=3",       "1:",         "a(1:)",   ":",
        "[:]",     "1 <> 2",  "a!",     "[[1][2]]", "[1\"a\"]", "[\"a\"'b']", ".5.",     "a.5",
        "x=(end)", "[a=5]",   "a(x=1)", "a.",       "a.(b)",    "$",          "x.y = 3", "a++",
        "if",      "1 + ...", "]",      "a(1]",     "0x1F2i"}) {
    EXPECT_NE(error_of(source), "") << source;
  }
  EXPECT_NE(error_of(std::string_view("1\0", 2)), "");
}

TEST(Parser, DeepAndLongTextsAreErrors) {
  for (const std::string_view piece : {"(", "[", "-", "~", "a(", "a([", "2^-", "[1 -", "-("}) {
    const std::string error = error_of(repeated(piece, 100'000));
    EXPECT_NE(error.find("expected at most"), error.npos) << piece << error;
  }
  for (const std::string_view piece : {"+1", "'", "(1)", ".a", "^2", "&&1", ":1+1&1"}) {
    const std::string error = error_of("a" + repeated(piece, 100'000));
    EXPECT_NE(error.find("expected at most 1000"), error.npos) << piece << error;
  }
  EXPECT_EQ(error_of(repeated("(", kDeepest) + "1" + repeated(")", kDeepest)), "");
  EXPECT_EQ(error_of(repeated("-", kDeepest) + "1"), "");
  EXPECT_EQ(error_of("1" + repeated("+1", kTallest - 1)), "");
  EXPECT_NE(error_of("1" + repeated("+1", kTallest)), "");
  EXPECT_EQ(error_of("[" + repeated("1 ", 100'000) + "]"), "");
  EXPECT_EQ(error_of("[" + repeated("1\n", 100'000) + "]"), "");
  EXPECT_NE(error_of(std::string(kLongestSource + 1, ' ')), "");
}

TEST(Parser, Unfinished) {
  for (const std::string_view source :
       {"[1 2", "[1 2\n3 4\n", "f(1,", "f(", "(1 +", "x = ...", "x = ... rest\n", "1 + ...\n  ",
        "%{", "%{\nx\n", "x = [1, ...", "[f(1) % c", "1 ..."}) {
    EXPECT_TRUE(is_unfinished(source)) << source;
  }
  for (const std::string_view source :
       {"", "1", "[1 2]", "1 +", "x = ...\n3", "x = ...\n\n", "'...", "'...'", "['abc", "% ...",
        "[1 2)", "[1 = ", "for (", "%{\n%}", "}", "(]"}) {
    EXPECT_FALSE(is_unfinished(source)) << source;
  }
  EXPECT_FALSE(is_unfinished(repeated("(", 100'000)));
}

TEST(Syntax, SymbolOfEveryOperatorParsesToIt) {
  for (int i = 0; i <= static_cast<int>(Operator::or_else); ++i) {
    const auto op = static_cast<Operator>(i);
    EXPECT_EQ(tree("a " + std::string(symbol(op)) + " b")->op, op) << i;
  }
  EXPECT_EQ(tree("~a")->op, Operator::not_);
  EXPECT_EQ(tree("+a")->op, Operator::uplus);
  EXPECT_EQ(tree("-a")->op, Operator::uminus);
  EXPECT_EQ(tree("a'")->op, Operator::ctranspose);
  EXPECT_EQ(tree("a.'")->op, Operator::transpose);
}

}  // namespace
}  // namespace hadamard::syntax
