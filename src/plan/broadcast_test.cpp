#include "plan/broadcast.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hadamard::plan {
namespace {

Layout of(Dims shape) { return {DType::fp32, std::move(shape)}; }

Dims shape_of(Broadcast rule, Dims a, Dims b, int axis = -1) {
  return broadcast(rule, axis, of(std::move(a)), of(std::move(b))).shape;
}

// The code and text of the error, "" where there is none.
struct Refusal {
  ErrorCode code = ErrorCode::ok;
  std::string text;
};
Refusal refusal(Broadcast rule, Dims a, Dims b, int axis = -1) {
  try {
    shape_of(rule, std::move(a), std::move(b), axis);
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}
ErrorCode code_of(Broadcast rule, Dims a, Dims b, int axis = -1) {
  return refusal(rule, std::move(a), std::move(b), axis).code;
}

TEST(Broadcasting, None) {
  EXPECT_EQ(shape_of(Broadcast::none, {2, 3}, {2, 3}), Dims({2, 3}));
  EXPECT_EQ(shape_of(Broadcast::none, {}, {}), Dims());
  EXPECT_EQ(shape_of(Broadcast::none, {0}, {0}), Dims({0}));
  EXPECT_EQ(code_of(Broadcast::none, {1}, {}), ErrorCode::shape_mismatch);
  EXPECT_EQ(code_of(Broadcast::none, {2, 3}, {3}), ErrorCode::shape_mismatch);
  EXPECT_EQ(code_of(Broadcast::none, {2, 3}, {1, 3}), ErrorCode::shape_mismatch);
}

TEST(Broadcasting, NumpyAlignsAtTheLastDimension) {
  EXPECT_EQ(shape_of(Broadcast::numpy, {2, 3}, {3}), Dims({2, 3}));
  EXPECT_EQ(shape_of(Broadcast::numpy, {3, 1}, {1, 4}), Dims({3, 4}));
  EXPECT_EQ(shape_of(Broadcast::numpy, {}, {2, 3}), Dims({2, 3}));
  EXPECT_EQ(shape_of(Broadcast::numpy, {8, 1, 6, 1}, {7, 1, 5}), Dims({8, 7, 6, 5}));
  EXPECT_EQ(code_of(Broadcast::numpy, {2, 3}, {2}), ErrorCode::shape_mismatch);
  const Refusal why = refusal(Broadcast::numpy, {4, 2}, {3, 2});
  EXPECT_NE(why.text.find("4 of A meets 3 of B at dimension 0"), std::string::npos) << why.text;
}

TEST(Broadcasting, MatlabAlignsAtTheFirstDimension) {
  EXPECT_EQ(shape_of(Broadcast::matlab, {2, 3, 4}, {2, 3}), Dims({2, 3, 4}));
  EXPECT_EQ(code_of(Broadcast::matlab, {4, 2, 3}, {2, 3}), ErrorCode::shape_mismatch);
  EXPECT_EQ(shape_of(Broadcast::matlab, {2, 3}, {2}), Dims({2, 3}));
  EXPECT_EQ(shape_of(Broadcast::matlab, {0, 3}, {1, 3}), Dims({0, 3}));
  EXPECT_EQ(code_of(Broadcast::matlab, {0, 3}, {2, 3}), ErrorCode::shape_mismatch);
}

TEST(Broadcasting, ZeroIsAnExtentLikeAnother) {
  for (const Broadcast rule : {Broadcast::numpy, Broadcast::matlab, Broadcast::paddle}) {
    EXPECT_EQ(shape_of(rule, {0}, {1}), Dims({0})) << name(rule);
    EXPECT_EQ(shape_of(rule, {1, 2}, {0, 1}), Dims({0, 2})) << name(rule);
    EXPECT_EQ(code_of(rule, {0}, {2}), ErrorCode::shape_mismatch) << name(rule);
  }
}

// The six pairs of shapes in the document of elementwise_div.
TEST(Broadcasting, PaddlesOwnPairs) {
  const Dims x{2, 3, 4, 5};
  EXPECT_EQ(shape_of(Broadcast::paddle, x, {}), x);
  EXPECT_EQ(shape_of(Broadcast::paddle, x, {5}), x);
  EXPECT_EQ(shape_of(Broadcast::paddle, x, {4, 5}), x);
  EXPECT_EQ(shape_of(Broadcast::paddle, x, {3, 4}, 1), x);
  EXPECT_EQ(shape_of(Broadcast::paddle, x, {2}, 0), x);
  EXPECT_EQ(shape_of(Broadcast::paddle, x, {2, 1}, 0), x);
}

TEST(Broadcasting, PaddleStridesFollowTheAxis) {
  const Aligned aligned = broadcast(Broadcast::paddle, 1, of({2, 3, 4, 5}), of({3, 4}));
  EXPECT_EQ(aligned.b_strides, Dims({0, 4, 1, 0}));
  const Aligned other = broadcast(Broadcast::paddle, 1, of({3, 4}), of({2, 3, 4, 5}));
  EXPECT_EQ(other.a_strides, Dims({0, 4, 1, 0}));
  EXPECT_EQ(other.shape, Dims({2, 3, 4, 5}));
}

TEST(Broadcasting, PaddleStretchesBothWays) {
  EXPECT_EQ(shape_of(Broadcast::paddle, {2, 1, 4}, {3, 1}), Dims({2, 3, 4}));
  EXPECT_EQ(shape_of(Broadcast::paddle, {1, 3}, {2, 3}), Dims({2, 3}));
}

TEST(Broadcasting, PaddleTrimsTrailingOnesThatHangOver) {
  EXPECT_EQ(shape_of(Broadcast::paddle, {2, 3, 4, 5}, {5, 1}, 3), Dims({2, 3, 4, 5}));
  EXPECT_EQ(shape_of(Broadcast::paddle, {2, 3, 4, 5}, {5, 1, 1}, 3), Dims({2, 3, 4, 5}));
  EXPECT_EQ(code_of(Broadcast::paddle, {2, 3, 4, 5}, {4, 5}, 3), ErrorCode::shape_mismatch);
  EXPECT_EQ(code_of(Broadcast::paddle, {2, 3, 4, 5}, {1, 5}, 3), ErrorCode::shape_mismatch);
}

TEST(Broadcasting, PaddleAxisOutsideTheRank) {
  for (const int axis : {-2, -100, 4, 5, 1'000'000'000}) {
    const Refusal why = refusal(Broadcast::paddle, {2, 3, 4, 5}, {5}, axis);
    EXPECT_EQ(why.code, ErrorCode::bad_argument) << axis;
    for (const std::string& part : {std::string("from 0 to 3"), std::to_string(axis)}) {
      EXPECT_NE(why.text.find(part), std::string::npos) << why.text;
    }
  }
  EXPECT_EQ(code_of(Broadcast::paddle, {2, 3}, {}, 2), ErrorCode::bad_argument);
}

TEST(Broadcasting, PaddleIgnoresTheAxisOfEqualShapes) {
  EXPECT_EQ(shape_of(Broadcast::paddle, {2, 3}, {2, 3}, 77), Dims({2, 3}));
  EXPECT_EQ(shape_of(Broadcast::paddle, {}, {}, -9), Dims());
}

TEST(Broadcasting, StretchedDimensionsHaveStrideZero) {
  const Aligned aligned = broadcast(Broadcast::numpy, -1, of({3, 1}), of({4}));
  EXPECT_EQ(aligned.a_strides, Dims({1, 0}));
  EXPECT_EQ(aligned.b_strides, Dims({0, 1}));
}

TEST(Broadcasting, ResultsThatAreTooLarge) {
  const std::int64_t huge = std::int64_t{1} << 32;
  EXPECT_EQ(code_of(Broadcast::numpy, {huge, 1}, {1, huge}), ErrorCode::too_large);
}

}  // namespace
}  // namespace hadamard::plan
