#include "exec/provider.hpp"

#include <gtest/gtest.h>

#include "exec/cpu/cpu_provider.hpp"
#include "exec/cpu/kernel.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "plan/test_calls.hpp"

namespace hadamard::exec {
namespace {

using AnyPlan = std::shared_ptr<const plan::Plan>;

AnyPlan plan_of(Op op, DType type, const Dims& a, const Dims& b, const Dims& y) {
  return std::make_shared<const plan::Plan>(
      plan::plan_of_call(op, {type, a}, {type, b}, {type, y}));
}

// Whether some element has no result, with `b` as both operands; by each provider the same.
bool fails(const AnyPlan& plan, const void* b, std::int64_t offset) {
  const Place inputs[] = {{b, offset}, {b, offset}}, output;
  const Bindings bindings{{inputs, plan->inputs.size()}, {&output, 1}};
  const bool by_cpu = bind(plan, {"cpu", ""}).executable->find_failure(bindings) != kNoValue;
  const bool by_ref = bind(plan, {"ref", ""}).executable->find_failure(bindings) != kNoValue;
  EXPECT_EQ(by_cpu, by_ref);
  return by_cpu;
}
Dims first_index(const AnyPlan& plan, const void* b, std::int64_t offset) {
  const Place inputs[] = {{b, offset}, {b, offset}};
  return first_failure(*plan, {inputs, plan->inputs.size()},
                       plan->lowered.program.outputs()[0].value)
      .index;
}

TEST(Providers, TheReferenceIsLast) {
  ASSERT_FALSE(providers().empty());
  EXPECT_EQ(providers().back()->name(), "ref");
  EXPECT_EQ(providers().front()->name(), "cpu");
  EXPECT_TRUE(providers().back()->unavailable().empty());
}

TEST(Providers, NobodyDeclinesAnOperatorOfTheListOnATypeOfTheList) {
  for (const Op op : op::kPlainOps) {
    for (int i = 0; i < kTypeCount; ++i) {
      const auto type = static_cast<DType>(i);
      if (!op::is_defined(op, type)) continue;
      const AnyPlan plan = plan_of(op, type, {3}, {3}, {3});
      for (const Provider* provider : providers()) {
        std::string why;
        EXPECT_NE(provider->bind(plan, {}, why), nullptr) << provider->name() << ": " << why;
      }
      for (const CpuTarget& target : cpu_targets()) {
        if (!target.supported) continue;
        const Bound bound = bind(plan, {"cpu", target.name});
        EXPECT_TRUE(bound.declined.empty());
        EXPECT_NE(bound.executable->describe().find(target.name), std::string::npos);
      }
    }
  }
}

// The entries of the tables of two targets are different code.
TEST(Providers, EveryTargetHasItsOwnKernels) {
  const auto targets = cpu_targets();
  for (const Op op : op::kPlainOps) {
    for (int i = 0; i < kTypeCount; ++i) {
      const auto type = static_cast<DType>(i);
      if (kind(type) != Kind::floating && kind(type) != Kind::integer) continue;
      if (!op::is_defined(op, type)) continue;
      std::vector<std::string> described;
      for (const CpuTarget& target : targets) {
        if (!target.supported) continue;
        described.push_back(
            bind(plan_of(op, type, {3}, {3}, {3}), {"cpu", target.name}).executable->describe());
      }
      for (std::size_t k = 1; k < described.size(); ++k) EXPECT_NE(described[k - 1], described[k]);
    }
  }
  EXPECT_EQ(targets.back().name, "scalar");
  EXPECT_TRUE(targets.back().supported);
}

TEST(Providers, UnknownNamesAreUnavailable) {
  const AnyPlan plan = plan_of(Op::add, DType::fp32, {3}, {3}, {3});
  for (const Selection& selection :
       {Selection{"gpu", ""}, Selection{"cpu", "mmx"}, Selection{"", "AVX2"}}) {
    try {
      bind(plan, selection);
      ADD_FAILURE() << selection.provider << " " << selection.cpu_target;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unavailable);
      EXPECT_NE(std::string(error.what()).find("there are: "), std::string::npos) << error.what();
    }
  }
}

TEST(Providers, RunsReportThemselves) {
  const float a[] = {1, 2, 3}, b[] = {4, 5, 6};
  float y[3] = {};
  const Place inputs[] = {{a, 0}, {b, 0}}, output{y, 0};
  const AnyPlan plan = plan_of(Op::mul, DType::fp32, {3}, {3}, {3});
  for (const Provider* provider : providers()) {
    std::string why;
    RunReport report;
    std::atomic<std::int64_t> progress{0};
    report.progress = &progress;
    provider->bind(plan, {}, why)->run({inputs, {&output, 1}}, report);
    EXPECT_EQ(report.provider, provider->name());
    EXPECT_FALSE(report.target.empty());
    EXPECT_EQ(progress, 3);
    EXPECT_EQ(y[2], 18);
    EXPECT_EQ(report.failed, kNoValue);
  }
}

TEST(ZeroDivisors, AreFoundWhereverTheyAre) {
  const std::int32_t b[] = {1, 1, 1, 1, 0, 1};
  const AnyPlan plan = plan_of(Op::div, DType::int32, {2, 3}, {2, 3}, {2, 3});
  EXPECT_TRUE(fails(plan, b, 0));
  EXPECT_EQ(first_index(plan, b, 0), Dims({1, 1}));
  const AnyPlan stretched = plan_of(Op::div, DType::int32, {2, 3}, {3}, {2, 3});
  EXPECT_FALSE(fails(stretched, b, 0));
  EXPECT_TRUE(fails(stretched, b + 3, 0));
  EXPECT_EQ(first_index(stretched, b + 3, 0), Dims({0, 1}));
}

TEST(ZeroDivisors, OnlyWhereThereIsNoAnswer) {
  const std::int64_t zeros[16] = {};
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    const bool answered = kind(type) == Kind::floating || kind(type) == Kind::complex;
    EXPECT_EQ(fails(plan_of(Op::div, type, {3}, {3}, {3}), zeros, 0), !answered) << name(type);
    EXPECT_FALSE(fails(plan_of(Op::mul, type, {3}, {3}, {3}), zeros, 0)) << name(type);
    EXPECT_FALSE(fails(plan_of(Op::div, type, {0}, {0}, {0}), zeros, 0)) << name(type);
  }
}

TEST(ZeroDivisors, InNibblesAtOddOffsets) {
  const std::uint8_t b[] = {0x10, 0x32, 0x04};  // 0 1 2 3 4 0
  const AnyPlan plan = plan_of(Op::div, DType::uint4, {4}, {4}, {4});
  EXPECT_TRUE(fails(plan, b, 0));
  EXPECT_FALSE(fails(plan, b, 1));
  EXPECT_TRUE(fails(plan, b, 2));
  EXPECT_EQ(first_index(plan, b, 2), Dims({3}));
}

}  // namespace
}  // namespace hadamard::exec
