#include "num/dtype.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace hadamard {
namespace {

TEST(DType, NamesAreUniqueAndReadBack) {
  std::set<std::string_view> seen;
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    EXPECT_FALSE(name(type).empty());
    EXPECT_TRUE(seen.insert(name(type)).second) << name(type);
    EXPECT_EQ(dtype_from_name(name(type)), type);
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kTypeCount));
}

TEST(DType, NamesAsDocumented) {
  EXPECT_EQ(name(DType::bool_), "bool");
  EXPECT_EQ(name(DType::real), "real");
  EXPECT_EQ(name(DType::complex128), "complex128");
  EXPECT_EQ(name(dtype_of<float16>), "fp16");
  for (const auto* none : {"", "bool_", "FP16", "fp16 ", "float"}) {
    EXPECT_EQ(dtype_from_name(none), std::nullopt) << none;
  }
}

TEST(DType, BitsAndKinds) {
  EXPECT_EQ(bits(DType::int4), 4);
  EXPECT_EQ(bits(DType::bool_), 8);
  EXPECT_EQ(bits(DType::bf16), 16);
  EXPECT_EQ(bits(DType::complex128), 128);
  EXPECT_EQ(bits(DType::real), 64);
  EXPECT_EQ(kind(DType::real), Kind::exact);
  EXPECT_EQ(kind(DType::bf16), Kind::floating);
  EXPECT_EQ(kind(DType::uint64), Kind::integer);
  EXPECT_EQ(kind(DType::complex64), Kind::complex);
  EXPECT_EQ(kind(DType::bool_), Kind::boolean);
  EXPECT_TRUE(is_packed_type(DType::uint4));
  EXPECT_FALSE(is_packed_type(DType::uint8));
}

TEST(DType, ANumberThatIsNoTypeHasNoName) {
  EXPECT_EQ(name(static_cast<DType>(200)), "");
  EXPECT_EQ(bits(static_cast<DType>(200)), 0);
  EXPECT_EQ(name(static_cast<Op>(200)), "");
}

TEST(DType, RangesOfTheIntegers) {
  EXPECT_EQ(Element<int4>::kMin, -8);
  EXPECT_EQ(Element<int4>::kMax, 7U);
  EXPECT_EQ(Element<uint4>::kMax, 15U);
  EXPECT_EQ(Element<std::int64_t>::kMin, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Element<std::uint64_t>::kMax, std::numeric_limits<std::uint64_t>::max());
}

TEST(Op, NamesReadBack) {
  EXPECT_EQ(name(Op::div), "div");
  for (const Op op : {Op::add, Op::sub, Op::mul, Op::div}) EXPECT_EQ(op_from_name(name(op)), op);
  EXPECT_EQ(op_from_name("Div"), std::nullopt);
}

}  // namespace
}  // namespace hadamard
