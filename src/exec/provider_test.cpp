#include "exec/provider.hpp"

#include <gtest/gtest.h>

#include "exec/cpu/cpu_provider.hpp"
#include "exec/cpu/kernel.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"

namespace hadamard::exec {
namespace {

plan::Plan plan_of(Op op, DType type, const Dims& a, const Dims& b, const Dims& y) {
  return plan::make_plan({op, IntDivision::trunc, Broadcast::numpy, -1}, {type, a}, {type, b},
                         {type, y});
}

Places dividing_by(const void* b, std::int64_t offset) { return {{b, offset}, {b, offset}, {}}; }

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
      const plan::Plan plan = plan_of(op, type, {3}, {3}, {3});
      for (const Provider* provider : providers()) {
        std::string why;
        EXPECT_NE(provider->bind(plan, {}, why), nullptr) << provider->name() << ": " << why;
      }
      for (const CpuTarget& target : cpu_targets()) {
        if (!target.supported) continue;
        const Bound bound = bind(plan, {"cpu", target.name});
        EXPECT_TRUE(bound.declined.empty());
        EXPECT_NE(bound.program->describe().find(target.name), std::string::npos);
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
            bind(plan_of(op, type, {3}, {3}, {3}), {"cpu", target.name}).program->describe());
      }
      for (std::size_t k = 1; k < described.size(); ++k) EXPECT_NE(described[k - 1], described[k]);
    }
  }
  EXPECT_EQ(targets.back().name, "scalar");
  EXPECT_TRUE(targets.back().supported);
}

TEST(Providers, UnknownNamesAreUnavailable) {
  const plan::Plan plan = plan_of(Op::add, DType::fp32, {3}, {3}, {3});
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
  const Places places{{a, 0}, {b, 0}, {y, 0}};
  const plan::Plan plan = plan_of(Op::mul, DType::fp32, {3}, {3}, {3});
  for (const Provider* provider : providers()) {
    std::string why;
    RunReport report;
    std::atomic<std::int64_t> progress{0};
    report.progress = &progress;
    provider->bind(plan, {}, why)->run(places, report);
    EXPECT_EQ(report.provider, provider->name());
    EXPECT_FALSE(report.target.empty());
    EXPECT_EQ(progress, 3);
    EXPECT_EQ(y[2], 18);
    EXPECT_FALSE(report.zero_divisor);
  }
}

TEST(ZeroDivisors, AreFoundWhereverTheyAre) {
  const std::int32_t b[] = {1, 1, 1, 1, 0, 1};
  const plan::Plan plan = plan_of(Op::div, DType::int32, {2, 3}, {2, 3}, {2, 3});
  EXPECT_TRUE(has_zero_divisor(plan, dividing_by(b, 0)));
  EXPECT_EQ(first_zero_divisor(plan, dividing_by(b, 0)), Dims({1, 1}));
  const plan::Plan stretched = plan_of(Op::div, DType::int32, {2, 3}, {3}, {2, 3});
  EXPECT_FALSE(has_zero_divisor(stretched, dividing_by(b, 0)));
  EXPECT_TRUE(has_zero_divisor(stretched, dividing_by(b + 3, 0)));
  EXPECT_EQ(first_zero_divisor(stretched, dividing_by(b + 3, 0)), Dims({0, 1}));
}

TEST(ZeroDivisors, OnlyWhereThereIsNoAnswer) {
  const std::int64_t zeros[16] = {};
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    const bool answered = kind(type) == Kind::floating || kind(type) == Kind::complex;
    EXPECT_EQ(has_zero_divisor(plan_of(Op::div, type, {3}, {3}, {3}), dividing_by(zeros, 0)),
              !answered)
        << name(type);
    EXPECT_FALSE(has_zero_divisor(plan_of(Op::mul, type, {3}, {3}, {3}), dividing_by(zeros, 0)))
        << name(type);
    EXPECT_FALSE(has_zero_divisor(plan_of(Op::div, type, {0}, {0}, {0}), dividing_by(zeros, 0)))
        << name(type);
  }
}

TEST(ZeroDivisors, InNibblesAtOddOffsets) {
  const std::uint8_t b[] = {0x10, 0x32, 0x04};  // 0 1 2 3 4 0
  const plan::Plan plan = plan_of(Op::div, DType::uint4, {4}, {4}, {4});
  EXPECT_TRUE(has_zero_divisor(plan, dividing_by(b, 0)));
  EXPECT_FALSE(has_zero_divisor(plan, dividing_by(b, 1)));
  EXPECT_TRUE(has_zero_divisor(plan, dividing_by(b, 2)));
  EXPECT_EQ(first_zero_divisor(plan, dividing_by(b, 2)), Dims({3}));
}

}  // namespace
}  // namespace hadamard::exec
