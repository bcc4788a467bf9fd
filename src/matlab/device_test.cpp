#include "matlab/device.hpp"

#include <gtest/gtest.h>

#include "matlab/interpreter.hpp"

namespace hadamard::matlab {
namespace {

// A session on a device of its own.
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override { use_device(here); }
  void TearDown() override { use_device(nullptr); }

  // The value of `name` after the statements ran.
  Value value(const std::string& statements, const std::string& name = "y") {
    EXPECT_TRUE(
        interpreter.run(statements, "test", [](std::string_view text) { ADD_FAILURE() << text; }));
    return interpreter.workspace().variables.at(name);
  }
  int calls(const std::string& hook) const {
    const auto found = here->calls().find(hook);
    return found == here->calls().end() ? 0 : found->second;
  }

  std::shared_ptr<InProcessDevice> here = std::make_shared<InProcessDevice>();
  Interpreter interpreter{[](std::string_view) {}};
};

std::vector<double> numbers(const Value& value) { return value.elements().to_vector<double>(); }

TEST_F(DeviceTest, ArraysOfOneSizeGoToElem) {
  const Value y = value("a = gpuArray([10 20 30]); b = gpuArray([2 5 0]); y = a ./ b;");
  EXPECT_EQ(y.residency(), Residency::device);
  EXPECT_EQ(calls("elem_div"), 1);
  EXPECT_EQ(calls("upload"), 2);
  EXPECT_EQ(calls("download"), 0);  // nobody has looked yet
  EXPECT_EQ(numbers(y), (std::vector<double>{5, 4, INFINITY}));
  EXPECT_EQ(calls("download"), 1);
  value("y = a + b; y = a - b; y = a .* b; y = a .^ b; y = b .\\ a;");
  EXPECT_EQ(calls("elem_add"), 1);
  EXPECT_EQ(calls("elem_sub"), 1);
  EXPECT_EQ(calls("elem_mul"), 1);
  EXPECT_EQ(calls("elem_pow"), 1);
  EXPECT_EQ(calls("elem_div"), 2);
}

TEST_F(DeviceTest, ScalarsGoToScalar) {
  EXPECT_EQ(numbers(value("a = gpuArray([10 20 -30]); y = a ./ 2;")),
            (std::vector<double>{5, 10, -15}));
  EXPECT_EQ(calls("scalar_div"), 1);
  EXPECT_EQ(numbers(value("y = 60 ./ a;")), (std::vector<double>{6, 3, -2}));
  EXPECT_EQ(calls("scalar_rdiv"), 1);
  EXPECT_EQ(numbers(value("y = 1 - a;")), (std::vector<double>{-9, -19, 31}));
  EXPECT_EQ(calls("scalar_rsub"), 1);
  value("y = a - 1; y = 1 + a; y = a + 1; y = 2 .* a; y = a * 2; y = a / 2; y = 2 \\ a;");
  EXPECT_EQ(calls("scalar_sub"), 1);
  EXPECT_EQ(calls("scalar_add"), 2);
  EXPECT_EQ(calls("scalar_mul"), 2);
  EXPECT_EQ(calls("scalar_div"), 3);
  const Value y = value("y = a ./ gpuArray(0);");
  EXPECT_EQ(numbers(y), (std::vector<double>{INFINITY, INFINITY, -INFINITY}));
  EXPECT_EQ(y.residency(), Residency::device);
  EXPECT_EQ(value("y = [1 2] ./ gpuArray(2);").residency(), Residency::device);
  EXPECT_EQ(calls("elem_div"), 0);
}

TEST_F(DeviceTest, ExpansionIsTheHostsUnlessTheProviderCan) {
  const std::string statements = "y = gpuArray([6; 8]) ./ gpuArray([1 2]);";
  Value y = value(statements);
  EXPECT_EQ(y.residency(), Residency::host);
  EXPECT_EQ(numbers(y), (std::vector<double>{6, 3, 8, 4}));
  EXPECT_EQ(calls("elem_div"), 0);
  EXPECT_EQ(calls("download"), 2);
  here->expand(true);
  y = value(statements);
  EXPECT_EQ(y.residency(), Residency::device);
  EXPECT_EQ(numbers(y), (std::vector<double>{6, 3, 8, 4}));
  EXPECT_EQ(calls("elem_div"), 1);
}

TEST_F(DeviceTest, WhatItLacksIsGatheredAndStays) {
  here->lack("elem_div");
  here->lack("scalar_rdiv");
  here->lack("unary_sqrt");
  Value y = value("a = gpuArray([4 9]); y = a ./ a;");
  EXPECT_EQ(y.residency(), Residency::host);
  EXPECT_EQ(numbers(y), (std::vector<double>{1, 1}));
  EXPECT_EQ(value("y = 36 ./ a;").residency(), Residency::host);
  EXPECT_EQ(numbers(value("y = sqrt(a);")), (std::vector<double>{2, 3}));
  EXPECT_EQ(value("y = sqrt(a);").residency(), Residency::host);
  EXPECT_EQ(value("y = a ./ 36;").residency(), Residency::device);
}

TEST_F(DeviceTest, FunctionsOfOneAreHooksToo) {
  const Value y = value("y = sqrt(gpuArray([4 -9]));");
  EXPECT_EQ(y.residency(), Residency::device);
  EXPECT_TRUE(y.is_complex());
  EXPECT_EQ(calls("unary_sqrt"), 1);
  value("y = -y;");
  EXPECT_EQ(calls("unary_neg"), 1);
}

TEST_F(DeviceTest, LikeUploadsAndGathers) {
  EXPECT_EQ(value("y = rdivide([1 2], [2 4], 'like', gpuArray.zeros(1, 1));").residency(),
            Residency::device);
  EXPECT_EQ(calls("elem_div"), 0);  // computed on the host, then uploaded
  EXPECT_EQ(value("y = rdivide(gpuArray([1 2]), 2, 'like', 0);").residency(), Residency::host);
  EXPECT_EQ(calls("scalar_div"), 1);
  const Value y = value("y = rdivide(gpuArray([1 2]), 2, 'like', complex(0, 1));");
  EXPECT_EQ(y.residency(), Residency::host);
  EXPECT_TRUE(y.is_complex());
}

TEST_F(DeviceTest, ChangedElementsGoBack) {
  const Value y = value("a = gpuArray([1 2 3]); b = a; a(2) = 20; y = a .* 2; z = b .* 2;");
  EXPECT_EQ(numbers(y), (std::vector<double>{2, 40, 6}));
  EXPECT_EQ(numbers(interpreter.workspace().variables.at("z")), (std::vector<double>{2, 4, 6}));
}

TEST_F(DeviceTest, ErrorsAreThoseOfTheHost) {
  std::string error;
  EXPECT_FALSE(interpreter.run("integers('matlab'); y = gpuArray(int8(1)) + gpuArray(int16(1));",
                               "test", [&](std::string_view text) { error += text; }));
  EXPECT_NE(error.find("[MATLAB:mixedClasses]"), std::string::npos) << error;
}

}  // namespace
}  // namespace hadamard::matlab
