// The caller's floating-point environment changes no result of a text, and comes back.
#include <gtest/gtest.h>

#include <cstring>

#include "base/test_float_env.hpp"
#include "matlab/elements.hpp"
#include "matlab/interpreter.hpp"

namespace hadamard::matlab {
namespace {

struct Outcome {
  std::string bytes;    // of y
  std::string printed;  // by the text, and its errors
  bool is_environment_kept;
};
// Checks are made after the environment is the usual one again: they may compute, too.
Outcome outcome(std::string_view text, floatenv::Word environment) {
  Outcome result;
  const auto print = [&](std::string_view shown) { result.printed += shown; };
  Interpreter interpreter(print);
  floatenv::set(environment);
  const floatenv::Word before = floatenv::now();
  interpreter.run(text, "test", print);
  result.is_environment_kept = floatenv::now() == before;
  floatenv::set(floatenv::kDefault);
  const auto found = interpreter.workspace().variables.find("y");
  if (found != interpreter.workspace().variables.end()) {
    const Tensor& elements = found->second.elements();
    result.bytes.assign(static_cast<const char*>(elements.data()), elements.size_bytes());
  }
  return result;
}

TEST(FloatEnvironment, OfTheCallerChangesNothing) {
  for (const std::string_view text : {"y = 5e-324*1",
                                      "y = 1/3",
                                      "y = -1/3",
                                      "y = 0.1 + 0.2",
                                      "y = 5e-324 > 0",
                                      "y = [5e-324 0] == [0 5e-324]",
                                      "y = max([5e-324 0])",
                                      "y = linspace(0, 1, 7)",
                                      "y = 0:0.1:1",
                                      "y = (1+2i)/(3-4i)",
                                      "y = [1+2i 3]./(3-4i)",
                                      "y = gamma(4.3)",
                                      "y = single(1)/3",
                                      "y = int32(7)/int32(2)",
                                      "y = sum([0.1 0.2 0.3])",
                                      "y = mean([1 2 4])",
                                      "y = 2.5e-310",
                                      "y = 1.7976931348623157e308",
                                      "y = int8(2.5)",
                                      "y = round(2.675, 2)",
                                      "y = mod(5.3, 0.7)",
                                      "y = 0.1^3",
                                      "y = (-2)^0.5",
                                      "y = any(5e-324)",
                                      "y = exp([20000 1])",
                                      "y = exp([20000 1]); y = exp([20000 1])",
                                      "y = gamma([171 172 0.5])",
                                      "y = (1+2i).^[0.3 -700i]",
                                      "y = log([-1 0 2+i])",
                                      "y = atan2(1e-310, 2)",
                                      "format long, y = 2/3",
                                      "y = 4.9e-324; x = disp(y)",
                                      "y = 1; y(5e-324)"}) {
    const Outcome expected = outcome(text, floatenv::kDefault);
    EXPECT_FALSE(expected.printed.empty());
    for (const auto& [name, environment] : floatenv::every()) {
      const Outcome found = outcome(text, environment);
      EXPECT_EQ(found.bytes, expected.bytes) << text << ": " << name;
      EXPECT_EQ(found.printed, expected.printed) << text << ": " << name;
      EXPECT_TRUE(found.is_environment_kept) << text << ": " << name;
    }
  }
}

}  // namespace
}  // namespace hadamard::matlab
