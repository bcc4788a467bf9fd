#include "hadamard/error.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/fail.hpp"

namespace hadamard {
namespace {

TEST(Errors, CodesHaveNamesAndMeanings) {
  std::set<std::string_view> names;
  int count = 0;
#define HADAMARD_TEST_CODE(id, text)                         \
  EXPECT_EQ(name(ErrorCode::id), #id);                       \
  EXPECT_EQ(meaning(ErrorCode::id), std::string_view(text)); \
  names.insert(name(ErrorCode::id));                         \
  ++count;
  HADAMARD_ERROR_CODES(HADAMARD_TEST_CODE)
#undef HADAMARD_TEST_CODE
  EXPECT_EQ(names.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(name(ErrorCode::ok), "ok");
}

// Part of the C ABI: appended to, never reordered.
TEST(Errors, NumbersAreFixed) {
  EXPECT_EQ(static_cast<int>(ErrorCode::ok), 0);
  EXPECT_EQ(static_cast<int>(ErrorCode::shape_mismatch), 1);
  EXPECT_EQ(static_cast<int>(ErrorCode::type_mismatch), 2);
  EXPECT_EQ(static_cast<int>(ErrorCode::unsupported_type), 3);
  EXPECT_EQ(static_cast<int>(ErrorCode::zero_divisor), 4);
  EXPECT_EQ(static_cast<int>(ErrorCode::bad_argument), 5);
  EXPECT_EQ(static_cast<int>(ErrorCode::internal), 12);
}

TEST(Errors, AreExceptionsThatSayWhatAndWhich) {
  try {
    fail(ErrorCode::zero_divisor, "the {} at {}", "divisor", 3);
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "the divisor at 3");
    const auto* ours = dynamic_cast<const Error*>(&error);
    ASSERT_NE(ours, nullptr);
    EXPECT_EQ(ours->code(), ErrorCode::zero_divisor);
    EXPECT_TRUE(ours->requirement().empty());
  }
  const Error error(ErrorCode::io, "text", "SONNX-DIV-INT-C3");
  EXPECT_EQ(error.requirement(), "SONNX-DIV-INT-C3");
}

TEST(Errors, ACodeThatDoesNotExistHasANameToo) {
  EXPECT_FALSE(name(static_cast<ErrorCode>(200)).empty());
}

}  // namespace
}  // namespace hadamard
