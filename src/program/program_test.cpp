#include "program/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "program/builder.hpp"

namespace hadamard::program {
namespace {

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Builder, MakesWhatItSays) {
  Builder b;
  const ValueId x = b.input("x", DType::fp32);
  const ValueId y = b.apply(Op::mul, {x, b.constant(Tensor::scalar(2.0F))});
  b.output("y", y);
  const Program p = b.finish();
  EXPECT_EQ(p.operation_count(), 1U);
  EXPECT_EQ(to_text(p),
            "x      input                    fp32\n"
            "%2     mul(x, 2)                fp32\n"
            "y      output %2                fp32\n");
}

TEST(Builder, SharesWhatIsComputedTwice) {
  Builder b;
  const ValueId x = b.input("x", DType::fp64), y = b.input("y", DType::fp64);
  EXPECT_EQ(b.apply(Op::add, {x, y}), b.apply(Op::add, {x, y}));
  EXPECT_NE(b.apply(Op::add, {x, y}), b.apply(Op::add, {y, x}));  // NaN and errors have an order
  EXPECT_NE(b.apply(Op::add, {x, y}), b.apply(Op::sub, {x, y}));
  EXPECT_EQ(b.constant(Tensor::scalar(0.5)), b.constant(Tensor::scalar(0.5)));
  EXPECT_NE(b.constant(Tensor::scalar(0.0)), b.constant(Tensor::scalar(-0.0)));
  EXPECT_NE(b.constant(Tensor::scalar(1.0)), b.constant(Tensor::scalar(1.0F)));
  EXPECT_NE(b.input("x", DType::fp64), x);
  const ValueId i = b.input("i", DType::int8);
  EXPECT_NE(b.apply(Op::div, {i, i}, {.int_division = IntDivision::floor}),
            b.apply(Op::div, {i, i}, {.int_division = IntDivision::trunc}));
}

TEST(Builder, AttributesArePartOfANode) {
  Builder b;
  const ValueId x = b.input("x", DType::fp32);
  const auto leaky = [&](std::vector<Attribute> given) {
    return b.apply(Op::leaky_relu, {x}, {.values = op::attribute_values(Op::leaky_relu, given)});
  };
  const ValueId fifth = leaky({{"alpha", Real(1, 5)}});
  EXPECT_EQ(fifth, leaky({{"alpha", Real::parse("0.2")}}));
  EXPECT_NE(fifth, leaky({{"alpha", 0.2}}));  // the double is another number
  EXPECT_NE(fifth, leaky({}));
  EXPECT_EQ(leaky({{"alpha", 0.02}}), b.apply(Op::leaky_relu, {x}));
  b.output("y", fifth);
  const Program p = b.finish();
  EXPECT_EQ(to_text(p),
            "x      input                    fp32\n"
            "%1     leaky_relu(x, alpha=0.2) fp32\n"
            "y      output %1                fp32\n");
  Builder other;
  other.output("y", other.apply(Op::leaky_relu, {other.input("x", DType::fp32)}));
  EXPECT_NE(p.hash(), other.finish().hash());
}

TEST(Builder, FoldsWithAttributes) {
  Builder b;
  const ValueId y =
      b.apply(Op::leaky_relu, {b.constant(Tensor::scalar(-1.0F))},
              {.values = op::attribute_values(
                   Op::leaky_relu, std::vector<Attribute>{{"alpha", Real::parse("0.3")}})});
  EXPECT_EQ(b.constant_of(y).at<float>({}), -0.3F);
}

TEST(Builder, FoldsConstantsByTheOracle) {
  Builder b;
  const auto half = [&](double x) { return b.constant(Tensor::scalar(float16(x))); };
  // In double it would round twice.
  const ValueId fma = b.apply(Op::fma, {half(1.5), half(683.0 / 1024), half(0x1p-24)});
  EXPECT_EQ(b.node(fma).kind, Node::Kind::constant);
  EXPECT_EQ(b.constant_of(fma).at<float16>({}).bits, 0x3C01);
  const ValueId third =
      b.apply(Op::div, {b.constant(Tensor::scalar(1.0F)), b.constant(Tensor::scalar(3.0F))});
  EXPECT_EQ(b.constant_of(third).at<float>({}), 1.0F / 3.0F);
  const ValueId nan =
      b.apply(Op::div, {b.constant(Tensor::scalar(0.0)), b.constant(Tensor::scalar(0.0))});
  EXPECT_TRUE(std::isnan(b.constant_of(nan).at<double>({})));
}

// A division that has no result stays a node: it fails only where it is computed.
TEST(Builder, KeepsWhatHasNoResult) {
  Builder b;
  const ValueId zero = b.constant(Tensor::scalar(std::int32_t{0}));
  const ValueId quotient = b.apply(Op::div, {zero, zero});
  EXPECT_EQ(b.node(quotient).kind, Node::Kind::operation);
}

TEST(Builder, LeavesOutWhatNoOutputNeeds) {
  Builder b;
  const ValueId x = b.input("x", DType::fp32);
  b.input("unused", DType::int8);
  b.apply(Op::exp, {x});
  b.apply(Op::div, {b.constant(Tensor::scalar(1)), b.constant(Tensor::scalar(0))});
  const ValueId y = b.apply(Op::neg, {x});
  b.output("y", y);
  const Program p = b.finish();
  EXPECT_EQ(p.operation_count(), 1U);
  EXPECT_EQ(p.inputs().size(), 2U);
}

TEST(Builder, OutputsAreOperations) {
  Builder b;
  const ValueId x = b.input("x", DType::fp32);
  const ValueId y = b.apply(Op::neg, {x});
  b.output("a", x);
  b.output("b", y);
  b.output("c", y);
  b.output("d", b.constant(Tensor::scalar(1.0)));
  const Program p = b.finish();
  std::set<ValueId> different;
  for (const Output& output : p.outputs()) {
    EXPECT_EQ(p.node(output.value).kind, Node::Kind::operation) << output.name;
    different.insert(output.value);
  }
  EXPECT_EQ(different.size(), 4U);
}

TEST(Builder, ExpandsComposedOperators) {
  Builder b;
  const ValueId x = b.input("x", DType::int8);
  const ValueId y = b.apply(Op::clip, {x, b.constant(Tensor::scalar(std::int8_t{0})),
                                       b.constant(Tensor::scalar(std::int8_t{9}))});
  EXPECT_EQ(b.node(y).op, Op::min);
  EXPECT_EQ(b.node(b.node(y).operands[0]).op, Op::max);
}

TEST(Builder, RefusesTypesThatDoNotFit) {
  Builder b;
  const ValueId x = b.input("x", DType::fp32), y = b.input("y", DType::fp64),
                i = b.input("i", DType::int8), z = b.input("z", DType::complex64);
  EXPECT_EQ(error_of([&] {
              b.apply(Op::add, {x, y});
            }),
            "the operands of add are fp32 and fp64: they must have one type; cast one of them");
  EXPECT_EQ(error_of([&] { b.apply(Op::add, {x}); }), "add expects 2 operands, got 1");
  EXPECT_EQ(
      error_of([&] { b.apply(Op::exp, {i}); }),
      "exp is not defined for int8; it is for: fp16, bf16, fp32, fp64, complex64, complex128");
  EXPECT_EQ(error_of([&] { b.cast(z, DType::fp32); }),
            "there is no conversion of complex64 to fp32");
  EXPECT_EQ(error_of([&] {
              b.apply(Op::where, {x, x, x});
            }),
            "the condition of where must be bool, got fp32; compare it with a number, or cast it");
}

TEST(Builder, HasALimit) {
  Builder b;
  ValueId x = b.input("x", DType::fp32);
  const ValueId one = x;
  EXPECT_EQ(error_of([&] {
              for (std::size_t i = 0; i < kMostNodes; ++i) x = b.apply(Op::add, {x, one});
            }),
            "a program has at most 65536 nodes; split it");
}

TEST(Program, HashesByWhatItComputes) {
  const auto make = [](std::string input, Op op, float number) {
    Builder b;
    const ValueId x = b.input(std::move(input), DType::fp32);
    b.output("y", b.apply(op, {x, b.constant(Tensor::scalar(number))}));
    return b.finish().hash();
  };
  EXPECT_EQ(make("x", Op::add, 1), make("z", Op::add, 1));
  EXPECT_NE(make("x", Op::add, 1), make("x", Op::sub, 1));
  EXPECT_NE(make("x", Op::add, 1), make("x", Op::add, 2));
  EXPECT_NE(make("x", Op::add, 0.0F), make("x", Op::add, -0.0F));
}

// What other libraries simplify, and so change bits.
TEST(Program, SimplifiesNothingThatCouldChangeABit) {
  Builder b;
  const ValueId x = b.input("x", DType::fp32);
  const ValueId one = b.constant(Tensor::scalar(1.0F)), zero = b.constant(Tensor::scalar(0.0F));
  b.output("a", b.apply(Op::log2, {b.apply(Op::exp2, {x})}));
  b.output("b", b.apply(Op::mul, {x, one}));
  b.output("c", b.apply(Op::add, {x, zero}));  // -0 + 0 is 0
  b.output("d", b.apply(Op::sub, {x, x}));     // NaN of infinities
  b.output("e", b.cast(b.cast(x, DType::bf16), DType::fp32));
  EXPECT_EQ(b.finish().operation_count(), 7U);
}

}  // namespace
}  // namespace hadamard::program
