#include "dialect/dialect.hpp"

#include <gtest/gtest.h>

#include <array>

#include "dialect/call.hpp"
#include "dialect/lowering.hpp"
#include "num/dtype.hpp"

namespace hadamard::dialect {
namespace {

struct Refusal {
  ErrorCode code = ErrorCode::ok;
  std::string requirement, text;
};
template <class F>
Refusal refusal(F f) {
  try {
    f();
  } catch (const Error& error) {
    return {error.code(), error.requirement(), error.what()};
  }
  return {};
}

Refusal planned(Op op, const Layout& a, const Layout& b, const Options& options) {
  return refusal([&] { lower_call(op, std::array{a, b}, options); });
}

constexpr Options kSonnx{.dialect = Dialect::sonnx};
constexpr Options kOnnx{.dialect = Dialect::onnx};

TEST(Dialects, PoliciesAtAGlance) {
  EXPECT_EQ(sonnx().broadcast, Broadcast::none);
  EXPECT_EQ(sonnx().int_division, IntDivision::floor);
  EXPECT_EQ(onnx().broadcast, Broadcast::numpy);
  EXPECT_EQ(onnx().int_division, IntDivision::trunc);
  EXPECT_EQ(native().broadcast, Broadcast::numpy);
  for (const Dialect id :
       {Dialect::native, Dialect::sonnx, Dialect::onnx, Dialect::matlab, Dialect::paddle}) {
    EXPECT_EQ(rules(id).id, id);
    EXPECT_EQ(dialect_from_name(name(id)), id);
  }
}

TEST(Dialects, WhatIsSaidWinsOverTheDialect) {
  const Layout a(DType::int8, Dims{2});
  Options options = kSonnx;
  options.int_division = IntDivision::trunc;
  options.broadcast = Broadcast::matlab;
  const Policy request = settle(Op::div, a, a, options);
  EXPECT_EQ(request.int_division, IntDivision::trunc);
  EXPECT_EQ(request.rule, Broadcast::matlab);
}

TEST(Dialects, TypesThatTheyHave) {
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    const Kind k = kind(type);
    const bool number = k == Kind::floating || k == Kind::integer;
    EXPECT_TRUE(native().has_type(type));
    EXPECT_EQ(onnx().has_type(type), number) << name(type);
    EXPECT_EQ(sonnx().has_type(type), number || k == Kind::exact) << name(type);
  }
}

TEST(Sonnx, ShapesNameTheirRequirement) {
  const auto shapes = [](Op op, DType type) {
    return planned(op, {type, Dims{2, 3}}, {type, Dims{3}}, kSonnx);
  };
  EXPECT_EQ(shapes(Op::div, DType::fp32).requirement, "SONNX-DIV-FLOAT-C1");
  EXPECT_EQ(shapes(Op::div, DType::int8).requirement, "SONNX-DIV-INT-C1");
  EXPECT_EQ(shapes(Op::div, DType::real).requirement, "SONNX-DIV-REAL-C1");
  EXPECT_EQ(shapes(Op::sub, DType::uint4).requirement, "SONNX-SUB-INT-C1");
  EXPECT_EQ(shapes(Op::mul, DType::bf16).requirement, "SONNX-MUL-FLOAT-C1");
  const Refusal why = shapes(Op::mul, DType::fp64);
  EXPECT_EQ(why.code, ErrorCode::shape_mismatch);
  for (const char* part :
       {"(2,3)", "(3)", "[SONNX-MUL-FLOAT-C1: A, B and Y have the same shape]"}) {
    EXPECT_NE(why.text.find(part), std::string::npos) << why.text;
  }
}

TEST(Sonnx, TypesNameTheirRequirement) {
  const auto types = [](Op op, DType a, DType b) {
    return planned(op, {a, Dims{3}}, {b, Dims{3}}, kSonnx);
  };
  EXPECT_EQ(types(Op::div, DType::fp32, DType::fp64).requirement, "SONNX-DIV-FLOAT-C2");
  EXPECT_EQ(types(Op::sub, DType::fp32, DType::fp64).requirement, "SONNX-SUB-FLOAT-R2");
  EXPECT_EQ(types(Op::div, DType::int8, DType::int16).requirement, "SONNX-DIV-INT-C2");
  EXPECT_EQ(types(Op::div, DType::int8, DType::int16).code, ErrorCode::type_mismatch);
  const Refusal complex = types(Op::div, DType::complex64, DType::complex64);
  EXPECT_EQ(complex.code, ErrorCode::unsupported_type);
  EXPECT_EQ(complex.requirement, "SONNX-DIV-TYPES");
  EXPECT_NE(complex.text.find("complex64"), std::string::npos);
  EXPECT_EQ(types(Op::add, DType::bool_, DType::bool_).code, ErrorCode::unsupported_type);
}

TEST(Sonnx, ZeroDivisorsNameTheirRequirementAndPlace) {
  const std::int32_t b[] = {1, 2, 0, 4};
  const Layout layout(DType::int32, Dims{2, 2});
  const plan::Plan plan = plan::make_plan(lower_call(Op::div, std::array{layout, layout}, kSonnx),
                                          {layout, layout}, {layout});
  const exec::Place inputs[] = {{b, 0}, {b, 0}};
  const program::ValueId node = plan.lowered.program.outputs()[0].value;
  const Refusal why = refusal([&] { fail_node(Dialect::sonnx, plan, inputs, node); });
  EXPECT_EQ(why.code, ErrorCode::zero_divisor);
  EXPECT_EQ(why.requirement, "SONNX-DIV-INT-C3");
  EXPECT_NE(why.text.find("index (1,0)"), std::string::npos) << why.text;
  EXPECT_EQ(refusal([&] { fail_node(Dialect::onnx, plan, inputs, node); }).requirement, "");
}

TEST(Onnx, BroadcastsAndNamesNoRequirement) {
  EXPECT_EQ(planned(Op::div, {DType::fp32, Dims{2, 3}}, {DType::fp32, Dims{3}}, kOnnx).code,
            ErrorCode::ok);
  const Refusal why = planned(Op::div, {DType::fp32, Dims{2, 3}}, {DType::fp32, Dims{2}}, kOnnx);
  EXPECT_EQ(why.code, ErrorCode::shape_mismatch);
  EXPECT_EQ(why.requirement, "");
  EXPECT_EQ(planned(Op::div, {DType::real, Dims{}}, {DType::real, Dims{}}, kOnnx).code,
            ErrorCode::unsupported_type);
}

TEST(Dialects, AnUnknownNumberIsRefused) {
  EXPECT_EQ(refusal([] { rules(static_cast<Dialect>(99)); }).code, ErrorCode::bad_argument);
}

}  // namespace
}  // namespace hadamard::dialect
