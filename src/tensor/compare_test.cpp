#include "tensor/compare.hpp"

#include <gtest/gtest.h>

#include "tensor/literal.hpp"

namespace hadamard {
namespace {

Comparison compared(const char* a, const char* b, DType type, const Tolerance& tolerance = {}) {
  return compare(parse_literal(a, type), parse_literal(b, type), tolerance, 2);
}

TEST(Compare, SeesEveryBit) {
  const Comparison c = compared("[1 0 2 7]", "[1 -0 2.0000002 8]", DType::fp32);
  EXPECT_EQ(c.count, 4);
  EXPECT_EQ(c.bits_differ, 3);
  EXPECT_EQ(c.beyond, 3);
  EXPECT_EQ(c.largest, 2097152u);
  ASSERT_EQ(c.first.size(), 2u) << "no more than are asked for";
  EXPECT_EQ(c.first[0].index, Dims{1});
  EXPECT_EQ(to_string(c.first[0].b), "-0 0x80000000");
  EXPECT_EQ(distance_text(c.first[0]), "0 ULP");
  EXPECT_EQ(c.first[1].index, Dims{2});
  EXPECT_EQ(distance_text(c.first[1]), "1 ULP");
}

TEST(Compare, ToleratesWhatItIsTold) {
  EXPECT_EQ(compared("[0 2]", "[-0 2.0000002]", DType::fp32, {.ulp = 0}).beyond, 1);
  EXPECT_EQ(compared("[0 2]", "[-0 2.0000002]", DType::fp32, {.ulp = 1}).beyond, 0);
  EXPECT_EQ(compared("0", "-0", DType::fp32, {.any_nan = true}).beyond, 1);
}

TEST(Compare, TakesAnyNaNForAnyOtherWhereToldTo) {
  const std::uint32_t bits[] = {0x7fc00000, 0xffc00001, 0x3f800000};
  const ConstView nan(&bits[0], Layout(DType::fp32, Dims{}));
  const ConstView other(&bits[1], Layout(DType::fp32, Dims{}));
  const ConstView one(&bits[2], Layout(DType::fp32, Dims{}));
  EXPECT_EQ(compare(nan, other, {}, 1).beyond, 1);
  EXPECT_EQ(compare(nan, other, {.any_nan = true}, 1).beyond, 0);
  EXPECT_EQ(compare(nan, one, {.any_nan = true}, 1).beyond, 1);
  EXPECT_EQ(compare(nan, one, {}, 1).unordered, 1);

  // Of a complex number each part by itself.
  const ConstView a(&bits[0], Layout(DType::complex64, Dims{}));
  const std::uint32_t more[] = {0xffc00000, 0x7fc00000, 0x7fc00000, 0x3f800000};
  EXPECT_EQ(compare(a, ConstView(&more[0], a.layout()), {.any_nan = true}, 1).beyond, 0);
  EXPECT_EQ(compare(a, ConstView(&more[2], a.layout()), {.any_nan = true}, 1).beyond, 1);
}

TEST(Compare, KnowsTypesWithoutFloats) {
  EXPECT_EQ(compared("[-8 7]", "[7 7]", DType::int4).largest, 15u);
  EXPECT_EQ(compared("0", "18446744073709551615", DType::uint64).largest, ~std::uint64_t{0});
  EXPECT_EQ(compared("1/2", "1/3", DType::real).unordered, 1);
  EXPECT_EQ(compared("1/2", "0.5", DType::real).bits_differ, 0);
  EXPECT_EQ(compared("true", "false", DType::bool_).beyond, 1);
}

TEST(Compare, ShowsOneElement) {
  const Tensor t = parse_literal("[1 2; 3 4]", DType::int8);
  EXPECT_EQ(to_string(element_text(t, {1, 0})), "3 0x03");
}

}  // namespace
}  // namespace hadamard
