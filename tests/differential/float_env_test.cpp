// The caller's floating-point environment changes no result, and is as it was afterwards.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <span>
#include <thread>

#include "base/test_float_env.hpp"
#include "hadamard/matlab.hpp"
#include "hadamard/paddle.hpp"
#include "num/dtype.hpp"
#include "support.hpp"

namespace hadamard::difftest {
namespace {

using floatenv::Environment;
using floatenv::kDefault;

struct Case {
  Op op;
  Tensor a, b, expected;
  Prepared prepared;
};

// All types and operators, operands that meet every trap: subnormals, zeros, infinities, NaNs. What
// is expected comes from `oracle`, in the default environment.
std::vector<Case> make_cases(std::int64_t bytes, Options options, std::string_view oracle = "ref",
                             std::span<const DType> types = all_types()) {
  std::vector<Case> cases;
  Random random(5);
  for (const DType type : types) {
    const std::int64_t n = type == DType::real ? 40 : bytes * 8 / bits(type) + 3;
    for_operations(type, [&](Op op, IntDivision) {
      const bool without_zeros = refuses_zero(op, type);
      Tensor a = random_line(random, type, n, without_zeros);
      Tensor b = random_line(random, type, n, without_zeros);
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
    floatenv::set(environment.word);
    const floatenv::Word before = floatenv::now();
    run_any(c.op, c.prepared, c.a, c.b, y.view());
    const floatenv::Word after_run = floatenv::now();
    compute_into(c.op, z.view(), c.a, c.b);
    const floatenv::Word after_apply = floatenv::now();
    floatenv::set(kDefault);
    ASSERT_EQ(after_run, before) << environment.name << " " << where << " " << name(c.op) << " "
                                 << name(y.dtype());
    ASSERT_EQ(after_apply, before)
        << environment.name << " " << name(c.op) << " " << name(y.dtype());
    ASSERT_TRUE(same_memory(c.expected, y)) << environment.name << " " << where << " " << name(c.op)
                                            << " " << name(y.dtype()) << differences(c.expected, y);
    ASSERT_TRUE(same_memory(c.expected, z)) << environment.name << " best " << name(c.op) << " "
                                            << name(z.dtype()) << differences(c.expected, z);
  }
}

TEST(FloatEnv, ChangesNoResultAndComesBack) {
  for (const Options& options : everywhere()) {
    // The reference takes long for the functions, and is one loop for all lengths.
    const std::vector<Case> cases = make_cases(options.provider == "ref" ? 100 : 600, options);
    for (const Environment& environment : floatenv::every()) {
      ASSERT_NO_FATAL_FAILURE(run_under(environment, cases, options.cpu_target));
    }
  }
}

// Sizes that oneTBB splits: its workers may have inherited an environment too. So many elements are
// too many for the reference, which the other tests compare the same kernels with.
TEST(FloatEnv, ChangesNoResultInThreads) {
  constexpr DType kTypes[] = {DType::bf16, DType::fp32, DType::fp64, DType::int32,
                              DType::complex64};
  const std::vector<Case> cases = make_cases((1 << 20) / 3 + 100, {}, "cpu", kTypes);
  for (const Environment& environment : floatenv::some()) {
    ASSERT_NO_FATAL_FAILURE(run_under(environment, cases, "threads"));
  }
}

// Sums of so many terms are added up in runs, and these by the calling thread.
TEST(FloatEnv, ChangesNoGradient) {
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
    for (const Environment& environment : floatenv::every()) {
      floatenv::set(environment.word);
      const floatenv::Word before = floatenv::now();
      const std::vector<Tensor> got = compute_all();
      const floatenv::Word after = floatenv::now();
      floatenv::set(kDefault);
      ASSERT_EQ(after, before) << environment.name;
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_TRUE(same_memory(expected[i], got[i])) << environment.name << " " << name(type) << i;
      }
    }
  }
}

// What is computed beside the list of operators: casts, choices, MATLAB's arithmetic with its
// promotions, saturation and complex functions, Paddle's with its activations.
struct Work {
  std::string name;
  std::function<Tensor()> compute;
};

void add_casts(Random& random, std::vector<Work>& all) {
  for (const DType from : all_types()) {
    const auto a = std::make_shared<Tensor>(random_line(random, from, 67, false));
    for (const DType to : all_types()) {
      all.push_back(
          {fmt::format("cast {} {}", name(from), name(to)), [=] { return cast(*a, to); }});
    }
    const auto b = std::make_shared<Tensor>(random_line(random, from, 67, false));
    const auto c = std::make_shared<Tensor>(random_line(random, DType::bool_, 67, false));
    all.push_back({fmt::format("where {}", name(from)), [=] { return where(*c, *a, *b); }});
    all.push_back({fmt::format("clip {}", name(from)), [=] { return clip(*a, *b, *b); }});
  }
}
void add_matlab(Random& random, std::vector<Work>& all) {
  for (const DType type : all_types()) {
    const auto a = std::make_shared<Tensor>(random_line(random, type, 67, false));
    const auto b = std::make_shared<Tensor>(random_line(random, DType::fp64, 67, false));
    const auto c = std::make_shared<Tensor>(random_line(random, type, 67, false));
    for (const Integers integers : {Integers::as_double, Integers::as_matlab}) {
      const matlab::Settings settings{.integers = integers};
      for (const Op op : op::kPlainOps) {
        const std::string what =
            fmt::format("matlab {} {} {}", name(op), name(type), name(integers));
        if (op::arity(op) == 1) {
          all.push_back({what, [=] { return matlab::compute(op, *a, settings); }});
        } else {
          all.push_back({what, [=] { return matlab::compute(op, *a, *b, settings); }});
          all.push_back({what + " alike", [=] { return matlab::compute(op, *a, *c, settings); }});
        }
      }
    }
    all.push_back({fmt::format("matlab angle {}", name(type)), [=] { return matlab::angle(*a); }});
    for (const DType to : all_types()) {
      all.push_back({fmt::format("matlab convert {} {}", name(type), name(to)),
                     [=] { return matlab::convert(*a, to); }});
    }
  }
}
void add_activations(Random& random, std::vector<Work>& all) {
  for (const DType type : {DType::fp16, DType::bf16, DType::fp32, DType::fp64}) {
    const auto a = std::make_shared<Tensor>(random_line(random, type, 67, false));
    const auto b = std::make_shared<Tensor>(random_line(random, type, 67, false));
    for (const Op op : op::kPlainOps) {
      if (op::arity(op) != 1) continue;
      all.push_back({fmt::format("div {}, then {}", name(type), name(op)),
                     [=] { return div(*a, *b, {.then = op}); }});
    }
  }
}

// The result of each, or the message of its error.
std::string outcome(const Work& work) {
  try {
    const Tensor y = work.compute();
    if (y.dtype() == DType::real) {
      std::string numbers;
      for (std::int64_t i = 0; i < y.count(); ++i) numbers += y.at<Real>({i}).to_string() + " ";
      return numbers;
    }
    return {static_cast<const char*>(y.data()), y.size_bytes()};
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(FloatEnv, ChangesNothingBesideTheOperators) {
  Random random(7);
  std::vector<Work> all;
  add_casts(random, all);
  add_matlab(random, all);
  add_activations(random, all);
  std::vector<std::string> expected;
  for (const Work& work : all) expected.push_back(outcome(work));
  for (const Environment& environment : floatenv::every()) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      floatenv::set(environment.word);
      const floatenv::Word before = floatenv::now();
      const std::string got = outcome(all[i]);
      const floatenv::Word after = floatenv::now();
      floatenv::set(kDefault);
      ASSERT_EQ(after, before) << environment.name << ": " << all[i].name;
      ASSERT_EQ(got, expected[i]) << environment.name << ": " << all[i].name;
    }
  }
}

TEST(FloatEnv, IsTheCallingThreadsOwn) {
  const std::vector<Case> cases = make_cases(512, {});
  floatenv::set(kDefault);
  std::vector<std::thread> threads;
  const std::vector<Environment> environments = floatenv::every();
  for (const Environment& environment : environments) {
    threads.emplace_back([&] { run_under(environment, cases, "in a thread of its own"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(floatenv::now(), kDefault);
}

// An error on the way out restores it as well.
TEST(FloatEnv, ComesBackAfterAnError) {
  const Tensor a = Tensor::from<std::int32_t>({1, 2, 3}, {3});
  const Tensor b = Tensor::from<std::int32_t>({1, 0, 3}, {3});
  floatenv::set(kDefault | floatenv::kFlush);
  bool refused = false;
  try {
    div(a, b);
  } catch (const Error&) {
    refused = true;
  }
  const floatenv::Word after = floatenv::now();
  floatenv::set(kDefault);
  EXPECT_TRUE(refused);
  ASSERT_EQ(after, kDefault | floatenv::kFlush);
}

}  // namespace
}  // namespace hadamard::difftest
