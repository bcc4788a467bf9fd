// What the table of tests/matlab/display.cases cannot have: devices, widths, text beyond ASCII.
#include "matlab/display.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace hadamard::matlab {
namespace {

Value row(std::vector<double> numbers, Residency residency = Residency::host) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  return Value(Class::double_, Tensor::from(numbers, Dims{1, count}), residency);
}

TEST(Display, NamesSizeAndDeviceOfAGpuArray) {
  EXPECT_EQ(display("deviceQuot", row({5, 4, 3}, Residency::device), {}),
            "deviceQuot =\n  1x3 gpuArray\n     5     4     3\n");
  EXPECT_EQ(display("C", row({.5, .5, .5}, Residency::device), {}),
            "C =\n  1x3 gpuArray\n   0.5000   0.5000   0.5000\n");
  EXPECT_EQ(display("s", row({5}, Residency::device), {}), "s =\n  1x1 gpuArray\n     5\n");
  EXPECT_EQ(display("e", row({}, Residency::device), {}), "e =\n  1x0 gpuArray\n");
}

TEST(Display, WrapsAtTheWidthOfTheTerminal) {
  std::vector<double> numbers(5);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  DisplayOptions options;
  options.width = 8;
  EXPECT_EQ(display("x", row(numbers), options),
            "x =\n\n Columns 1 and 2:\n\n   1   2\n\n Columns 3 and 4:\n\n   3   4\n\n"
            " Column 5:\n\n   5\n\n");
  options.width = 20;
  EXPECT_EQ(display("x", row(numbers), options), "x =\n\n   1   2   3   4   5\n\n");
  options.width = 0;
  EXPECT_EQ(display("x", row({1, 2}), options),
            "x =\n\n Column 1:\n\n   1\n\n Column 2:\n\n   2\n\n")
      << "one column at least";
}

TEST(Display, WritesTextInUtf8) {
  EXPECT_EQ(display("x", Value::text("aé€😀"), {}), "x = aé€😀\n");
  EXPECT_EQ(display("x", Value::text("abc", Class::string), {}), "x = abc\n");
  const Value half(Class::char_, Tensor::from<std::uint16_t>({0xD83D, 'a', 0xDE00}, Dims{1, 3}));
  EXPECT_EQ(disp(half, {}),
            "\xEF\xBF\xBD"
            "a"
            "\xEF\xBF\xBD\n");
}

TEST(Display, ScalesByPowersThatNoDoubleHolds) {
  EXPECT_EQ(disp(row({4e-324, 1.5e-320}), {}), "  1.0e-320 *\n\n   0.0005   1.5000\n");
  EXPECT_EQ(disp(row({1.5e308, .5}), {}), "  1.0e+308 *\n\n   1.5000   0.0000\n");
}

}  // namespace
}  // namespace hadamard::matlab
