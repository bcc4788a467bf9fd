#include "tensor/literal.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <vector>

#include "num/dtype.hpp"
#include "num/text.hpp"

namespace hadamard {
namespace {

std::string printed(const ConstView& tensor, bool hex = false) {
  std::string out;
  print_text([&](std::string_view piece) { out += piece; }, tensor, {.hex = hex, .decimals = {}});
  return out;
}

std::string message(std::string_view text, DType type = DType::fp64) {
  try {
    parse_literal(text, type);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_literal);
    const std::string what = e.what();
    EXPECT_EQ(what.find('\n'), std::string::npos);
    EXPECT_LT(what.size(), 200U);
    return what;
  }
  return {};
}

TEST(Literal, Shapes) {
  const std::pair<const char*, Dims> cases[] = {
      {"7", {}},
      {" \n-7.5\t", {}},
      {"[1 2 3]", {3}},
      {"[1, 2,3 ]", {3}},
      {"[1,2 3]", {3}},
      {"[1 2; 3 4]", {2, 2}},
      {"[1,2;\n 3,4]", {2, 2}},
      {"[1;2;3]", {3, 1}},
      {"[[1 2] [3 4]]", {2, 2}},
      {"[[1,2],[3,4],[5,6]]", {3, 2}},
      {"[[1 2][3 4]]", {2, 2}},
      {"[[[1],[2]]]", {1, 2, 1}},
      {"[[1 2;3 4] [5 6;7 8] [9 0;1 2]]", {3, 2, 2}},
      {"[]", {0}},
      {"[ ]", {0}},
      {"[[],[]]", {2, 0}},
      {"[[[]]]", {1, 1, 0}},
      {"[1 -2]", {2}},
      {"[1\r\n2]", {2}},
  };
  for (const auto& [text, shape] : cases) {
    const Tensor t = parse_literal(text, DType::fp64);
    EXPECT_EQ(t.shape(), shape) << text << " " << to_string(t.shape());
    EXPECT_EQ(t.dtype(), DType::fp64);
  }
}

TEST(Literal, Values) {
  EXPECT_EQ(parse_literal("[1 2; 3 4]", DType::int32).to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{1, 2, 3, 4}));
  EXPECT_EQ(parse_literal("[1 -2]", DType::fp64).at<double>({1}), -2.0);
  const Tensor c = parse_literal("[1+2i -3i]", DType::complex128);
  EXPECT_EQ(c.at<std::complex<double>>({0}), std::complex<double>(1, 2));
  EXPECT_EQ(c.at<std::complex<double>>({1}), std::complex<double>(0, -3));
  const Tensor r = parse_literal("[61/30 1/3]", DType::real);
  EXPECT_EQ(r.at<Real>({0}), Real(61, 30));
  EXPECT_EQ(parse_literal("[true 0 1]", DType::bool_).at<bool>({2}), true);
}

TEST(Literal, EveryTypeReadsAndPrints) {
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    const Tensor t = parse_literal("[[1 0 1] [0 0 1]]", type);
    const Tensor again = parse_literal("[" + printed(t.view().sliced(0, 1, 1)) + "]", type);
    EXPECT_EQ(t.dtype(), type);
    EXPECT_EQ(t.shape(), (Dims{2, 3}));
    EXPECT_EQ(printed(t.view().sliced(0, 1, 1)), printed(again)) << name(type);
  }
}

TEST(Literal, ErrorsSayWhereAndWhat) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "column 1: a number or [ was expected, but the end came"},
      {"  ", "column 3: a number or [ was expected, but the end came"},
      {"]", "column 1: a number or [ was expected, but ']' came"},
      {"[1 2", "column 5: a number or ] was expected, but the end came"},
      {"[[1 2]", "column 7: [ or ] was expected, but the end came"},
      {"[1 2]]", "column 6: the end was expected after a whole literal, but ']' came"},
      {"1 2", "column 3: the end was expected after a whole literal, but '2' came"},
      {"[1] x", "column 5: the end was expected after a whole literal, but 'x' came"},
      {"[1,,2]", "column 4: a number was expected, but ',' came"},
      {"[1,]", "column 4: a number was expected, but ']' came"},
      {"[,1]", "column 2: a number was expected, but ',' came"},
      {"[1 2;]", "column 6: a number was expected after ';', but ']' came"},
      {"[;1]", "column 2: a number was expected, but ';' came"},
      {"[1 2; 3]", "column 7: 2 elements were expected, as before, but 1 came"},
      {"[[1 2] [3]]", "column 8: 2 elements were expected, as before, but 1 came"},
      {"[[1] []]", "column 6: 1 element was expected, as before, but 0 came"},
      {"[[[1]] [[1] [2]]]", "column 8: 1 element was expected, as before, but 2 came"},
      {"[1 [2]]", "column 4: a number was expected among numbers, but '[' came"},
      {"[[1] 2]", "column 6: [ was expected among brackets, but '2' came"},
      {"[[1];[2]]", "column 5: [ or ] was expected: ';' is for rows of numbers, but ';' came"},
      {"[[1] [[2]]]", "column 7: a number was expected at this depth, as before, but '[' came"},
      {"[[[1]] [2]]", "column 8: brackets are nested 2 deep here but 3 before"},
      {"[[1;2] [3 4]]", "column 8: rows by ';' were expected in all brackets or in none"},
      {"[[1;2] [3;4;5]]", "column 8: 2 rows were expected, as before, but 3 came"},
      {"[1 2 $]", "column 6: '$' cannot stand in a literal; numbers and [ ] , ; can"},
      {"[1\n 2 x]",
       "line 2, column 4: 'x' is not a number: fp64 expects one such as -1.5, 1e-3, 61/30, "
       "0x1.8p3, inf or nan"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(message(text), expected) << text;
  EXPECT_EQ(
      message("1 - 2"),
      "column 3: a number was expected after '-', without a space between; a literal does not "
      "compute");
  EXPECT_EQ(message("[1 300]", DType::uint8),
            "column 4: '300' is out of range: uint8 holds 0 … 255");
}

TEST(Literal, NestingIsBounded) {
  const std::string deep = std::string(64, '[') + "1" + std::string(64, ']');
  EXPECT_EQ(parse_literal(deep, DType::int8).rank(), 64U);
  EXPECT_EQ(message("[" + deep + "]"), "column 65: brackets are nested deeper than 64");
  EXPECT_EQ(message(std::string(1'000'000, '[')), "column 65: brackets are nested deeper than 64");
}

TEST(Literal, LongTextsInLinearTime) {
  const auto start = std::chrono::steady_clock::now();
  std::string text = "[";
  for (int i = 0; i < 200'000; ++i) text += "[1 2] ";
  const Tensor t = parse_literal(text + "]", DType::fp32);
  EXPECT_EQ(t.shape(), (Dims{200'000, 2}));
  EXPECT_NE(message(text + std::string(1'000'000, '1') + "x]"), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(PrintText, Forms) {
  EXPECT_EQ(printed(parse_literal("-0", DType::fp64)), "-0\n");
  EXPECT_EQ(printed(parse_literal("[1 2.5 nan]", DType::fp32)), "1 2.5 nan\n");
  EXPECT_EQ(printed(parse_literal("[1 2; 3 4]", DType::int4)), "1 2\n3 4\n");
  EXPECT_EQ(printed(parse_literal("[1 2]", DType::fp16), true), "0x3c00 0x4000\n");
  EXPECT_EQ(printed(parse_literal("[[1 2;3 4] [5 6;7 8]]", DType::uint8)),
            "[0,:,:]\n1 2\n3 4\n\n[1,:,:]\n5 6\n7 8\n");
  EXPECT_EQ(printed(parse_literal("[[[[1]] [[2]]]]", DType::uint8)),
            "[0,0,:,:]\n1\n\n[0,1,:,:]\n2\n");
  EXPECT_EQ(printed(Tensor(DType::fp32, Dims{0, 3})), "[] (0,3)\n");
  EXPECT_EQ(printed(Tensor(DType::fp32, Dims{0})), "[] (0)\n");
}

TEST(PrintText, AnyStrides) {
  const Tensor t = parse_literal("[1 2 3; 4 5 6]", DType::int4);
  EXPECT_EQ(printed(t.view().transposed()), "1 4\n2 5\n3 6\n");
  EXPECT_EQ(printed(t.view().sliced(1, 2, 2, -2)), "3 1\n6 4\n");
  const double one = 1;
  EXPECT_EQ(printed(ConstView(&one, Dims{2, 2}, Dims{0, 0})), "1 1\n1 1\n");
}

TEST(PrintText, ComesInPieces) {
  const Tensor t(DType::int32, Dims{1000, 100});
  std::vector<std::size_t> pieces;
  print_text([&](std::string_view piece) { pieces.push_back(piece.size()); }, t);
  EXPECT_EQ(std::accumulate(pieces.begin(), pieces.end(), std::size_t{0}), 200'000U);
  EXPECT_EQ(pieces.size(), 4U);
}

}  // namespace
}  // namespace hadamard
