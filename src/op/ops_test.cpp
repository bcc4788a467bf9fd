#include "op/ops.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "op/expr.hpp"

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

TEST(Ops, NamesAreDifferent) {
  std::set<std::string_view> ids, symbols, onnx, matlab, paddle;
  for (const Op op : kAllOps) {
    EXPECT_TRUE(ids.insert(names(op).id).second);
    EXPECT_TRUE(symbols.insert(names(op).symbol).second);
    EXPECT_TRUE(onnx.insert(names(op).onnx).second);
    EXPECT_TRUE(matlab.insert(names(op).matlab).second);
    EXPECT_TRUE(paddle.insert(names(op).paddle).second);
  }
}

TEST(Ops, TheirNamesElsewhere) {
  EXPECT_EQ(names(Op::add).matlab, "plus");
  EXPECT_EQ(names(Op::sub).onnx, "Sub");
  EXPECT_EQ(names(Op::mul).symbol, ".*");
  EXPECT_EQ(names(Op::div).matlab, "rdivide");
  EXPECT_EQ(names(Op::div).paddle, "elementwise_div");
}

TEST(Ops, OnlyDivisionAsksForANonzeroDivisor) {
  for (const Op op : kAllOps) {
    EXPECT_EQ(divisor(op), op == Op::div ? Divisor::b : Divisor::none) << name(op);
  }
}

TEST(Ops, Formulas) {
  EXPECT_TRUE((std::is_same_v<Formula<Add>, Call<prim::Add, Arg<0>, Arg<1>>>));
  EXPECT_TRUE((std::is_same_v<Formula<Sub>, Call<prim::Sub, Arg<0>, Arg<1>>>));
  EXPECT_TRUE((std::is_same_v<Formula<Mul>, Call<prim::Mul, Arg<0>, Arg<1>>>));
  EXPECT_TRUE((std::is_same_v<Formula<Div>, Call<prim::Div, Arg<0>, Arg<1>>>));
}

// A world that the library does not have: an operator is readable in it all the same.
struct TextWorld {
  std::string add(const std::string& a, const std::string& b) const {
    return "(" + a + "+" + b + ")";
  }
  std::string sub(const std::string& a, const std::string& b) const {
    return "(" + a + "-" + b + ")";
  }
  std::string mul(const std::string& a, const std::string& b) const {
    return "(" + a + "*" + b + ")";
  }
  std::string div(const std::string& a, const std::string& b) const {
    return "(" + a + "/" + b + ")";
  }
};

TEST(Ops, AreReadInAnyWorld) {
  const std::string a = "a", b = "b";
  std::string all;
  for (const Op op : kAllOps) {
    all += with_op(op, [&](auto o) { return decltype(o)::type::apply(TextWorld{}, a, b); });
  }
  EXPECT_EQ(all, "(a+b)(a-b)(a*b)(a/b)");
}

}  // namespace
}  // namespace hadamard::op
