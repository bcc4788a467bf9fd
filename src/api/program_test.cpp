#include "hadamard/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace hadamard {
namespace {

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const Tensor kA = Tensor::from({4.0, 9.0, 16.0}, {3});
const Tensor kB = Tensor::from({1.0, 2.0, 3.0}, {3});
const Tensor kC = Tensor::from({2.0, 7.0, -1.0}, {3});

TEST(Lazy, IsOneProgram) {
  const Tensor y = eval((lazy(kA) - kB) / (lazy(kC) + 1e-6));
  for (std::int64_t i = 0; i < 3; ++i) {
    const double expected = (kA.at<double>({i}) - kB.at<double>({i})) / (kC.at<double>({i}) + 1e-6);
    EXPECT_EQ(y.at<double>({i}), expected);
  }
}

TEST(Lazy, TakesNumbersOnEitherSide) {
  EXPECT_EQ(eval(1 - lazy(kA)).to_vector<double>(), (std::vector<double>{-3, -8, -15}));
  EXPECT_EQ(eval(max(lazy(kC), 0)).to_vector<double>(), (std::vector<double>{2, 7, 0}));
  EXPECT_EQ(eval(max(0, lazy(kC))).to_vector<double>(), (std::vector<double>{2, 7, 0}));
  EXPECT_EQ(eval(where(lazy(kC) < 0, kA, kB)).to_vector<double>(), (std::vector<double>{1, 2, 16}));
  EXPECT_EQ(eval(-lazy(kB)).to_vector<double>(), (std::vector<double>{-1, -2, -3}));
  EXPECT_EQ(eval(fma(lazy(kA), kB, 1)).to_vector<double>(), (std::vector<double>{5, 19, 49}));
  EXPECT_EQ(eval(cast(lazy(kC), DType::int8)).to_vector<std::int8_t>(),
            (std::vector<std::int8_t>{2, 7, -1}));
  EXPECT_EQ(eval(clip(lazy(kC), 0, 5.0F)).to_vector<double>(), (std::vector<double>{2, 5, 0}));
  EXPECT_TRUE(std::signbit(eval(lazy(kA) * 0.0 * -0.0 + -0.0).at<double>({0})));
  EXPECT_EQ(eval(min(lazy(kC), HUGE_VAL)).to_vector<double>(), kC.to_vector<double>());
  EXPECT_TRUE(std::isnan(eval(lazy(kC) + NAN).at<double>({1})));
  const Tensor i = Tensor::from({std::int8_t{7}}, {1});
  EXPECT_EQ(
      error_of([&] { eval(lazy(i) + HUGE_VAL); }),
      "the number inf cannot be held exactly by int8, the type that it meets; cast the operand");
  EXPECT_EQ(
      error_of([&] { eval(lazy(i) + 0.5); }),
      "the number 1/2 cannot be held exactly by int8, the type that it meets; cast the operand");
}

TEST(Lazy, TakesVectorsSpansAndTemporaries) {
  std::vector<float> v{1, 2, 3};
  const std::vector<float> w{4, 5, 6};
  EXPECT_EQ(eval(lazy(v) * w).to_vector<float>(), (std::vector<float>{4, 10, 18}));
  EXPECT_EQ(eval(max(lazy(w), std::span(v))).to_vector<float>(), w);
  EXPECT_EQ(eval(lazy(std::span<const float>(w)) - v).to_vector<float>(),
            (std::vector<float>{3, 3, 3}));
  const Lazy kept = lazy(Tensor::from({1.0, 2.0}, {2})) + Tensor::from({10.0, 20.0}, {2});
  EXPECT_EQ(eval(kept * 2).to_vector<double>(), (std::vector<double>{22, 44}));
  static_assert(!std::is_constructible_v<Lazy, std::vector<float>>);  // it would dangle
}

TEST(Lazy, AScalarIsAResult) { EXPECT_EQ(eval(Lazy(2.5)).at<double>({}), 2.5); }

TEST(Lazy, IntoGivenMemoryWhateverItOverlaps) {
  Tensor y = kA;
  eval_into(y.view(), (lazy(y) - kB) * y);  // in place
  EXPECT_EQ(y.to_vector<double>(), (std::vector<double>{12, 63, 208}));
  Tensor line = Tensor::from({1.0, 2.0, 3.0, 4.0}, {4});
  const ConstView first = line.view().sliced(0, 0, 3);
  eval_into(line.view().sliced(0, 1, 3), lazy(first) * 10 + first);
  EXPECT_EQ(line.to_vector<double>(), (std::vector<double>{1, 11, 22, 33}));
}

// Two groups: the output must not be written while a later group reads the input that it is.
TEST(Lazy, InPlaceWithSeveralGroups) {
  Tensor x = Tensor::from({1.0, 2.0}, {2});
  const Tensor column = Tensor::from({10.0, 20.0, 30.0}, {3, 1});
  Tensor y = Tensor::from({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {3, 2});
  const Lazy small = lazy(x) + 1;
  eval_into(y.view(), (small * column + y) * y);
  EXPECT_EQ(y.to_vector<double>(), (std::vector<double>{21, 64, 129, 256, 325, 576}));
}

TEST(Lazy, NothingIsWrittenOnAnError) {
  const Tensor a = Tensor::from({6, 7, 8}, {3}), b = Tensor::from({3, 0, 2}, {3});
  Tensor y = Tensor::from({1, 2, 3}, {3});
  const std::string message =
      "a divisor of div is 0 at index (1): integer division by zero has no result; nothing was "
      "written";
  EXPECT_EQ(error_of([&] { eval_into(y.view(), (lazy(a) + 1) / (lazy(b) * 2)); }), message);
  EXPECT_EQ(y.to_vector<int>(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(error_of([&] { eval((lazy(a) + 1) / (lazy(b) * 2)); }), message);
  EXPECT_EQ(error_of([&] { eval(lazy(a) - b, {.then = Op::relu}); }),
            "a program has no operator behind its results: write relu(…) in it");
  EXPECT_EQ(
      error_of([&] {
        Program::parse("C = A - 1; C + A ./ B").run({a, b});
      }),
      "the divisor B of div is 0 at index (1) (line 1, column 18: './'): integer division by zero "
      "has no result; nothing was written");
  // A value that nothing reads cannot fail.
  EXPECT_EQ(Program::parse("Z = A ./ B; Y = A + 1; Y = Y .* 2").outputs(),
            (std::vector<std::string>{"Z", "Y"}));
}

TEST(Lazy, DeepExpressions) {
  Lazy deep = lazy(kA);
  for (int i = 0; i < 20'000; ++i) deep = deep + 1;
  EXPECT_EQ(eval(deep).to_vector<double>(), (std::vector<double>{20004, 20009, 20016}));
  for (int i = 0; i < 100'000; ++i) deep = deep + kB;
  EXPECT_EQ(error_of([&] { eval(deep); }), "a program has at most 65536 nodes; split it");
}

TEST(Lazy, MisuseIsAnError) {
  EXPECT_EQ(error_of([&] {
              Lazy(static_cast<Op>(200), {lazy(kA), lazy(kB)});
            }),
            "no operator has the number 200");
  Lazy gone = lazy(kA);
  const Lazy here = std::move(gone);
  EXPECT_EQ(error_of([&] { eval(gone); }), "this Lazy was moved from");  // NOLINT
  EXPECT_EQ(error_of([&] { gone + here; }), "this Lazy was moved from");
  const std::string unknown = "an option has a value that its type does not list";
  EXPECT_EQ(error_of([&] { eval(1 / here, {.int_division = static_cast<IntDivision>(2)}); }),
            unknown);
  EXPECT_EQ(error_of([&] { eval(here, {.broadcast = static_cast<Broadcast>(77)}); }), unknown);
}

TEST(Program, MisuseIsAnError) {
  Program p = Program::parse("A + B");
  PreparedProgram plan = p.prepare({kA.layout(), kB.layout()});
  const Program other = std::move(p);
  const PreparedProgram kept = std::move(plan);
  EXPECT_EQ(error_of([&] { p.run({kA, kB}); }), "this Program was moved from");  // NOLINT
  EXPECT_EQ(error_of([&] { plan.explain(); }), "this PreparedProgram was moved from");
  EXPECT_TRUE(p.inputs().empty());
  EXPECT_TRUE(plan.outputs().empty());
  EXPECT_EQ(plan.workspace_bytes(), 0U);
}

TEST(Program, ErrorsHaveTheRankOfTheirNode) {
  const Tensor a = Tensor::from({1, 2}, {2}), b = Tensor::from({1, 0}, {2});
  const Tensor c = Tensor::from({1, 2, 3, 4}, {2, 2});
  EXPECT_NE(error_of([&] {
              Program::parse("T = A ./ B; Z = T + C").run({a, b, c});
            }).find("is 0 at index (1) (line 1, column 7: './')"),
            std::string::npos);
}

// Several groups, each once, whatever the order of the text.
TEST(Program, GroupsDoNotDependOnTheOrderOfTheText) {
  const Tensor a = Tensor::from({1.0, 2.0, 3.0, 4.0}, {2, 2}), r = Tensor::from({1.0, 2.0}, {2});
  for (const char* text : {"(A - B) .* exp(R)", "exp(R) .* (A - B)"}) {
    const Program p = Program::parse(text);
    std::vector<Layout> layouts;
    for (const std::string& input : p.inputs()) {
      layouts.push_back(input == "R" ? r.layout() : a.layout());
    }
    const std::string plan = p.prepare(layouts).explain();
    EXPECT_NE(plan.find("group 2  2 nodes"), std::string::npos) << plan;
    EXPECT_EQ(plan.find("group 3"), std::string::npos) << plan;
  }
}

TEST(Program, FromText) {
  const Program p = Program::parse("D = A - B; E = D .* D; Y = E ./ (C + 1e-6)");
  EXPECT_EQ(p.inputs(), (std::vector<std::string>{"A", "B", "C"}));
  EXPECT_EQ(p.outputs(), (std::vector<std::string>{"Y"}));
  const std::vector<Tensor> results = p.run({kA, kB, kC});
  EXPECT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].at<double>({0}), 9.0 / (2.0 + 1e-6));
}

TEST(Program, SeveralOutputsAndShapes) {
  const Program p = Program::parse("S = A + 1; T = S .* B; U = S < T");
  const Tensor b = Tensor::from({1.0, -2.0}, {2, 1});
  const std::vector<Tensor> results = p.run({kA, b});
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].shape(), (Dims{2, 3}));
  EXPECT_EQ(results[0].dtype(), DType::bool_);
}

TEST(PreparedProgram, RunsManyTimes) {
  const PreparedProgram p = prepare((lazy(kA) - kB) / (lazy(kC) + 1e-6));
  EXPECT_EQ(p.workspace_bytes(), 0U);
  ASSERT_EQ(p.inputs().size(), 3U);
  std::vector<double> y(3);
  p.run({kA.data(), kB.data(), kC.data()}, {y.data()});
  EXPECT_EQ(y[0], 3.0 / (2.0 + 1e-6));
  EXPECT_EQ(error_of([&] {
              p.run({kA.data(), kB.data()}, {y.data()});
            }),
            "the program has 3 inputs and 1 outputs, got 2 and 1");
  EXPECT_EQ(error_of([&] {
              p.run({kA.data(), nullptr, kC.data()}, {y.data()});
            }),
            "run() got a null pointer for a tensor that has elements");
  std::vector<double> four{1, 2, 3, 4};
  EXPECT_EQ(error_of([&] {
              p.run({four.data(), kB.data(), kC.data()}, {four.data() + 1});
            }),
            "an output overlaps an input in another way than in place; copy one");
  EXPECT_NE(p.explain().find("group 1  3 nodes"), std::string::npos) << p.explain();
}

// In place is harmless within one group only: another one reads the input, before or after.
TEST(PreparedProgram, InPlaceAcrossGroupsIsAnError) {
  const Tensor a = Tensor::from({1.0, 2.0}, {2}), c = Tensor::from({1.0, 2.0, 3.0, 4.0}, {2, 2});
  for (const char* text : {"P = A + 1; Q = A .* C", "Q = A .* C; P = A + 1"}) {
    const Program program = Program::parse(text);
    const PreparedProgram p = program.prepare({a.layout(), c.layout()});
    alignas(64) std::byte workspace[256];
    ASSERT_LE(p.workspace_bytes(), sizeof workspace);
    std::vector<double> in = a.to_vector<double>(), q(4);
    std::vector<void*> outputs{in.data(), q.data()};
    if (program.outputs()[0] == "Q") std::swap(outputs[0], outputs[1]);
    const std::vector<const void*> inputs{in.data(), c.data()};
    EXPECT_EQ(error_of([&] { p.run(inputs, outputs, workspace); }),
              "an output overlaps an input in another way than in place; copy one")
        << text;
    EXPECT_EQ(in, a.to_vector<double>()) << text;
  }
}

TEST(PreparedProgram, SeveralGroupsTakeAWorkspace) {
  const Tensor row = Tensor::from({1.0, 2.0, 3.0}, {3}), column = Tensor::from({1.0, 2.0}, {2, 1});
  const PreparedProgram p = prepare((lazy(row) + 1) * column);
  EXPECT_GT(p.workspace_bytes(), 0U);
  std::vector<double> y(6);
  EXPECT_NE(error_of([&] {
              p.run({row.data(), column.data()}, {y.data()});
            }).find("workspace"),
            std::string::npos);
  alignas(64) std::byte workspace[256];
  ASSERT_LE(p.workspace_bytes(), sizeof workspace);
  p.run({row.data(), column.data()}, {y.data()}, workspace);
  EXPECT_EQ(y, (std::vector<double>{2, 3, 4, 4, 6, 8}));
}

// fma(1.5, 683/1024, 2^-24) lies just above the middle of two halves: by way of double it would
// round to the wrong one. So do its like.
template <class H>
void check_fma_near_middles() {
  std::vector<H> a, b, c;
  for (int i = 0; i < 512; ++i) {
    for (const int k : {4, 8, 11, 15, 20, 24, 60, 100, 126}) {  // far below: in bf16, beyond double
      for (const double sign : {1.0, -1.0}) {
        a.push_back(H(1.0 + (i % 32) / 64.0));
        b.push_back(H(0.5 + i / 1024.0));
        c.push_back(H(sign * std::ldexp(1.0, -k)));
      }
    }
  }
  a.push_back(H(1.5)), b.push_back(H(683.0 / 1024)), c.push_back(H(0x1p-24));
  const ConstView va(a.data(), {a.size()}), vb(b.data(), {b.size()}), vc(c.data(), {c.size()});
  const Tensor expected = eval(fma(lazy(va), vb, vc), {.provider = "ref"});
  const Tensor actual = eval(fma(lazy(va), vb, vc), {.provider = "cpu"});
  for (std::int64_t i = 0; i < expected.count(); ++i) {
    ASSERT_EQ(expected.at<H>({i}).bits, actual.at<H>({i}).bits) << i;
  }
}
TEST(Fma, RoundsOnce) {
  check_fma_near_middles<float16>();
  check_fma_near_middles<bfloat16>();
}

// Bugs that users of other libraries reported about fusion.
TEST(Fusion, KeepsTheRoundingOfBf16BetweenNodes) {
  const Tensor a = Tensor::from({bfloat16(1.0)}, {1}), b = Tensor::from({bfloat16(0x1p-9)}, {1});
  const Tensor y = eval((lazy(a) + b) - a);  // 1 + 2^-9 is 1 in bf16
  EXPECT_EQ(static_cast<double>(y.at<bfloat16>({0})), 0.0);
}
TEST(Fusion, ContractsNothing) {
  const double a = 1 + 0x1p-30, b = -(1 + 0x1p-29);
  const Tensor x = Tensor::from({a}, {1});
  EXPECT_EQ(eval(lazy(x) * x + b).at<double>({0}), a * a + b);  // with an fma it would be 2^-60
  EXPECT_EQ(eval(lazy(x) * x + b).at<double>({0}), 0.0);
}
TEST(Fusion, DoesNotUndoFunctions) {
  const Tensor x = Tensor::from({0.1F, 200.0F}, {2});
  const Tensor y = eval(log2(exp2(lazy(x))));
  EXPECT_EQ(y.at<float>({1}), HUGE_VALF);
}

}  // namespace
}  // namespace hadamard
