// What a caller can do wrong or unusually: each has one defined answer.
#include <gtest/gtest.h>
#include <tbb/task_group.h>

#include <cfenv>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "hadamard/hadamard.hpp"

namespace hadamard {
namespace {

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

template <class F>
ErrorCode code_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::ok;
}

static_assert(!std::is_constructible_v<View, const double*, Dims>,
              "a View must not write to const");
static_assert(!std::is_constructible_v<ConstView, const uint4*, Dims>, "uint4 lie two to a byte");

TEST(Misuse, CancelledTasksOfTheCallerDoNotCancelOurs) {
  const std::int64_t n = 1 << 20;
  const Tensor ones = Tensor::from(std::vector<float>(n, 1.0F), {n});
  const Tensor zeros(DType::int32, {n});
  Tensor y(DType::fp32, {n});
  ErrorCode code = ErrorCode::ok;
  tbb::task_group group;
  group.run_and_wait([&] {
    group.cancel();
    add_into(y.view(), ones, ones);
    code = code_of([&] { div(zeros, zeros); });
  });
  EXPECT_EQ(code, ErrorCode::zero_divisor);
  EXPECT_EQ(y.to_vector<float>(), std::vector<float>(n, 2.0F));
}

TEST(Misuse, OffsetsCountForEveryType) {
  double m[6] = {1, 2, 3, 4, 5, 6};
  const ConstView a(m, Dims{4});
  const View y(static_cast<void*>(m), Layout(DType::fp64, {4}), 1);
  add_into(y, a, a);  // overlaps its operand at other indices
  EXPECT_EQ(std::vector<double>(m, m + 6), (std::vector<double>{1, 2, 4, 6, 8, 6}));
  const Tensor copy(ConstView(static_cast<void*>(m), Layout(DType::fp64, {4}), 2));
  EXPECT_EQ(copy.to_vector<double>(), (std::vector<double>{4, 6, 8, 6}));
}

TEST(Misuse, AbsurdLayoutsAreRefused) {
  double x = 0;
  EXPECT_EQ(code_of([] { Layout(DType::fp64, {std::int64_t{1} << 60}); }), ErrorCode::too_large);
  EXPECT_EQ(code_of([] { Layout(DType::fp32, {5, 0}, {kHuge, 1}); }), ErrorCode::too_large);
  EXPECT_EQ(code_of([] { Layout(DType::complex128, {2}, {std::int64_t{1} << 60}); }),
            ErrorCode::too_large);
  EXPECT_EQ(code_of([&] { ConstView(&x, Layout(DType::int4, {4}), kHuge); }), ErrorCode::too_large);
  EXPECT_EQ(code_of([] { Tensor(static_cast<DType>(77), {2}); }), ErrorCode::bad_argument);
  const Tensor t(DType::fp64, {2, 2, 2, 2, 2, 2, 2, 2});
  Layout broken = t.layout();
  broken.strides = Dims{};
  EXPECT_EQ(code_of([&] { ConstView(t.data(), broken); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { result_layout(Op::add, broken, t.layout()); }), ErrorCode::bad_argument);
}

TEST(Misuse, IndicesAndSlicesOutsideAreRefusedAndInsideNeverOverflow) {
  const Tensor t(DType::fp32, {3, 1});
  EXPECT_EQ(code_of([&] { t.at<float>({kHuge, 0}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { t.view().sliced(0, 0, 2, kHuge); }), ErrorCode::bad_argument);
  const ConstView one = t.view().sliced(1, 0, 1, kHuge).sliced(1, 0, 1, kHuge);
  EXPECT_EQ(one.shape(), (Dims{3, 1}));
  const Tensor empty(DType::fp32, {0, kHuge, kHuge});
  EXPECT_EQ(empty.view().sliced(1, 5, 7).shape(), (Dims{0, 7, kHuge}));
}

TEST(Misuse, ValuesOutsideAnEnumerationAreRefused) {
  const Tensor t(DType::int8, {2});
  EXPECT_EQ(code_of([&] { apply(static_cast<Op>(200), t, t); }), ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { add(t, t, {.broadcast = static_cast<Broadcast>(77)}); }),
            ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { add(t, t, {.int_division = static_cast<IntDivision>(9)}); }),
            ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { add(t, t, {.dialect = static_cast<Dialect>(9)}); }),
            ErrorCode::bad_argument);
}

TEST(Misuse, AMovedFromPreparedSaysSo) {
  Tensor t(DType::fp32, {2});
  Prepared first = prepare(Op::add, t.layout(), t.layout(), t.layout());
  const Prepared second = std::move(first);
  EXPECT_EQ(code_of([&] { first.run(t.data(), t.data(), t.data()); }),  // NOLINT: that is the test
            ErrorCode::bad_argument);
  EXPECT_EQ(code_of([&] { second.run(t.data(), t.data(), t.data()); }), ErrorCode::ok);
}

TEST(Misuse, StickyFlagsAreAsTheyWere) {
  const Tensor one = Tensor::scalar(1.0), zero = Tensor::scalar(0.0), three = Tensor::scalar(3.0);
  std::feclearexcept(FE_ALL_EXCEPT);
  div(one, zero);
  div(one, three);
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
}

TEST(Misuse, CountsAreComparedBeforeMemoryIsTaken) {
  EXPECT_EQ(code_of([] { Tensor::from({1.0}, {std::int64_t{1} << 55}); }),
            ErrorCode::shape_mismatch);
}

}  // namespace
}  // namespace hadamard
