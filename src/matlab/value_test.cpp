#include "matlab/value.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstring>

namespace hadamard::matlab {
namespace {

std::vector<std::uint16_t> units(const Value& value) {
  const auto* first = static_cast<const std::uint16_t*>(value.elements().data());
  return {first, first + value.numel()};
}

TEST(Value, IsEmptyAtFirst) {
  const Value value;
  EXPECT_EQ(value.cls(), Class::double_);
  EXPECT_EQ(value.size(), (Dims{0, 0}));
  EXPECT_TRUE(value.is_empty());
  EXPECT_FALSE(value.is_scalar());
  EXPECT_FALSE(value.is_complex());
  EXPECT_EQ(value.residency(), Residency::host);
}

TEST(Value, HasTwoDimensionsAtLeastAndNoOnesAtTheEnd) {
  const auto size = [](Dims shape) {
    return Value(Class::double_, Tensor(DType::fp64, std::move(shape))).size();
  };
  EXPECT_EQ(size({}), (Dims{1, 1}));
  EXPECT_EQ(size({3}), (Dims{3, 1}));
  EXPECT_EQ(size({1, 1, 1}), (Dims{1, 1}));
  EXPECT_EQ(size({2, 3, 1, 1}), (Dims{2, 3}));
  EXPECT_EQ(size({1, 1, 2, 1}), (Dims{1, 1, 2}));
  EXPECT_EQ(size({0}), (Dims{0, 1}));
  EXPECT_EQ(size({2, 0, 1}), (Dims{2, 0}));
  EXPECT_EQ(size({2, 2, 0}), (Dims{2, 2, 0}));
}

TEST(Value, KeepsItsElementsColumnByColumn) {
  const Value value(Class::double_, Tensor::from({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, Dims{2, 3, 1}));
  EXPECT_EQ(value.size(), (Dims{2, 3}));
  EXPECT_EQ(value.elements().strides(), (Dims{1, 2}));
  const auto* memory = static_cast<const double*>(value.elements().data());
  EXPECT_EQ(std::vector<double>(memory, memory + 6), (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

TEST(Value, TakesElementsThatAreInOrderAsTheyAre) {
  Tensor elements(DType::fp64, Dims{2, 3}, Order::column_major);
  const void* memory = elements.data();
  EXPECT_EQ(Value(Class::double_, std::move(elements)).elements().data(), memory);
}

TEST(Value, SharesUntilWrittenTo) {
  Value a = Value::scalar(1);
  Value b = a;
  EXPECT_EQ(a.elements().data(), b.elements().data());
  b.own_elements().set(Dims{0, 0}, 2.0);
  EXPECT_EQ(a.elements().at<double>({0, 0}), 1);
  EXPECT_EQ(b.elements().at<double>({0, 0}), 2);
  const void* alone = b.elements().data();
  EXPECT_EQ(b.own_elements().data(), alone);
}

TEST(Value, RefusesElementsOfAnotherClass) {
  EXPECT_THROW(Value(Class::int8, Tensor(DType::fp64, Dims{1})), Error);
  EXPECT_THROW(Value(Class::single_, Tensor(DType::complex128, Dims{1})), Error);
  EXPECT_TRUE(Value(Class::single_, Tensor(DType::complex64, Dims{1})).is_complex());
  EXPECT_TRUE(Value(Class::double_, Tensor(DType::complex128, Dims{1})).is_complex());
}

TEST(Value, TextIsUtf16) {
  EXPECT_EQ(units(Value::text("aé€")), (std::vector<std::uint16_t>{'a', 0xE9, 0x20AC}));
  EXPECT_EQ(units(Value::text("😀")), (std::vector<std::uint16_t>{0xD83D, 0xDE00}));
  EXPECT_EQ(Value::text("abc").size(), (Dims{1, 3}));
  EXPECT_EQ(Value::text("abc").cls(), Class::char_);
  EXPECT_EQ(Value::text("abc", Class::string).cls(), Class::string);
  EXPECT_EQ(Value::text("").size(), (Dims{0, 0}));
}

TEST(Value, TextThatIsNoUtf8HasReplacementsInIt) {
  const std::uint16_t r = 0xFFFD;
  EXPECT_EQ(units(Value::text("\xFF"
                              "a")),
            (std::vector<std::uint16_t>{r, 'a'}));
  EXPECT_EQ(units(Value::text("\xE2\x82")), (std::vector<std::uint16_t>{r, r})) << "cut short";
  EXPECT_EQ(units(Value::text("\xC0\x80")), (std::vector<std::uint16_t>{r, r})) << "too long";
  EXPECT_EQ(units(Value::text("\xED\xA0\x80")), (std::vector<std::uint16_t>{r, r, r}))
      << "a surrogate";
  EXPECT_EQ(units(Value::text("\x80")), (std::vector<std::uint16_t>{r}));
  EXPECT_EQ(units(Value::text("\xF4\x90\x80\x80")).size(), 4u) << "beyond the last";
}

TEST(Class, HasANameAndAKind) {
  EXPECT_EQ(name(Class::double_), "double");
  EXPECT_EQ(name(Class::uint64), "uint64");
  EXPECT_TRUE(is_float(Class::single_));
  EXPECT_FALSE(is_float(Class::int8));
  EXPECT_TRUE(is_integer(Class::int8));
  EXPECT_TRUE(is_integer(Class::uint64));
  EXPECT_FALSE(is_integer(Class::char_));
  EXPECT_FALSE(is_integer(Class::logical));
  EXPECT_FALSE(is_integer(Class::string));
}

TEST(SizeText, IsWithCrosses) {
  EXPECT_EQ(size_text({3, 4}), "3x4");
  EXPECT_EQ(size_text({2, 3, 4}), "2x3x4");
}

}  // namespace
}  // namespace hadamard::matlab
