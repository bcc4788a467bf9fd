// The caller's floating-point environment changes no result, and is as it was afterwards.
#include <gtest/gtest.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

#include <thread>

#include "num/dtype.hpp"
#include "support.hpp"

namespace hadamard::difftest {
namespace {

constexpr unsigned kDefault = 0x1F80;
constexpr unsigned kControl = 0xFFC0;  // all but the sticky flags
constexpr unsigned kFtz = 0x8000;
constexpr unsigned kDaz = 0x0040;

struct Environment {
  const char* name;
  unsigned word;
};
constexpr Environment kEnvironments[] = {
    {"default", kDefault},
    {"ftz", kDefault | kFtz},
    {"daz", kDefault | kDaz},
    {"ftz+daz", kDefault | kFtz | kDaz},
    {"down", kDefault | 0x2000},
    {"up", kDefault | 0x4000},
    {"to zero", kDefault | 0x6000},
    {"invalid unmasked", kDefault & ~0x0080U},
    {"division by zero unmasked", kDefault & ~0x0200U},
    {"everything unmasked", 0},
    {"everything at once", kFtz | kDaz | 0x6000},
};

struct Case {
  Op op;
  Tensor a, b, expected;
  Prepared prepared;
};

// All float types and operators, operands that meet every trap: subnormals, zeros, infinities,
// NaNs.
std::vector<Case> make_cases(std::int64_t bytes, Options options) {
  std::vector<Case> cases;
  Random random(5);
  for (const DType type : all_types()) {
    const Kind k = kind(type);
    if (k != Kind::floating && k != Kind::complex) continue;
    const std::int64_t n = bytes * 8 / bits(type) + 3;
    for_operations(type, [&](Op op, IntDivision) {
      Tensor a = random_line(random, type, n, false);
      Tensor b = random_line(random, type, n, false);
      Options reference;
      reference.provider = "ref";
      Tensor expected = apply(op, a, b, reference);
      Prepared prepared = prepare(op, a.layout(), b.layout(), expected.layout(), options);
      cases.push_back({op, std::move(a), std::move(b), std::move(expected), std::move(prepared)});
    });
  }
  return cases;
}

// Runs everything under the environment; no floating-point operation of our own happens there.
void run_under(const Environment& environment, const std::vector<Case>& cases,
               std::string_view where) {
  for (const Case& c : cases) {
    Tensor y(c.expected.dtype(), c.expected.shape());
    Tensor z(c.expected.dtype(), c.expected.shape());
    _mm_setcsr(environment.word);
    c.prepared.run(c.a.data(), c.b.data(), y.data());
    const unsigned after_run = _mm_getcsr();
    apply_into(c.op, z.view(), c.a, c.b);
    const unsigned after_apply = _mm_getcsr();
    _mm_setcsr(kDefault);
    ASSERT_EQ(after_run & kControl, environment.word & kControl)
        << environment.name << " " << where;
    ASSERT_EQ(after_apply & kControl, environment.word & kControl) << environment.name;
    ASSERT_TRUE(same_memory(c.expected, y)) << environment.name << " " << where << " " << name(c.op)
                                            << " " << name(y.dtype()) << differences(c.expected, y);
    ASSERT_TRUE(same_memory(c.expected, z)) << environment.name << " best " << name(c.op) << " "
                                            << name(z.dtype()) << differences(c.expected, z);
  }
}

std::vector<Options> everywhere() {
  std::vector<Options> all;
  for (const std::string_view target : cpu_targets()) {
    all.push_back({.provider = "cpu", .cpu_target = target});
  }
  all.push_back({.provider = "ref"});
  return all;
}

TEST(Mxcsr, ChangesNoResultAndComesBack) {
  for (const Options& options : everywhere()) {
    const std::vector<Case> cases = make_cases(2000, options);
    for (const Environment& environment : kEnvironments) {
      ASSERT_NO_FATAL_FAILURE(run_under(environment, cases, options.cpu_target));
    }
  }
}

// Sizes that oneTBB splits: its workers may have inherited an environment too.
TEST(Mxcsr, ChangesNoResultInThreads) {
  const std::vector<Case> cases = make_cases((1 << 20) / 3 + 100, {});
  for (const std::size_t i : {3U, 4U, 5U, 9U, 10U}) {
    ASSERT_NO_FATAL_FAILURE(run_under(kEnvironments[i], cases, "threads"));
  }
}

TEST(Mxcsr, IsTheCallingThreadsOwn) {
  const std::vector<Case> cases = make_cases(512, {});
  std::vector<std::thread> threads;
  for (const Environment& environment : kEnvironments) {
    threads.emplace_back([&] { run_under(environment, cases, "in a thread of its own"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(_mm_getcsr() & kControl, kDefault);
}

// An error on the way out restores it as well.
TEST(Mxcsr, ComesBackAfterAnError) {
  const Tensor a = Tensor::from<std::int32_t>({1, 2, 3}, {3});
  const Tensor b = Tensor::from<std::int32_t>({1, 0, 3}, {3});
  _mm_setcsr(kDefault | kFtz | kDaz);
  bool refused = false;
  try {
    div(a, b);
  } catch (const Error&) {
    refused = true;
  }
  const unsigned after = _mm_getcsr();
  _mm_setcsr(kDefault);
  EXPECT_TRUE(refused);
  EXPECT_EQ(after & kControl, kDefault | kFtz | kDaz);
}

}  // namespace
}  // namespace hadamard::difftest
#endif
