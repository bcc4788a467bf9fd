// The plans that calls remember: whatever came before, a call gets its own.
#include "api/memo.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "api/prepared.hpp"
#include "hadamard/hadamard.hpp"

namespace hadamard {
namespace {

struct Call {
  Op op;
  Tensor a;
  Tensor b;
  Options options;
};

std::vector<Call> calls() {
  const Tensor a = Tensor::from({-7, 7, -8, 9, 10, -11}, {2, 3});
  const Tensor b = Tensor::from({2, -2, 3, 4, -4, 3}, {2, 3});
  const Tensor row = Tensor::from({2, -3, 4}, {3});
  const Tensor wide = Tensor::from({1, 2, 3, 4, 5, 6}, {1, 1, 1, 1, 1, 1, 2, 3});
  const Tensor real = Tensor::from({1.5, -2.5, 0.5, 3.0, 4.0, 5.0}, {2, 3});
  return {
      {Op::div, a, b, {}},
      {Op::div, a, b, {.int_division = IntDivision::floor}},
      {Op::div, a, b, {.dialect = Dialect::sonnx}},
      {Op::mul, a, b, {}},
      {Op::div, a, row, {}},
      {Op::sub, a, row, {.order = Order::column_major}},
      {Op::sub, a, row, {.provider = "ref"}},
      {Op::add, real, real, {.cpu_target = "scalar"}},
      {Op::add, real, real, {}},
      {Op::mul, wide, wide, {}},
  };
}

TEST(Memo, ACallGetsWhatItAsksFor) {
  const std::vector<Call> all = calls();
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const Call& call = all[random() % all.size()];
    const Tensor fresh = apply(call.op, call.a, call.b, call.options);
    Tensor expected(fresh.layout().dtype, fresh.shape(), call.options.order);
    prepare(call.op, call.a.layout(), call.b.layout(), expected.layout(), call.options)
        .run(call.a, call.b, expected.view());
    Tensor given(fresh.dtype(), fresh.shape());
    apply_into(call.op, given.view(), call.a, call.b, call.options);
    EXPECT_EQ(fresh.strides(), expected.strides());
    if (fresh.dtype() == DType::fp64) {
      EXPECT_EQ(fresh.to_vector<double>(), expected.to_vector<double>());
      EXPECT_EQ(given.to_vector<double>(), expected.to_vector<double>());
    } else {
      EXPECT_EQ(fresh.to_vector<int>(), expected.to_vector<int>());
      EXPECT_EQ(given.to_vector<int>(), expected.to_vector<int>());
    }
  }
}

TEST(Memo, AnErrorIsAnErrorAlsoAfterSuccess) {
  const Tensor a = Tensor::from({1, 2, 3, 4}, {2, 2});
  const Tensor row = Tensor::from({1, 2}, {2});
  for (int round = 0; round < 3; ++round) {
    EXPECT_NO_THROW(add(a, row));
    EXPECT_THROW(add(a, row, {.dialect = Dialect::sonnx}), Error);
    EXPECT_THROW(add(a, row, {.provider = "gpu"}), Error);
  }
}

TEST(Memo, NamesOfProvidersNeedNotLive) {
  const Tensor a = Tensor::from({1.0, 2.0}, {2});
  for (const char* name : {"ref", "cpu", "ref", "cpu"}) {
    const std::string passing(name);
    add(a, a, {.provider = passing});
    EXPECT_EQ(last_run.provider, name);
  }
}

// A static object's destructor runs after this thread's own objects are gone, and may call us.
struct CallsAtExit {
  ~CallsAtExit() {
    const Tensor a = Tensor::from({1.0, 2.0}, {2});
    if (add(a, a).to_vector<double>() != std::vector<double>{2, 4}) std::abort();
    if (add(a, a).to_vector<double>() != std::vector<double>{2, 4}) std::abort();
    std::fputs("called at exit\n", stderr);
  }
};
TEST(MemoDeathTest, CallsAfterTheThreadsObjectsAreGone) {
  EXPECT_EXIT(
      {
        static const CallsAtExit last;
        const Tensor a = Tensor::from({1.0, 2.0}, {2});
        add(a, a);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "called at exit");
}

// What a call up the stack is using is not replaced, however many others come.
TEST(Memo, WhatIsInUseStays) {
  const std::vector<Call> all = calls();
  const ConstView a = all[0].a, b = all[0].b;
  const Planned kept(all[0].op, CallOperands(a, b), nullptr, all[0].options);
  const Prepared::Impl* const before = &*kept;
  for (int round = 0; round < 3; ++round) {
    for (const Call& call : all) apply(call.op, call.a, call.b, call.options);
  }
  EXPECT_EQ(&*kept, before);
  EXPECT_EQ(kept->inputs[0], all[0].a.layout());
  EXPECT_EQ(kept->op, Op::div);
}

}  // namespace
}  // namespace hadamard
