// Options::then is held to what a call of the second operator by itself is held to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>

#include "dialect/paddle/paddle.hpp"
#include "hadamard/hadamard.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

struct Outcome {
  std::optional<Tensor> result{};
  ErrorCode code = ErrorCode::ok;
  std::string requirement{};
};
template <class F>
Outcome outcome(F f) {
  try {
    return {f()};
  } catch (const Error& error) {
    return {std::nullopt, error.code(), error.requirement()};
  }
}

// 1, 2, 3, and of what has them -2, 0.
Tensor small_numbers(DType type) {
  return with_type(type, [&](auto t) {
    using T = typename decltype(t)::type;
    Tensor tensor(type, {5});
    const bool has_sign = kind(type) != Kind::boolean && !name(type).starts_with('u');
    for (std::int64_t i = 0; i < 5; ++i) {
      const int value = i < 3      ? static_cast<int>(i) + 1
                        : has_sign ? 2 * static_cast<int>(i) - 8
                                   : 1;
      store_element<T>(tensor.data(), i, T(value));
    }
    return tensor;
  });
}

bool is_same(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.dtype() != DType::real) {
    const auto bytes = static_cast<std::size_t>((a.count() * bits(a.dtype()) + 7) / 8);
    return std::memcmp(a.data(), b.data(), bytes) == 0;
  }
  for (std::int64_t i = 0; i < a.count(); ++i) {
    if (load_element<Real>(a.data(), i) != load_element<Real>(b.data(), i)) return false;
  }
  return true;
}

// What one call does not do though two would, by its documentation: anything in dialect matlab, an
// activation of integers in dialect paddle, what may meet a zero divisor.
bool only_in_two_calls(Dialect dialect, Op then, DType type) {
  const bool floating = kind(type) == Kind::floating;
  return dialect == Dialect::matlab || (dialect == Dialect::paddle && !floating) ||
         !op::is_plain_for(then, type) ||
         (!floating && kind(type) != Kind::complex && op::divisor(then) != op::Divisor::none);
}

TEST(Fused, IsRefusedWhereTheSecondOfTwoCallsIs) {
  int accepted = 0, refused = 0;
  for (const Dialect dialect :
       {Dialect::native, Dialect::sonnx, Dialect::onnx, Dialect::matlab, Dialect::paddle}) {
    for (const Op then : op::kPlainOps) {
      if (op::arity(then) != 1) continue;
      for (int i = 0; i < kTypeCount; ++i) {
        const auto type = static_cast<DType>(i);
        SCOPED_TRACE(fmt::format("{} {} {}", name(dialect), name(then), name(type)));
        const Tensor a = small_numbers(type);
        const Outcome apart = outcome([&] {
          return apply(then, apply(Op::add, a, a, {.dialect = dialect}), {.dialect = dialect});
        });
        const Outcome fused =
            outcome([&] { return apply(Op::add, a, a, {.dialect = dialect, .then = then}); });
        if (only_in_two_calls(dialect, then, type)) {
          EXPECT_NE(fused.code, ErrorCode::ok);
          continue;
        }
        EXPECT_EQ(fused.code, apart.code);
        EXPECT_EQ(fused.requirement, apart.requirement);
        if (fused.result && apart.result) {
          EXPECT_TRUE(is_same(*fused.result, *apart.result));
        }
        ++(fused.result ? accepted : refused);
      }
    }
  }
  EXPECT_GT(accepted, 200);
  EXPECT_GT(refused, 200);
}

TEST(Fused, NamesItsRequirement) {
  const Tensor a = small_numbers(DType::uint8);
  for (const Op then : {Op::relu, Op::neg}) {
    const Outcome fused =
        outcome([&] { return add(a, a, {.dialect = Dialect::sonnx, .then = then}); });
    EXPECT_EQ(fused.code, ErrorCode::unsupported_type);
    EXPECT_EQ(fused.requirement, then == Op::relu ? "SONNX-RELU-TYPES" : "SONNX-NEG-TYPES");
  }
}

// Paddle's name wins, which matters for pow alone: no other is that of another operator.
TEST(Fused, ByPaddlesNameOrByItsOwn) {
  const auto activation_or_operator = [](std::string_view text) -> std::optional<Op> {
    const auto found = dialect::paddle::activation_or_operator(text);
    if (!found) return std::nullopt;
    return found->op;
  };
  for (const Op op : op::kPlainOps) {
    const bool one = op::arity(op) == 1;
    if (op == Op::pow) continue;
    EXPECT_EQ(activation_or_operator(name(op)), one ? std::optional(op) : std::nullopt) << name(op);
    const std::string_view paddle = op::names(op).paddle;
    if (one && !paddle.empty()) {
      EXPECT_EQ(activation_or_operator(paddle), op) << paddle;
    }
  }
  EXPECT_EQ(activation_or_operator("pow"), Op::pow_factor);
  EXPECT_FALSE(activation_or_operator("gelu").has_value());
  EXPECT_FALSE(activation_or_operator("").has_value());
  const auto has = [](Dialect dialect, std::string_view listed) {
    const std::string all = ", " + dialect::paddle::all_activations_and_operators(dialect) + ",";
    return all.find(listed) != std::string::npos;
  };
  for (const char* listed : {", pow,", ", relu,", ", neg,", ", hard_shrink,", ", log1p,"}) {
    EXPECT_TRUE(has(Dialect::native, listed)) << listed;
  }
  EXPECT_TRUE(has(Dialect::paddle, ", hard_shrink,"));
  EXPECT_FALSE(has(Dialect::paddle, ", neg,"));
  EXPECT_TRUE(has(Dialect::sonnx, ", neg,"));
  EXPECT_FALSE(has(Dialect::sonnx, ", hard_shrink,"));
}

}  // namespace
}  // namespace hadamard
