#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include "plan/test_calls.hpp"

namespace hadamard::plan {
namespace {

constexpr std::size_t kB = 1, kY = 2;  // operands of the group

Plan add(const Layout& a, const Layout& b, const Layout& y) {
  return plan_of_call(Op::add, a, b, y);
}
const Loops& loops(const Plan& plan) { return plan.groups[0].loops; }

Layout dense(Dims shape) { return {DType::fp32, std::move(shape)}; }
Layout strided(Dims shape, Dims strides) {
  return {DType::fp32, std::move(shape), std::move(strides)};
}

ErrorCode code_of(const Layout& a, const Layout& b, const Layout& y) {
  try {
    add(a, b, y);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::ok;
}

TEST(Plan, DenseTensorsAreOneLine) {
  const Plan plan = add(dense({2, 3, 4}), dense({2, 3, 4}), dense({2, 3, 4}));
  EXPECT_EQ(loops(plan).kind, LoopKind::contiguous);
  EXPECT_EQ(loops(plan).extents, Dims({24}));
  EXPECT_EQ(plan.groups[0].count, 24);
}

TEST(Plan, AllTransposedIsOneLineToo) {
  const Layout t = strided({4, 3, 2}, {1, 4, 12});
  EXPECT_EQ(loops(add(t, t, t)).kind, LoopKind::contiguous);
  const Layout reversed = strided({6}, {-1});
  const Plan plan = add(reversed, reversed, reversed);
  EXPECT_EQ(loops(plan).kind, LoopKind::contiguous);
  EXPECT_EQ(loops(plan).start[kY], -5);
}

TEST(Plan, KindsOfLoops) {
  const auto kind = [](const Layout& a, const Layout& b, const Layout& y) {
    return loops(add(a, b, y)).kind;
  };
  EXPECT_EQ(kind(dense({}), dense({5}), dense({5})), LoopKind::scalar_left);
  EXPECT_EQ(kind(dense({5}), dense({}), dense({5})), LoopKind::scalar_right);
  EXPECT_EQ(kind(dense({1, 1}), dense({2, 3}), dense({2, 3})), LoopKind::scalar_left);
  EXPECT_EQ(kind(dense({2, 3}), dense({3}), dense({2, 3})), LoopKind::row);
  EXPECT_EQ(kind(dense({2, 3}), dense({2, 1}), dense({2, 3})), LoopKind::column);
  EXPECT_EQ(kind(strided({3, 2}, {1, 3}), dense({3, 2}), dense({3, 2})), LoopKind::tiled);
  EXPECT_EQ(kind(dense({3, 2}), strided({3, 2}, {-1, -3}), dense({3, 2})), LoopKind::tiled);
  EXPECT_EQ(kind(strided({3, 2}, {2, 6}), dense({3, 2}), dense({3, 2})), LoopKind::strided);
  EXPECT_EQ(kind(dense({3, 2}), dense({3, 2}), strided({3, 2}, {1, 3})), LoopKind::tiled);
  EXPECT_EQ(kind(strided({5}, {2}), dense({5}), dense({5})), LoopKind::strided);
  EXPECT_EQ(kind(dense({0, 3}), dense({0, 3}), dense({0, 3})), LoopKind::empty);
  EXPECT_EQ(kind(dense({}), dense({}), dense({})), LoopKind::contiguous);
  EXPECT_EQ(kind(strided({4}, {0}), strided({4}, {0}), dense({4})), LoopKind::strided);
}

// Channels first against channels last: the operand's channels come next to the output's lines.
TEST(Plan, WhatAnOperandRunsAlongComesNextToTheLines) {
  const Layout last = strided({2, 4, 3, 5}, {60, 1, 20, 4});
  const Plan plan = add(dense({2, 4, 3, 5}), last, dense({2, 4, 3, 5}));
  EXPECT_EQ(loops(plan).extents, Dims({2, 4, 15}));
  EXPECT_EQ(loops(plan).strides[kB], Dims({60, 1, 4}));
  EXPECT_EQ(loops(plan).kind, LoopKind::tiled);
  const Layout first = strided({4, 2, 15}, {1, 64, 4});
  const Plan moved = add(dense({4, 2, 15}), first, dense({4, 2, 15}));
  EXPECT_EQ(loops(moved).extents, Dims({2, 4, 15}));
  EXPECT_EQ(loops(moved).strides[kB], Dims({64, 1, 4}));
  EXPECT_EQ(loops(moved).strides[kY], Dims({15, 30, 1}));
  EXPECT_EQ(loops(moved).kind, LoopKind::tiled);
}

TEST(Plan, BytesThatAreMoved) {
  const auto bytes = [](const Layout& a, const Layout& b, const Layout& y) {
    const Plan plan = add(a, b, y);
    return bytes_read(plan.groups[0]) + bytes_written(plan.groups[0]);
  };
  EXPECT_EQ(bytes(dense({2, 3}), dense({2, 3}), dense({2, 3})), 3 * 6 * 4);
  EXPECT_EQ(bytes(dense({2, 3}), dense({3}), dense({2, 3})), (6 + 3 + 6) * 4);
  EXPECT_EQ(bytes(dense({}), dense({2, 3}), dense({2, 3})), (1 + 6 + 6) * 4);
  EXPECT_EQ(bytes(dense({0, 3}), dense({0, 3}), dense({0, 3})), 0);
}

TEST(Plan, MiddleDimensionsCollapse) {
  const Plan plan = add(dense({2, 3, 4, 5}), dense({2, 1, 1, 5}), dense({2, 3, 4, 5}));
  EXPECT_EQ(loops(plan).extents, Dims({2, 12, 5}));
  EXPECT_EQ(loops(plan).strides[kB], Dims({5, 0, 1}));
}

TEST(Plan, AnOutputWithSharedElementsIsRefused) {
  EXPECT_EQ(code_of(dense({3}), dense({3}), strided({3}, {0})), ErrorCode::overlap);
  EXPECT_EQ(code_of(dense({2, 3}), dense({2, 3}), strided({2, 3}, {2, 1})), ErrorCode::overlap);
  EXPECT_EQ(code_of(dense({2, 2}), dense({2, 2}), strided({2, 2}, {1, -1})), ErrorCode::overlap);
  EXPECT_EQ(code_of(dense({1, 3}), dense({1, 3}), strided({1, 3}, {0, 1})), ErrorCode::ok);
}

// Found by the differential tests: an empty output has no elements to share.
TEST(Plan, AnEmptyOutputSharesNothing) {
  EXPECT_EQ(code_of(dense({3, 0}), dense({3, 0}), strided({3, 0}, {0, 1})), ErrorCode::ok);
  EXPECT_EQ(code_of(dense({3, 0}), dense({1}), strided({3, 0}, {0, 0})), ErrorCode::ok);
}

TEST(Plan, ShapesAndTypesOfTheOutput) {
  EXPECT_EQ(code_of(dense({3}), dense({3}), dense({4})), ErrorCode::shape_mismatch);
  EXPECT_EQ(code_of(dense({3}), dense({3}), dense({1, 3})), ErrorCode::shape_mismatch);
  EXPECT_EQ(code_of(dense({3}), dense({3}), {DType::fp64, Dims{3}}), ErrorCode::type_mismatch);
  EXPECT_EQ(code_of(dense({3}), {DType::fp64, Dims{3}}, dense({3})), ErrorCode::type_mismatch);
}

TEST(Plan, HostileStrides) {
  const std::int64_t huge = std::int64_t{1} << 50;
  EXPECT_EQ(code_of(strided({2}, {huge}), dense({2}), dense({2})), ErrorCode::ok);
  EXPECT_EQ(code_of(dense({2}), dense({2}), strided({2}, {-huge})), ErrorCode::ok);
  for (const std::int64_t stride : {INT64_MAX, INT64_MIN, huge << 12}) {
    EXPECT_THROW(strided({2}, {stride}), Error) << stride;
  }
  EXPECT_THROW(dense({huge, huge}), Error);
  EXPECT_THROW(dense({-1}), Error);
  EXPECT_NO_THROW(dense({huge, 0, huge}));
}

TEST(Plan, SaysItself) {
  const Plan plan = plan_of_call(Op::div, {DType::int8, Dims{2, 3}}, {DType::int8, Dims{3}},
                                 {DType::int8, Dims{2, 3}}, IntDivision::floor);
  const std::string text = call_text(plan);
  for (const char* part : {"div  (A ./ B)", "int8", "floor", "A (2,3)  B (3)  ->  Y (2,3)", "numpy",
                           "row (2,3)", "A (3,1)  B (0,1)  Y (3,1)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

}  // namespace
}  // namespace hadamard::plan
