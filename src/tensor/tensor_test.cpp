#include "hadamard/tensor.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace hadamard {
namespace {

template <class F>
ErrorCode code_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::ok;
}

Tensor counted(const Dims& shape) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(element_count(shape)));
  std::iota(values.begin(), values.end(), 0);
  return Tensor::from(std::span<const std::int32_t>(values), shape);
}

TEST(DimsTest, TakeIntegersOfEveryType) {
  const std::vector<double> v{1, 2, 3};
  EXPECT_EQ(ConstView(v.data(), {v.size()}).shape(), Dims{3});
  EXPECT_EQ(ConstView(v.data(), {v.size()}, {std::ptrdiff_t{-1}}).strides(), Dims{-1});
  EXPECT_EQ(Tensor::from(v, {v.size(), 1}).shape(), (Dims{3, 1}));
  EXPECT_EQ(Tensor(DType::fp32, {std::uint8_t{2}, 3L, 4ULL}).shape(), (Dims{2, 3, 4}));
  EXPECT_EQ(Layout(DType::fp32, {v.size(), v.size()}).count(), 9);
  EXPECT_EQ(Tensor::from(v, {v.size()}).at<double>({v.size() - 1}), 3);
  EXPECT_EQ(Dims(std::vector<std::size_t>{4, 5}), (Dims{4, 5}));
  EXPECT_EQ(Dims(std::array{6, 7}), (Dims{6, 7}));
  EXPECT_EQ(Dims({std::integral_constant<int, 8>{}}), Dims{8});
  static_assert(!std::is_convertible_v<double, Dims::Entry> &&
                !std::is_convertible_v<float, Dims::Entry>);
  static_assert(!std::is_convertible_v<const char*, Dims::Entry> &&
                !std::is_convertible_v<DType, Dims::Entry>);
}

TEST(DimsTest, RefuseIntegersBeyond63Bits) {
  static constexpr std::size_t kMost = std::size_t{1} << 63;
  EXPECT_EQ(Dims{kMost - 1}[0], INT64_MAX);
  EXPECT_EQ(code_of([] { Dims{std::size_t{1}, kMost}; }), ErrorCode::too_large);
  EXPECT_EQ(code_of([] { Dims(std::vector<std::size_t>{SIZE_MAX}); }), ErrorCode::too_large);
  const double one = 1;
  try {
    ConstView(&one, {SIZE_MAX});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "expected an extent, stride or index of at most 2^63 - 1, got 18446744073709551615");
  }
}

TEST(DimsTest, GrowBeyondTheInlinePart) {
  Dims dims;
  for (std::int64_t i = 0; i < 20; ++i) dims.push_back(i);
  const Dims copy = dims;
  EXPECT_EQ(copy, dims);
  EXPECT_EQ(copy[19], 19);
  Dims moved = std::move(dims);
  EXPECT_EQ(moved, copy);
  moved.resize(3);
  EXPECT_EQ(moved, Dims({0, 1, 2}));
  moved.resize(5, -1);
  EXPECT_EQ(moved, Dims({0, 1, 2, -1, -1}));
  EXPECT_EQ(to_string(moved), "(0,1,2,-1,-1)");
  EXPECT_EQ(to_string(Dims{}), "()");
}

TEST(Layouts, StridesOfBothOrders) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}), Dims({12, 4, 1}));
  EXPECT_EQ(contiguous_strides({2, 3, 4}, Order::column_major), Dims({1, 2, 6}));
  EXPECT_TRUE(Layout(DType::fp32, {2, 3}).is_contiguous());
  EXPECT_FALSE(Layout(DType::fp32, {2, 3}).is_contiguous(Order::column_major));
  EXPECT_TRUE(Layout(DType::fp32, {1, 3}, {77, 1}).is_contiguous());
  EXPECT_TRUE(Layout(DType::fp32, {0, 3}, {77, 5}).is_contiguous());
}

TEST(Layouts, WhatCannotBe) {
  EXPECT_EQ(code_of([] { Layout(DType::fp32, Dims{-1}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([] { Layout(DType::fp32, Dims{2}, Dims{1, 1}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([] { Layout(DType::fp32, Dims{1L << 40, 1L << 40}); }), ErrorCode::too_large);
  EXPECT_EQ(code_of([] { Layout(DType::fp32, Dims{3}, Dims{INT64_MIN}); }), ErrorCode::too_large);
  EXPECT_EQ(code_of([] { Layout(DType::fp32, Dims{3}, Dims{1L << 60}); }), ErrorCode::too_large);
  EXPECT_EQ(code_of([] { Tensor(DType::fp64, Dims{1L << 60, 2}); }), ErrorCode::too_large);
}

TEST(Tensors, BeginAtZeroAndAligned) {
  for (const DType type :
       {DType::fp16, DType::fp64, DType::int4, DType::complex128, DType::bool_}) {
    const Tensor t(type, Dims{5});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.data()) % 64, 0U);
    for (std::size_t i = 0; i < t.size_bytes(); ++i) {
      EXPECT_EQ(static_cast<const unsigned char*>(t.data())[i], 0);
    }
  }
  EXPECT_TRUE(Tensor(DType::real, Dims{2}).at<Real>({1}).is_zero());
}

TEST(Tensors, OddNumbersOfNibblesTakeAWholeByte) {
  EXPECT_EQ(Tensor(DType::int4, Dims{3}).size_bytes(), 2U);
  EXPECT_EQ(Tensor(DType::uint4, Dims{4}).size_bytes(), 2U);
  EXPECT_EQ(Tensor(DType::uint4, Dims{0}).size_bytes(), 0U);
  const Tensor t = Tensor::from<int4>({int4(1), int4(-1), int4(7)}, {3});
  EXPECT_EQ(static_cast<const std::uint8_t*>(t.data())[0], 0xF1);  // the first in the low nibble
  EXPECT_EQ(static_cast<const std::uint8_t*>(t.data())[1], 0x07);
  EXPECT_EQ(t.at<int4>({1}).value, -1);
}

TEST(Tensors, CopiesAreDeepAndMovesLeaveAnEmptyOne) {
  Tensor a = counted({4});
  Tensor b = a;
  b.set<std::int32_t>({0}, 99);
  EXPECT_EQ(a.at<std::int32_t>({0}), 0);
  const Tensor c = std::move(b);
  EXPECT_EQ(c.at<std::int32_t>({0}), 99);
  EXPECT_EQ(b.count(), 0);  // NOLINT: that is what is tested
  const Tensor& self = a;
  a = self;
  EXPECT_EQ(a.count(), 4);
  Tensor r(DType::real, Dims{2});
  r.set({0}, Real(1, 3));
  const Tensor s = r;
  r.set({0}, Real(2));
  EXPECT_EQ(s.at<Real>({0}), Real(1, 3));
}

TEST(Tensors, ElementsAreChecked) {
  const Tensor t = counted({2, 3});
  EXPECT_EQ(t.at<std::int32_t>({1, 2}), 5);
  EXPECT_EQ(code_of([&] { t.at<std::int64_t>({0, 0}); }), ErrorCode::type_mismatch);
  EXPECT_EQ(code_of([&] { t.at<std::int32_t>({2, 0}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { t.at<std::int32_t>({0, -1}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { t.at<std::int32_t>({0}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([] { Tensor::from<float>({1, 2, 3}, {2}); }), ErrorCode::shape_mismatch);
}

TEST(Views, NeedMemoryThatIsAligned) {
  EXPECT_EQ(code_of([] { ConstView(nullptr, Layout(DType::fp32, {1})); }), ErrorCode::bad_argument);
  EXPECT_NO_THROW(ConstView(nullptr, Layout(DType::fp32, {0})));
  alignas(8) const char bytes[16] = {};
  EXPECT_EQ(code_of([&] { ConstView(bytes + 1, Layout(DType::fp32, {1})); }),
            ErrorCode::bad_argument);
  EXPECT_NO_THROW(ConstView(bytes + 1, Layout(DType::int8, {1})));
}

template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(name(error.code())) + ": " + error.what();
  }
  return "no error";
}

TEST(Views, OfVectorsSpansAndArrays) {
  std::vector<float> v{1, 2, 3, 4, 5, 6};
  const std::vector<float>& fixed = v;
  const std::span<const float> reading(v);
  std::span<float> writing(v);
  const std::array<std::int8_t, 2> two{7, 8};
  EXPECT_EQ(ConstView(v).layout(), Layout(DType::fp32, {6}));
  EXPECT_EQ(ConstView(fixed).data(), v.data());
  EXPECT_EQ(ConstView(reading.subspan(2)).at<float>({0}), 3);
  EXPECT_EQ(ConstView(writing).count(), 6);
  EXPECT_EQ(ConstView(std::span<float, 6>(v)).count(), 6);
  EXPECT_EQ(ConstView(two).at<std::int8_t>({1}), 8);
  const std::size_t rows = 2;
  const int columns = 3;
  EXPECT_EQ(ConstView(v, {rows, columns}).at<float>({1, 0}), 4);
  EXPECT_EQ(ConstView(reading, {rows, columns}).shape(), (Dims{2, 3}));
  View(v).set<float>({5}, 60);
  View(v, {rows, columns}).set<float>({0, 0}, 10);
  View(writing.subspan(1, 2)).set<float>({0}, 20);
  EXPECT_EQ(v, (std::vector<float>{10, 20, 3, 4, 5, 60}));
  EXPECT_EQ(Tensor::from(writing, {rows, columns}).at<float>({1, 2}), 60);
  EXPECT_EQ(Tensor::from(two, {two.size()}).at<std::int8_t>({0}), 7);
  const std::vector<int4> nibbles{int4(1), int4(-2)};  // as values, not as a tensor holds them
  EXPECT_EQ(Tensor::from(nibbles, {nibbles.size()}).at<int4>({1}).value, -2);
  // No elements, no memory.
  const std::vector<double> none;
  EXPECT_EQ(ConstView(none).shape(), Dims{0});
  EXPECT_EQ(ConstView(none, {3, 0}).count(), 0);
}

TEST(Views, OnlyOfElementsThatOutliveThem) {
  static_assert(std::is_convertible_v<std::vector<double>&, View>);
  static_assert(std::is_convertible_v<std::span<double>, View>);
  static_assert(std::is_convertible_v<const std::span<double>&, View>);
  static_assert(!std::is_constructible_v<View, const std::vector<double>&>);
  static_assert(!std::is_constructible_v<View, std::span<const double>>);
  static_assert(!std::is_constructible_v<View, std::vector<double>>);    // a temporary
  static_assert(std::is_convertible_v<std::vector<double>, ConstView>);  // an operand of one call
  // Not what has no element type, or lies otherwise in a tensor.
  static_assert(!std::is_constructible_v<ConstView, std::string>);
  static_assert(!std::is_constructible_v<ConstView, std::vector<std::string>>);
  static_assert(!std::is_constructible_v<ConstView, std::vector<bool>>);
  static_assert(!std::is_constructible_v<ConstView, std::vector<int4>>);
  // An array of C is a pointer and a shape, as before.
  const double c[] = {1, 2};
  EXPECT_EQ(ConstView(c, {2}).at<double>({1}), 2);
}

TEST(Views, OfRangesHaveAsManyElements) {
  std::vector<double> v(5);
  const std::string expected = "shape_mismatch: shape (2,3) has 6 elements, but the range has 5";
  EXPECT_EQ(message_of([&] { ConstView(v, {2, 3}); }), expected);
  EXPECT_EQ(message_of([&] { View(v, {2, 3}); }), expected);
  EXPECT_EQ(message_of([&] { ConstView(std::span<const double>(v), {2, 3}); }), expected);
  EXPECT_EQ(code_of([&] { ConstView(v, {}); }), ErrorCode::shape_mismatch);
  EXPECT_EQ(code_of([&] { ConstView(v, {-5}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { ConstView(v, {INT64_MAX, 2}); }), ErrorCode::too_large);
  EXPECT_EQ(message_of([&] { Tensor::from(v, {4}); }),
            "shape_mismatch: shape (4) has 4 elements, but got 5 values");
}

TEST(Tensors, GiveTypedPointers) {
  Tensor t = Tensor::from({1.5, 2.5}, {2});
  t.data<double>()[1] = 3.5;
  EXPECT_EQ(std::as_const(t).data<double>()[1], 3.5);
  static_assert(std::is_same_v<decltype(t.data<double>()), double*>);
  static_assert(std::is_same_v<decltype(std::as_const(t).data<double>()), const double*>);
  static_assert(std::is_same_v<decltype(t.view().data<double>()), double*>);
  EXPECT_EQ(*t.view().sliced(0, 1, 1).data<double>(), 3.5);
  EXPECT_EQ(*std::as_const(t).view().data<double>(), 1.5);
  const std::string expected =
      "type_mismatch: data() was requested as fp32, but the elements are fp64; request fp64, or "
      "cast() the tensor";
  EXPECT_EQ(message_of([&] { t.data<float>(); }), expected);
  EXPECT_EQ(message_of([&] { std::as_const(t).data<float>(); }), expected);
  EXPECT_EQ(message_of([&] { t.view().data<float>(); }), expected);
  EXPECT_EQ(message_of([&] { std::as_const(t).view().data<float>(); }), expected);
  EXPECT_EQ(code_of([&] { t.data<std::int64_t>(); }), ErrorCode::type_mismatch);  // as wide
  EXPECT_EQ(message_of([] { Tensor(DType::int4, {3}).data<std::uint8_t>(); }),
            "type_mismatch: data() was requested as uint8, but the elements are int4, packed two "
            "to a byte: use at(), set() or to_vector(), or the bytes at data() without a type");
}

TEST(Views, SlicesAndPermutationsAreChecked) {
  const Tensor t = counted({2, 5});
  const ConstView v = t.view();
  EXPECT_EQ(v.sliced(1, 4, 3, -2).at<std::int32_t>({1, 2}), 5);
  EXPECT_EQ(v.sliced(1, 5, 0).count(), 0);
  EXPECT_EQ(code_of([&] { v.sliced(2, 0, 1); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { v.sliced(1, 3, 3); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { v.sliced(1, 0, 2, -1); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { v.sliced(1, 0, 2, INT64_MAX); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { v.permuted({0, 0}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { v.permuted({0}); }), ErrorCode::bad_argument);
  EXPECT_EQ(v.transposed().at<std::int32_t>({4, 1}), 9);
}

TEST(Views, NibblesBeginInTheMiddleOfAByte) {
  Tensor t(DType::uint4, Dims{5});
  for (int i = 0; i < 5; ++i) t.set({i}, uint4(static_cast<std::uint64_t>(i + 1)));
  const View v = t.view().sliced(0, 1, 3);
  EXPECT_EQ(v.at<uint4>({0}).value, 2);
  v.set({2}, uint4(9));
  EXPECT_EQ(t.at<uint4>({3}).value, 9);
  EXPECT_EQ(t.at<uint4>({2}).value, 3);
  EXPECT_EQ(t.at<uint4>({4}).value, 5);
  EXPECT_EQ(Tensor(ConstView(v)).at<uint4>({1}).value, 3);
}

TEST(Tensors, FromViewsInEitherOrder) {
  const Tensor t = counted({2, 3});
  const Tensor c(t.view().transposed(), Order::column_major);
  EXPECT_EQ(c.strides(), Dims({1, 3}));
  EXPECT_EQ(c.to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 3, 1, 4, 2, 5}));
}

}  // namespace
}  // namespace hadamard
