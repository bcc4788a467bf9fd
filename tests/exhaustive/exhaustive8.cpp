// All pairs of int4, uint4, int8 and uint8, for every operator, both roundings of division and
// every provider and CPU target, against plain `int` arithmetic. The oracle shares no code with
// src/.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "exec/cpu/cpu_provider.hpp"
#include "hadamard/hadamard.hpp"
#include "op/ops.hpp"

namespace hadamard {
namespace {

struct SmallType {
  DType dtype;
  int bits;
  bool is_signed;
  int low() const { return is_signed ? -(1 << (bits - 1)) : 0; }
  int high() const { return low() + (1 << bits) - 1; }
};
constexpr SmallType kTypes[] = {{DType::int4, 4, true},
                                {DType::uint4, 4, false},
                                {DType::int8, 8, true},
                                {DType::uint8, 8, false}};

// The number of the type that is congruent to `value` modulo 2^bits.
int wrap(const SmallType& type, int value) {
  const int modulus = 1 << type.bits;
  while (value < type.low()) value += modulus;
  while (value > type.high()) value -= modulus;
  return value;
}

// The greatest whole number q with q <= a/b, by trying.
int floor_by_definition(int a, int b) {
  int q = std::abs(a) + 1;
  while (b > 0 ? q * b > a : q * b < a) --q;
  return q;
}
int trunc_by_definition(int a, int b) {
  const int size = std::abs(a) / std::abs(b);
  return (a < 0) != (b < 0) ? -size : size;
}

// The operators that the oracle knows; KnowsEveryOperator says which it does not.
bool has_oracle(Op op) { return op::is_defined(op, DType::int8) && op <= Op::atan2; }

// By multiplying; of a negative exponent the reciprocal, truncated.
int power_by_definition(const SmallType& type, int a, int b) {
  int result = 1;
  for (int i = 0; i < std::abs(b); ++i) result = wrap(type, result * a);
  if (b >= 0) return result;
  return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
}

int oracle(Op op, IntDivision rounding, const SmallType& type, int a, int b) {
  switch (op) {
    case Op::add:
      return wrap(type, a + b);
    case Op::sub:
      return wrap(type, a - b);
    case Op::mul:
      return wrap(type, a * b);
    case Op::div:
      return wrap(type, rounding == IntDivision::floor ? floor_by_definition(a, b)
                                                       : trunc_by_definition(a, b));
    case Op::pow:
      return power_by_definition(type, a, b);
    case Op::mod:
      return a - b * floor_by_definition(a, b);
    case Op::rem:
      return a - b * trunc_by_definition(a, b);
    case Op::max:
      return std::max(a, b);
    case Op::min:
      return std::min(a, b);
    case Op::identity:
    case Op::floor:
    case Op::ceil:
    case Op::round:
    case Op::trunc:
      return a;
    case Op::neg:
      return wrap(type, -a);
    case Op::abs:
      return wrap(type, std::abs(a));
    case Op::sign:
      return (a > 0) - (a < 0);
    case Op::relu:
      return std::max(a, 0);
    default:
      ADD_FAILURE() << "no oracle for operator " << name(op);
      return 0;
  }
}

// Elements as a tensor stores them: a byte each, or two to a byte with the first in the low nibble.
std::vector<std::uint8_t> store(const SmallType& type, const std::vector<int>& values) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (type.bits == 8) {
      bytes.push_back(static_cast<std::uint8_t>(values[i]));
    } else if (i % 2 == 0) {
      bytes.push_back(static_cast<std::uint8_t>(values[i] & 15));
    } else {
      bytes.back() = static_cast<std::uint8_t>(bytes.back() | (values[i] & 15) << 4);
    }
  }
  return bytes;
}

struct Where {
  std::string_view provider;
  std::string_view target;
};
std::vector<Where> everywhere() {
  std::vector<Where> all = {{"ref", ""}};
  for (const exec::CpuTarget& target : exec::cpu_targets()) {
    if (target.supported) all.push_back({"cpu", target.name});
  }
  return all;
}

// One prepared operation on `a_count` elements (0: a scalar) and `b_count` elements.
class Operation {
 public:
  Operation(Op op, IntDivision rounding, const SmallType& type, Where where, std::int64_t a_count,
            std::int64_t b_count)
      : op_(op),
        rounding_(rounding),
        type_(type),
        where_(where),
        prepared_(prepared(
            op, layout(type, a_count), layout(type, b_count),
            layout(type, a_count == 0 ? b_count : a_count),
            {.int_division = rounding, .provider = where.provider, .cpu_target = where.target})) {}

  // Compares every element.
  void check(const std::vector<int>& a, const std::vector<int>& b) const {
    const std::size_t count = std::max(a.size(), b.size());
    std::vector<int> expected;
    for (std::size_t i = 0; i < count; ++i) {
      expected.push_back(
          oracle(op_, rounding_, type_, a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]));
    }
    const auto expected_bytes = store(type_, expected);
    std::vector<std::uint8_t> bytes(expected_bytes.size(), 0);
    if (op::arity(op_) == 2) {
      prepared_.run(store(type_, a).data(), store(type_, b).data(), bytes.data());
    } else {
      prepared_.run(store(type_, a).data(), bytes.data());
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::size_t first = type_.bits == 4 ? 2 * i : i;
      ASSERT_EQ(int{bytes[i]}, int{expected_bytes[i]})
          << describe() << ", elements from " << first << ": a " << a[a.size() == 1 ? 0 : first]
          << ", b " << b[b.size() == 1 ? 0 : first];
    }
  }

  // The divisor has a zero, first at `index`: an error that says so, and an untouched output.
  void check_refused(const std::vector<int>& a, const std::vector<int>& b,
                     std::size_t index) const {
    const std::vector<std::uint8_t> before(std::max(a.size(), b.size()), 0xA5);
    std::vector<std::uint8_t> bytes = before;
    try {
      prepared_.run(store(type_, a).data(), store(type_, b).data(), bytes.data());
      FAIL() << describe() << ": a zero divisor went unnoticed";
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::zero_divisor) << describe();
      ASSERT_NE(std::string(error.what()).find("index (" + std::to_string(index) + ")"),
                std::string::npos)
          << describe() << ": " << error.what();
    }
    ASSERT_EQ(bytes, before) << describe();
  }

 private:
  static Prepared prepared(Op op, const Layout& a, const Layout& b, const Layout& y,
                           const Options& options) {
    return op::arity(op) == 2 ? prepare(op, a, b, y, options) : prepare(op, a, y, options);
  }
  static Layout layout(const SmallType& type, std::int64_t count) {
    return count == 0 ? Layout(type.dtype, Dims{}) : Layout(type.dtype, Dims{count});
  }
  std::string describe() const {
    return std::string(name(type_.dtype)) + " " + std::string(name(op_)) + " " +
           std::string(name(rounding_)) + " on " + std::string(where_.provider) + " " +
           std::string(where_.target);
  }

  Op op_;
  IntDivision rounding_;
  SmallType type_;
  Where where_;
  Prepared prepared_;
};

bool refuses_zero(Op op) { return op == Op::div || op == Op::mod || op == Op::rem; }
// A power of 0 with a negative exponent is one of its reciprocal.
bool is_refused(Op op, int a, int b) { return op == Op::pow && a == 0 && b < 0; }

class AllPairs : public testing::TestWithParam<std::tuple<SmallType, Where>> {
 protected:
  // f(op, rounding) for every operator; division in both roundings.
  template <class F>
  void for_operations(F f) {
    for (const Op op : op::kPlainOps) {
      if (!has_oracle(op)) continue;
      for (const IntDivision rounding : {IntDivision::floor, IntDivision::trunc}) {
        if (rounding == IntDivision::trunc && op != Op::div) continue;
        f(op, rounding);
        if (HasFatalFailure()) return;
      }
    }
  }
  const SmallType& type() const { return std::get<0>(GetParam()); }
  Where where() const { return std::get<1>(GetParam()); }
  std::vector<int> all_values() const {
    std::vector<int> values;
    for (int v = type().low(); v <= type().high(); ++v) values.push_back(v);
    return values;
  }
  std::vector<int> divisors(Op op) const {
    std::vector<int> values = all_values();
    if (refuses_zero(op)) std::erase(values, 0);
    return values;
  }
};

TEST_P(AllPairs, LineByLine) {
  for_operations([&](Op op, IntDivision rounding) {
    std::vector<int> a, b;
    for (const int x : all_values()) {
      for (const int y : divisors(op)) {
        if (is_refused(op, x, y)) continue;
        a.push_back(x);
        b.push_back(y);
      }
    }
    const auto n = static_cast<std::int64_t>(a.size());
    Operation(op, rounding, type(), where(), n, n).check(a, b);
  });
}

TEST_P(AllPairs, ScalarByLine) {
  for_operations([&](Op op, IntDivision rounding) {
    if (op::arity(op) == 1) return;
    const std::vector<int> b = divisors(op);
    const Operation operation(op, rounding, type(), where(), 0,
                              static_cast<std::int64_t>(b.size()));
    for (const int x : all_values()) {
      if (op != Op::pow || x != 0) operation.check({x}, b);
    }
  });
}

TEST_P(AllPairs, LineByScalar) {
  for_operations([&](Op op, IntDivision rounding) {
    if (op::arity(op) == 1) return;
    std::vector<int> a = all_values();
    if (op == Op::pow) std::erase(a, 0);
    const Operation operation(op, rounding, type(), where(), static_cast<std::int64_t>(a.size()),
                              0);
    for (const int y : divisors(op)) operation.check(a, {y});
  });
}

TEST_P(AllPairs, ZeroDivisorsAreRefusedAtTheFirst) {
  for_operations([&](Op op, IntDivision rounding) {
    if (!refuses_zero(op)) return;
    const std::vector<int> all = all_values();
    const auto n = static_cast<std::int64_t>(all.size());
    const Operation lines(op, rounding, type(), where(), n, n);
    const Operation scalar_left(op, rounding, type(), where(), 0, n);
    const Operation scalar_right(op, rounding, type(), where(), n, 0);
    for (std::size_t first = 0; first < all.size(); ++first) {
      std::vector<int> b(all.size(), 1);
      b[first] = 0;
      if (first + 2 < b.size()) b[first + 2] = 0;
      ASSERT_NO_FATAL_FAILURE(lines.check_refused(all, b, first));
      ASSERT_NO_FATAL_FAILURE(scalar_left.check_refused({all[first]}, b, first));
    }
    ASSERT_NO_FATAL_FAILURE(scalar_right.check_refused(all, {0}, 0));
  });
}

TEST(AllPairsOracle, KnowsEveryOperator) {
  std::string unknown;
  for (const Op op : op::kPlainOps) {
    if (op::is_defined(op, DType::int8) && !has_oracle(op)) unknown += " " + std::string(name(op));
  }
  if (!unknown.empty()) GTEST_SKIP() << "compared with the reference only:" << unknown;
}

TEST(AllPairsOracle, KnowsTheDifferencesThatMatter) {
  const SmallType int8 = kTypes[2];
  EXPECT_EQ(oracle(Op::div, IntDivision::floor, int8, -128, -1), -128);  // wraps
  EXPECT_EQ(oracle(Op::div, IntDivision::floor, int8, -35, 3), -12);
  EXPECT_EQ(oracle(Op::div, IntDivision::trunc, int8, -35, 3), -11);
  EXPECT_EQ(oracle(Op::div, IntDivision::floor, int8, 35, -3), -12);
  EXPECT_EQ(oracle(Op::div, IntDivision::floor, int8, -36, 3), -12);
  EXPECT_EQ(oracle(Op::div, IntDivision::floor, int8, 0, -3), 0);
  EXPECT_EQ(oracle(Op::sub, IntDivision::floor, kTypes[3], 100, 200), 156);
  EXPECT_EQ(oracle(Op::mul, IntDivision::floor, int8, 30, 30), -124);
  EXPECT_EQ(oracle(Op::pow, IntDivision::floor, int8, 3, 5), 243 - 256);
  EXPECT_EQ(oracle(Op::pow, IntDivision::floor, int8, -1, -3), -1);
  EXPECT_EQ(oracle(Op::mod, IntDivision::trunc, int8, -7, 3), 2);
  EXPECT_EQ(oracle(Op::rem, IntDivision::floor, int8, -7, 3), -1);
  EXPECT_EQ(oracle(Op::abs, IntDivision::floor, int8, -128, 0), -128);
}

INSTANTIATE_TEST_SUITE_P(Exhaustive, AllPairs,
                         testing::Combine(testing::ValuesIn(kTypes),
                                          testing::ValuesIn(everywhere())),
                         [](const auto& instance) {
                           const Where where = std::get<1>(instance.param);
                           const auto target = where.target.empty() ? where.provider : where.target;
                           return std::string(name(std::get<0>(instance.param).dtype)) + "_" +
                                  std::string(target);
                         });

}  // namespace
}  // namespace hadamard
