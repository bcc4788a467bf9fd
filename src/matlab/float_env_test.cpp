// The caller's floating-point environment changes no result of a text, and comes back.
#include <gtest/gtest.h>

#include <cstring>

#include "matlab/elements.hpp"
#include "matlab/interpreter.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace hadamard::matlab {
namespace {

#if defined(__x86_64__)
constexpr std::uint64_t kDefault = 0x1F80, kUp = kDefault | 0x4000, kFlush = kDefault | 0x8040;
std::uint64_t environment_now() { return _mm_getcsr(); }
void set_environment(std::uint64_t word) { _mm_setcsr(static_cast<unsigned>(word)); }
#elif defined(__aarch64__)
constexpr std::uint64_t kDefault = 0, kUp = 0x0040'0000, kFlush = 0x0100'0000;
std::uint64_t environment_now() {
  std::uint64_t control;
  asm volatile("mrs %0, fpcr" : "=r"(control) : : "memory");
  return control;
}
void set_environment(std::uint64_t word) { asm volatile("msr fpcr, %0" : : "r"(word) : "memory"); }
#endif

struct Outcome {
  std::string bytes;    // of y
  std::string printed;  // by the text, and its errors
  std::uint64_t environment;
};
// Checks are made after the environment is the usual one again: they may compute, too.
Outcome outcome(std::string_view text, std::uint64_t environment) {
  Outcome result;
  const auto print = [&](std::string_view shown) { result.printed += shown; };
  Interpreter interpreter(print);
  set_environment(environment);
  interpreter.run(text, "test", print);
  result.environment = environment_now();
  set_environment(kDefault);
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
                                      "format long, y = 2/3",
                                      "y = 4.9e-324; x = disp(y)",
                                      "y = 1; y(5e-324)"}) {
    const Outcome expected = outcome(text, kDefault);
    EXPECT_FALSE(expected.printed.empty());
    for (const std::uint64_t environment : {kUp, kFlush}) {
      const Outcome found = outcome(text, environment);
      EXPECT_EQ(found.bytes, expected.bytes) << text;
      EXPECT_EQ(found.printed, expected.printed) << text;
      EXPECT_EQ(found.environment, environment) << text;
    }
  }
}

}  // namespace
}  // namespace hadamard::matlab
