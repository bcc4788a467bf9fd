#include "op/ops.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "op/formula.hpp"
#include "op/signature.hpp"

namespace hadamard::op {
namespace {

TEST(Ops, NamesAreThoseOfTheList) {
  for (const Op op : kAllOps) {
    EXPECT_EQ(names(op).id, name(op));
    EXPECT_EQ(op_from_name(name(op)), op);
    EXPECT_FALSE(doc(op).empty());
  }
  EXPECT_FALSE(op_from_name("Div").has_value());
  EXPECT_FALSE(op_from_name("").has_value());
}

// A name stands for one operator; where a world has none for it, it is empty.
TEST(Ops, NamesAreDifferent) {
  for (const auto field : {&OpNames::id, &OpNames::onnx, &OpNames::matlab, &OpNames::paddle}) {
    std::set<std::string_view> seen;
    for (const Op op : kAllOps) {
      const std::string_view name = names(op).*field;
      EXPECT_TRUE(name.empty() || seen.insert(name).second) << name;
    }
  }
}

// So does a symbol, with so many operands.
TEST(Ops, Symbols) {
  for (const Op op : kAllOps) {
    const std::string_view symbol = names(op).symbol;
    if (symbol.empty()) continue;
    EXPECT_EQ(op_from_symbol(symbol, arity(op)), op) << symbol;
  }
  EXPECT_EQ(op_from_symbol("-", 1), Op::neg);
  EXPECT_EQ(op_from_symbol("-", 2), Op::sub);
  EXPECT_EQ(op_from_symbol("-", 3), std::nullopt);
  EXPECT_EQ(op_from_symbol("", 1), std::nullopt);
}

TEST(Ops, Notation) {
  EXPECT_EQ(notation(Op::div), "A ./ B");
  EXPECT_EQ(notation(Op::max), "max(A, B)");
  EXPECT_EQ(notation(Op::neg), "neg(A)");
  EXPECT_EQ(notation(Op::pow), "A .^ B");
  EXPECT_EQ(notation(Op::fma), "fma(A, B, C)");
}

TEST(Ops, AreDefinedForTheTypesThatTheySay) {
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    EXPECT_TRUE(is_defined(Op::add, type)) << name(type);
    const bool has_exp = kind(type) == Kind::floating || kind(type) == Kind::complex;
    EXPECT_EQ(is_defined(Op::exp, type), has_exp) << name(type);
    EXPECT_EQ(is_defined(Op::gamma, type), kind(type) == Kind::floating) << name(type);
    EXPECT_EQ(is_defined(Op::from_parts, type), type == DType::fp32 || type == DType::fp64);
    EXPECT_EQ(is_plain_for(Op::abs, type), kind(type) != Kind::complex) << name(type);
    EXPECT_EQ(is_defined(Op::max, type), kind(type) != Kind::complex) << name(type);
  }
}

TEST(Ops, TypesOfOperandsAndResult) {
  using enum DType;
  const auto result = [](Op op, std::initializer_list<DType> types, DType to = {}) {
    const Signature s = signature(op, std::span(types.begin(), types.size()), to);
    return s.problem.empty() ? std::string(name(s.result)) : s.problem;
  };
  EXPECT_EQ(result(Op::add, {fp32, fp32}), "fp32");
  EXPECT_EQ(result(Op::lt, {int8, int8}), "bool");
  EXPECT_EQ(result(Op::where, {bool_, fp16, fp16}), "fp16");
  EXPECT_EQ(result(Op::cast, {fp64}, int4), "int4");
  EXPECT_EQ(result(Op::fma, {bf16, bf16, bf16}), "bf16");
  EXPECT_EQ(result(Op::add, {fp32}), "add expects 2 operands, got 1");
  EXPECT_EQ(result(Op::add, {fp32, fp64}),
            "the operands of add are fp32 and fp64: they must have one type; cast one of them");
  EXPECT_EQ(
      result(Op::fma, {fp32, fp32, fp64}),
      "the operands of fma are fp32, fp32 and fp64: they must have one type; cast one of them");
  EXPECT_EQ(result(Op::lt, {complex64, complex64}),
            "lt is not defined for complex64; it is for: real, fp16, bf16, fp32, fp64, int4, int8, "
            "int16, int32, int64, uint4, uint8, uint16, uint32, uint64, bool");
  EXPECT_EQ(result(Op::where, {fp32, fp32, fp32}),
            "the condition of where must be bool, got fp32; compare it with a number, or cast it");
  EXPECT_EQ(result(Op::cast, {complex64}, fp32), "there is no conversion of complex64 to fp32");
  EXPECT_EQ(result(Op::saturating_cast, {fp64}, uint4), "uint4");
  EXPECT_EQ(result(Op::saturating_cast, {fp64}, fp32), "there is no conversion of fp64 to fp32");
  EXPECT_EQ(result(Op::abs, {complex64}), "fp32");
  EXPECT_EQ(result(Op::abs, {int8}), "int8");
  EXPECT_EQ(result(Op::hypot, {complex128, complex128}), "fp64");
  EXPECT_EQ(result(Op::angle, {complex64}), "fp32");
  EXPECT_EQ(result(Op::real, {fp32}),
            "real is not defined for fp32; it is for: complex64, complex128");
  EXPECT_EQ(result(Op::from_parts, {fp32, fp32}), "complex64");
  EXPECT_EQ(result(Op::from_parts, {fp16, fp16}),
            "from_parts is not defined for fp16; it is for: fp32, fp64");
  EXPECT_EQ(result(Op::true_div, {int64, int64}), "fp64");
  EXPECT_EQ(result(Op::saturating_add, {int8, int8}), "int8");
  EXPECT_EQ(result(Op::saturating_add, {uint64, fp64}), "uint64");
  EXPECT_EQ(result(Op::saturating_add, {fp64, int4}), "int4");
  EXPECT_EQ(result(Op::saturating_add, {fp64, fp64}).substr(0, 40),
            "saturating_add is not defined for fp64; ");
  EXPECT_EQ(result(Op::saturating_add, {int8, int16}),
            "the operands of saturating_add are int8 and int16: they must be integers of one type, "
            "or of one and fp64; cast one of them");
}

TEST(Ops, TheirNamesElsewhere) {
  EXPECT_EQ(names(Op::add).matlab, "plus");
  EXPECT_EQ(names(Op::sub).onnx, "Sub");
  EXPECT_EQ(names(Op::mul).symbol, ".*");
  EXPECT_EQ(names(Op::div).matlab, "rdivide");
  EXPECT_EQ(names(Op::div).paddle, "elementwise_div");
}

TEST(Ops, WhereDivisorsAre) {
  for (const Op op : kAllOps) {
    const bool by_b = op == Op::div || op == Op::mod || op == Op::rem;
    const Divisor expected = by_b                   ? Divisor::b
                             : op == Op::reciprocal ? Divisor::a
                             : op == Op::pow        ? Divisor::computed
                                                    : Divisor::none;
    EXPECT_EQ(divisor(op), expected) << name(op);
  }
}

// What records say of themselves beside their definition, and what is so where they say nothing.
TEST(Ops, PropertiesHaveDefaults) {
  EXPECT_EQ(onnx_operands(Op::max), OnnxOperands::any_number);
  EXPECT_EQ(onnx_operands(Op::pow), OnnxOperands::mixed_types);
  EXPECT_EQ(onnx_operands(Op::add), OnnxOperands::as_here);
  EXPECT_TRUE(sonnx_document(Op::div).exists);
  EXPECT_EQ(sonnx_document(Op::div).same_floats, "C2");
  EXPECT_EQ(sonnx_document(Op::mul).same_floats, "R2");
  EXPECT_FALSE(sonnx_document(Op::exp).exists);
  EXPECT_EQ(monotone_of<Exp>(), Monotone::increasing);
  EXPECT_EQ(monotone_of<Sin>(), Monotone::unknown);
  EXPECT_TRUE(has_bounds<Sin>);
  EXPECT_FALSE(has_bounds<Exp>);
  EXPECT_TRUE(is_power<Pow> && is_identity<Identity> && is_whole<Round>);
  EXPECT_FALSE(is_power<Mul> || is_identity<Neg> || is_whole<Sign>);
}

TEST(Ops, Formulas) {
  EXPECT_TRUE((std::is_same_v<Formula<Add>, Call<prim::Add, Arg<0>, Arg<1>>>));
  EXPECT_TRUE((std::is_same_v<Formula<Sub>, Call<prim::Sub, Arg<0>, Arg<1>>>));
  EXPECT_TRUE((std::is_same_v<Formula<Mul>, Call<prim::Mul, Arg<0>, Arg<1>>>));
  EXPECT_TRUE((std::is_same_v<Formula<Div>, Call<prim::Div, Arg<0>, Arg<1>>>));
  EXPECT_TRUE((std::is_same_v<Formula<Relu>, Call<prim::Max, Arg<0>, Call<prim::Zero, Arg<0>>>>));
  EXPECT_TRUE(is_rational<LeakyRelu>);
  EXPECT_FALSE(is_rational<Exp>);
  // bf16 has 8 bits.
  EXPECT_TRUE(every_float_has(0) && every_float_has(-255) && every_float_has(256 * 255));
  EXPECT_FALSE(every_float_has(257) || every_float_has(-257));
}

// A world that the library does not have: an operator is readable in it all the same.
struct TextWorld {
#define HADAMARD_TEXT(Name, method)         \
  template <class... X>                     \
  std::string method(const X&... x) const { \
    std::string text = "(" #method;         \
    ((text += " " + x), ...);               \
    return text + ")";                      \
  }
  HADAMARD_PRIMITIVES(HADAMARD_TEXT)
#undef HADAMARD_TEXT
  template <int numerator, int denominator = 1>
  std::string ratio(const std::string&) const {
    return std::to_string(numerator) + "/" + std::to_string(denominator);
  }
  template <class Record, class... X>
  std::string function(const X&... x) const {
    return "(" + std::string(Record::names.id) + ((" " + x) + ...) + ")";
  }
  template <int divisor>
  std::string divided(const std::string& a) const {
    return "(divided " + a + " " + std::to_string(divisor) + ")";
  }
};

TEST(Ops, AreReadInAnyWorld) {
  const std::string a = "a", b = "b", c = "c";
  const auto text = [&](Op op) {
    return with_op(op, [&](auto o) -> std::string {
      using Operator = typename decltype(o)::type;
      if constexpr (arity_of<Operator> == 3) {
        return Operator::apply(TextWorld{}, a, b, c);
      } else {
        return apply_to<Operator>(TextWorld{}, a, b);
      }
    });
  };
  EXPECT_EQ(text(Op::div), "(div a b)");
  EXPECT_EQ(text(Op::neg), "(neg a)");
  EXPECT_EQ(text(Op::relu), "(max a (zero a))");
  EXPECT_EQ(text(Op::reciprocal), "(div (one a) a)");
  EXPECT_EQ(text(Op::clip), "(min (max a b) c)");
  EXPECT_EQ(text(Op::gt), "(lt b a)");
  EXPECT_EQ(text(Op::softshrink), "(sub a (max (min a 1/2) -1/2))");
  EXPECT_EQ(text(Op::atan2), "(atan2 a b)");
  EXPECT_EQ(text(Op::leaky_relu), "(max a (divided a 50))");
  for (const Op op : kAllOps) EXPECT_FALSE(text(op).empty());
}

}  // namespace
}  // namespace hadamard::op
