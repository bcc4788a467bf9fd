// The caller's floating-point environment changes no result, and is as it was afterwards.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "hadamard/paddle.hpp"
#include "num/dtype.hpp"
#include "support.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace hadamard::difftest {
namespace {

// The control register and the sticky flags: MXCSR, or FPCR and above it FPSR.
struct Environment {
  const char* name;
  std::uint64_t word;
  bool in_threads = false;  // also for sizes that oneTBB splits
};
#if defined(__x86_64__)
constexpr std::uint64_t kDefault = 0x1F80;
constexpr std::uint64_t kFtz = 0x8000;
constexpr std::uint64_t kDaz = 0x0040;
constexpr std::uint64_t kFlush = kFtz | kDaz;
constexpr Environment kEnvironments[] = {
    {"default", kDefault},
    {"ftz", kDefault | kFtz},
    {"daz", kDefault | kDaz},
    {"ftz+daz", kDefault | kFlush, true},
    {"down", kDefault | 0x2000, true},
    {"up", kDefault | 0x4000, true},
    {"to zero", kDefault | 0x6000},
    {"invalid unmasked", kDefault & ~0x0080U},
    {"division by zero unmasked", kDefault & ~0x0200U},
    {"everything unmasked", 0, true},
    {"everything at once", kFlush | 0x6000, true},
    {"two flags", kDefault | 0x0006},
    {"all flags", kDefault | 0x003F, true},
};
std::uint64_t environment_now() { return _mm_getcsr(); }
void set_environment(std::uint64_t word) { _mm_setcsr(static_cast<unsigned>(word)); }
#elif defined(__aarch64__)
constexpr std::uint64_t kDefault = 0;
constexpr std::uint64_t kFlush = 0x0100'0000;
// Bits that a CPU does not have (traps, mostly) read as 0.
constexpr Environment kEnvironments[] = {
    {"default", kDefault},
    {"flush", kFlush},
    {"flush fp16", 0x0008'0000},
    {"default NaN", 0x0200'0000},
    {"alternative fp16", 0x0400'0000},
    {"up", 0x0040'0000},
    {"down", 0x0080'0000, true},
    {"to zero", 0x00C0'0000},
    {"everything unmasked", 0x9F00},
    {"everything at once", 0x07C8'0000, true},
    {"two flags", 0x0000'0006'0000'0000},
    {"all flags", 0x0800'009F'0000'0000, true},
};
std::uint64_t environment_now() {
  std::uint64_t control, flags;
  asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(flags) : : "memory");
  return control | (flags << 32);
}
void set_environment(std::uint64_t word) {
  asm volatile("msr fpcr, %0\n\tmsr fpsr, %1"
               :
               : "r"(word & 0xFFFFFFFF), "r"(word >> 32)
               : "memory");
}
#else
#error "teach this test the CPU's control register"
#endif

struct Case {
  Op op;
  Tensor a, b, expected;
  Prepared prepared;
};

// All float types and operators, operands that meet every trap: subnormals, zeros, infinities,
// NaNs. What is expected comes from `oracle`, in the default environment.
std::vector<Case> make_cases(std::int64_t bytes, Options options, std::string_view oracle = "ref") {
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
      reference.provider = oracle;
      Tensor expected = compute(op, a, b, reference);
      Prepared prepared = prepare_any(op, a.layout(), b.layout(), expected.layout(), options);
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
    set_environment(environment.word);
    const std::uint64_t before = environment_now();
    run_any(c.op, c.prepared, c.a, c.b, y.view());
    const std::uint64_t after_run = environment_now();
    compute_into(c.op, z.view(), c.a, c.b);
    const std::uint64_t after_apply = environment_now();
    set_environment(kDefault);
    ASSERT_EQ(after_run, before) << environment.name << " " << where;
    ASSERT_EQ(after_apply, before) << environment.name;
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

// Sizes that oneTBB splits: its workers may have inherited an environment too. So many elements are
// too many for the reference, which the other tests compare the same kernels with.
TEST(Mxcsr, ChangesNoResultInThreads) {
  const std::vector<Case> cases = make_cases((1 << 20) / 3 + 100, {}, "cpu");
  for (const Environment& environment : kEnvironments) {
    if (!environment.in_threads) continue;
    ASSERT_NO_FATAL_FAILURE(run_under(environment, cases, "threads"));
  }
}

// Sums of so many terms are added up in runs, and these by the calling thread.
TEST(Mxcsr, ChangesNoGradient) {
  for (const DType type : {DType::fp16, DType::bf16, DType::fp32, DType::fp64}) {
    constexpr std::int64_t kTerms = 40000;
    std::mt19937 random(6);
    std::vector<double> values(kTerms);
    for (double& value : values) value = static_cast<double>(random()) / 0x1p32 - 0.25;
    const Tensor x = cast(Tensor::from(values, {kTerms}), type);
    Tensor tiny(type, {kTerms});
    auto* const bytes = static_cast<unsigned char*>(tiny.data());
    for (std::int64_t i = 0; i < kTerms; ++i) bytes[i * bits(type) / 8] = 1;  // the least number
    const Tensor y = cast(Tensor::from({3.0}, {1}), type);
    const auto compute_all = [&] {
      return std::vector<Tensor>{paddle::elementwise_div_grad(x, y, x, tiny).dy,
                                 paddle::elementwise_div_grad(x, y, x, x).dy,
                                 paddle::elementwise_add_grad(tiny, y, tiny, tiny).dy,
                                 paddle::elementwise_div_double_grad(y, x, x, x, y).dy};
    };
    const std::vector<Tensor> expected = compute_all();
    for (const Environment& environment : kEnvironments) {
      set_environment(environment.word);
      const std::uint64_t before = environment_now();
      const std::vector<Tensor> got = compute_all();
      const std::uint64_t after = environment_now();
      set_environment(kDefault);
      ASSERT_EQ(after, before) << environment.name;
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_TRUE(same_memory(expected[i], got[i])) << environment.name << " " << name(type) << i;
      }
    }
  }
}

TEST(Mxcsr, IsTheCallingThreadsOwn) {
  const std::vector<Case> cases = make_cases(512, {});
  set_environment(kDefault);
  std::vector<std::thread> threads;
  for (const Environment& environment : kEnvironments) {
    threads.emplace_back([&] { run_under(environment, cases, "in a thread of its own"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(environment_now(), kDefault);
}

// An error on the way out restores it as well.
TEST(Mxcsr, ComesBackAfterAnError) {
  const Tensor a = Tensor::from<std::int32_t>({1, 2, 3}, {3});
  const Tensor b = Tensor::from<std::int32_t>({1, 0, 3}, {3});
  set_environment(kDefault | kFlush);
  bool refused = false;
  try {
    div(a, b);
  } catch (const Error&) {
    refused = true;
  }
  const std::uint64_t after = environment_now();
  set_environment(kDefault);
  EXPECT_TRUE(refused);
  EXPECT_EQ(after, kDefault | kFlush);
}

}  // namespace
}  // namespace hadamard::difftest
