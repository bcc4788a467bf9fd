// Every result that comes out is in the range; what is known exactly is exact.
#include "bound/operator_ranges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/float_env.hpp"
#include "bound/float_intervals.hpp"
#include "bound/whole_intervals.hpp"
#include "num/text.hpp"
#include "op/ops.hpp"
#include "op/signature.hpp"
#include "program/evaluate.hpp"
#include "tensor/element.hpp"

namespace hadamard::bound {
namespace {

using program::Node;

std::vector<DType> types_of(Op op, DType type) {
  std::vector<DType> types(static_cast<std::size_t>(op::arity(op)), type);
  if (op::type_rule(op) == op::TypeRule::select) types[0] = DType::bool_;
  return types;
}

// Numbers of a type between which intervals are made: large and small ones, and every other.
template <class T>
std::vector<T> interesting() {
  std::vector<T> all;
  if constexpr (Element<T>::kKind == Kind::floating) {
    using Bits = typename Element<T>::Bits;
    constexpr FloatFormat kFormat = Element<T>::kFormat;
    for (const double x :
         {0.0, 0.1, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 24.0, 41.0, 100.0, 1e4, 1e30, kInfinity}) {
      all.push_back(T(x));
      all.push_back(T(-x));
    }
    const auto largest = static_cast<Bits>(kFormat.infinity() - 1);
    for (const auto bits : {Bits{1}, Bits{2}, largest, static_cast<Bits>(largest - 1)}) {
      all.push_back(exact::from_bits<T>(bits));
      all.push_back(exact::from_bits<T>(bits | kFormat.sign_bit()));
    }
  } else if constexpr (Element<T>::kKind == Kind::boolean) {
    all = {false, true};
  } else {
    for (const int x : {0, 1, 2, 3, 7, 10, 100, -1, -2, -3, -8, -100}) {
      all.push_back(op::oracle::wrap<T>(x));
    }
    for (const int128 x : {int128{Element<T>::kMax}, int128{Element<T>::kMin}}) {
      all.push_back(op::oracle::wrap<T>(x));
    }
  }
  return all;
}

class Samples {
 public:
  explicit Samples(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  // An interval of a type, and a few numbers in it: its ends, 0, NaN and others.
  template <class T>
  Interval interval(std::vector<T>& numbers) {
    const std::vector<T> pool = interesting<T>();
    T a = pool[below(pool.size())], b = below(4) == 0 ? a : pool[below(pool.size())];
    if (op::oracle::less(b, a)) std::swap(a, b);
    numbers = {a, b};
    if constexpr (Element<T>::kKind == Kind::floating) {
      const auto from = static_cast<double>(a), until = static_cast<double>(b);
      const bool nan = below(8) == 0;
      if (nan) numbers.push_back(T(std::nan("")));
      const double low = std::max(from, -1e300), high = std::min(until, 1e300);
      for (int i = 0; i < 6; ++i) {
        add_inside(numbers, T(std::uniform_real_distribution<>(0, 1)(random_) * (high - low) + low),
                   a, b);
        add_inside(numbers, T(std::uniform_real_distribution<>(-4, 4)(random_)), a, b);
      }
      for (const T& x : pool) add_inside(numbers, x, a, b);
      return float_interval(from, until, nan);
    } else {
      for (const T& x : pool) add_inside(numbers, x, a, b);
      for (int i = 0; i < 6; ++i) {
        const auto bits = static_cast<std::int64_t>(random_());
        add_inside(numbers, op::oracle::wrap<T>(bits), a, b);
        add_inside(numbers, op::oracle::wrap<T>(op::oracle::widen(a) + (bits & 7)), a, b);
      }
      return whole_interval(op::oracle::widen(a), op::oracle::widen(b));
    }
  }

 private:
  template <class T>
  static void add_inside(std::vector<T>& numbers, const T& x, const T& a, const T& b) {
    const bool outside = op::oracle::is_nan(x) || op::oracle::less(x, a) || op::oracle::less(b, x);
    if (!outside) numbers.push_back(x);
  }
  std::mt19937_64 random_;
};

bool contains(const Interval& range, double y) {
  return std::isnan(y) ? range.nan : range.from <= y && y <= range.until;
}
bool contains(const Interval& range, int128 y) {
  return range.whole && range.low <= y && y <= range.high;
}
template <class T>
constexpr bool has_intervals =
    Element<T>::kKind != Kind::exact&& Element<T>::kKind != Kind::complex;

// Whether the element of a type at `at` is in the range; what it is, where not.
std::string outside(const Interval& range, DType type, const void* at) {
  return with_type(type, [&](auto t) -> std::string {
    using T = typename decltype(t)::type;
    if constexpr (has_intervals<T>) {
      const T y = load_element<T>(at, 0);
      bool inside = false;
      if constexpr (Element<T>::kKind == Kind::floating) {
        inside = contains(range, static_cast<double>(y));
      } else {
        inside = contains(range, op::oracle::widen(y));
      }
      return inside ? "" : text::format(y);
    } else {
      return "a type without intervals";
    }
  });
}

// Random intervals and numbers of them, for one operator, type of operands and of results.
template <class T>
void expect_sound(const Node& node, Samples& samples, int intervals) {
  const std::vector<DType> types = types_of(node.op, dtype_of<T>);
  for (int round = 0; round < intervals; ++round) {
    std::vector<std::vector<T>> numbers(types.size());
    std::vector<Interval> x;
    for (std::size_t i = 0; i < types.size(); ++i) {
      x.push_back(samples.interval<T>(numbers[i]));
    }
    const bool selects = op::type_rule(node.op) == op::TypeRule::select;
    const std::size_t condition = samples.below(3);
    if (selects) x[0] = truth_interval(condition != 0, condition != 1);
    const OperatorRange result = operator_range(node, types, x);
    ASSERT_TRUE(result.range.has_value());
    for (int k = 0; k < 24; ++k) {
      bool truth = condition == 0 || (condition == 2 && samples.below(2) == 0);
      std::vector<T> values;
      for (const auto& list : numbers) values.push_back(T(list[samples.below(list.size())]));
      std::vector<std::byte> bytes(types.size() * 16 + 16);
      std::vector<program::ElementLine> lines;
      for (std::size_t i = 0; i < types.size(); ++i) {
        void* const at = bytes.data() + 16 * i;
        if (i == 0 && selects) {
          store_element<bool>(at, 0, truth);
        } else {
          store_element<T>(at, 0, values[i]);
        }
        lines.push_back({at, 0, 0});
      }
      void* const to = bytes.data() + 16 * types.size();
      const program::Evaluated done = program::evaluate(node, types, lines, {to, 0, 0}, 1);
      if (done.failure != program::Failure::none) {
        EXPECT_TRUE(result.zero_divisor) << name(node.op);
        continue;
      }
      ASSERT_EQ(outside(*result.range, node.type, to), "")
          << name(node.op) << " of " << name(types.back()) << " is not in "
          << to_text(*result.range) << ", of " << text::format(T(values.front())) << " in "
          << to_text(x.front()) << " and " << text::format(T(values.back())) << " in "
          << to_text(x.back());
    }
  }
}

template <class T>
void expect_sound_for(Op op, DType type, int intervals) {
  Samples samples(static_cast<unsigned>(op) * 64 + static_cast<unsigned>(type));
  Node node;
  node.op = op;
  for (const IntDivision rounding : {IntDivision::floor, IntDivision::trunc}) {
    node.attributes.int_division = rounding;
    const bool converts = op::type_rule(op) == op::TypeRule::convert;
    for (int to = 0; to < (converts ? kTypeCount : 1); ++to) {
      node.type = op::signature(op, types_of(op, type), static_cast<DType>(to)).result;
      if (full_interval(node.type)) expect_sound<T>(node, samples, intervals);
    }
    if (!op::rounds_quotients(op)) break;
  }
}

class EveryOperator : public testing::TestWithParam<Op> {};

TEST_P(EveryOperator, HasItsResultsInItsRange) {
  const ScopedFloatEnv env;
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    if (!full_interval(type) || !op::is_defined(GetParam(), type)) continue;
    with_type(type, [&](auto t) {
      using T = typename decltype(t)::type;
      if constexpr (has_intervals<T>) {
        expect_sound_for<T>(GetParam(), type, 60);
      }
    });
  }
}
INSTANTIATE_TEST_SUITE_P(Bound, EveryOperator, testing::ValuesIn(op::kAllOps),
                         [](const auto& tested) { return std::string(name(tested.param)); });

// --- What ranges are, exactly -------------------------------------------------------------------

class Ranges : public testing::Test {
 protected:
  // Operands all of one type, but for conditions.
  static OperatorRange of(Op op, DType type, std::vector<Interval> operands,
                          std::optional<DType> to = {}) {
    Node node;
    node.op = op;
    node.attributes.int_division = IntDivision::floor;
    const std::vector<DType> types = types_of(op, type);
    node.type = to ? *to : op::signature(op, types).result;
    return operator_range(node, types, operands);
  }
  static std::string text(Op op, DType type, std::vector<Interval> operands,
                          std::optional<DType> to = {}) {
    return to_text(*of(op, type, std::move(operands), to).range);
  }
  static Interval floats(double from, double until) { return float_interval(from, until); }
  static Interval whole(int from, int until) { return whole_interval(from, until); }

  ScopedFloatEnv env_;
};

TEST_F(Ranges, EndsAreResultsThemselves) {
  using enum DType;
  EXPECT_EQ(text(Op::add, fp32, {floats(1, 2), floats(3, 4)}), "[4, 6]");
  EXPECT_EQ(text(Op::mul, fp16, {floats(1000, 2000), floats(100, 200)}), "[inf, inf]");
  EXPECT_EQ(text(Op::div, fp64, {floats(1, 2), floats(3, 4)}), "[0.25, 0.6666666666666666]");
  EXPECT_EQ(text(Op::fma, fp64, {floats(-1, 2), floats(3, 4), floats(0, 1)}), "[-4, 9]");
  EXPECT_EQ(text(Op::exp, fp64, {floats(0, 1)}), "[1, 2.718281828459045]");
  EXPECT_EQ(text(Op::hypot, fp64, {floats(-3, 1), floats(2, 4)}), "[2, 5]");
  EXPECT_EQ(text(Op::pow, fp64, {floats(-3, 2), floats(2, 2)}), "[0, 9]");
  EXPECT_EQ(text(Op::pow, fp64, {floats(-3, 2), floats(3, 3)}), "[-27, 8]");
  EXPECT_EQ(text(Op::pow, fp64, {floats(0.5, 2), floats(-1, 3)}), "[0.125, 8]");
  EXPECT_EQ(text(Op::pow, fp64, {floats(0, 2), floats(0, 3)}), "[0, 8]");
  // -0 to the power -1 and -3 is -inf.
  EXPECT_EQ(text(Op::pow, fp64, {floats(0, 2), floats(-3, -1)}), "[-inf, inf] or NaN");
  EXPECT_EQ(text(Op::pow, fp64, {floats(-1, 2), floats(-1, -1)}), "[-inf, inf] or NaN");
  EXPECT_EQ(text(Op::pow, fp64, {floats(-2, -1), floats(-1, -1)}), "[-1, -0.5]");
}

// Operators of primitives need no line of their own; those that say how their results are ordered
// have no end that their formula alone would have.
TEST_F(Ranges, OfFormulas) {
  using enum DType;
  EXPECT_EQ(text(Op::relu6, fp32, {floats(-3, 9)}), "[0, 6]");
  EXPECT_EQ(text(Op::leaky_relu, fp32, {floats(-50, 9)}), "[-1, 9]");
  EXPECT_EQ(text(Op::hard_shrink, fp32, {floats(-1, 0.25)}), "[-1, 0.25]");
  EXPECT_EQ(text(Op::softshrink, fp32, {floats(0, 2)}), "[0, 1.5]");
  EXPECT_EQ(text(Op::clip, int8, {whole(-9, 9), whole(0, 1), whole(4, 5)}), "[0, 5]");
  EXPECT_EQ(text(Op::ne, int8, {whole(1, 2), whole(3, 4)}), "[1, 1]");
}

TEST_F(Ranges, NanIsWhereThereIsNoNumber) {
  using enum DType;
  EXPECT_EQ(text(Op::log, fp64, {floats(-1, 1)}), "[-inf, 0] or NaN");
  EXPECT_EQ(text(Op::sqrt, fp64, {floats(-2, -1)}), "[-inf, inf] or NaN");
  EXPECT_EQ(text(Op::sub, fp64, {floats(1, kInfinity), floats(1, kInfinity)}),
            "[-inf, inf] or NaN");
  EXPECT_EQ(text(Op::mul, fp64, {floats(-1, 1), floats(1, kInfinity)}), "[-inf, inf] or NaN");
  EXPECT_EQ(text(Op::sin, fp16, {floats(0, 1)}), "[-1, 1]");
  EXPECT_EQ(text(Op::sin, fp16, {floats(0, kInfinity)}), "[-1, 1] or NaN");
  EXPECT_EQ(text(Op::isnan, fp16, {floats(0, 1)}), "[0, 0]");
}

TEST_F(Ranges, DivisorsThatMayBeZeroAreNoted) {
  using enum DType;
  EXPECT_TRUE(of(Op::div, fp32, {floats(1, 2), floats(-1, 1)}).zero_divisor);
  EXPECT_TRUE(of(Op::reciprocal, fp32, {floats(0, 1)}).zero_divisor);
  EXPECT_FALSE(of(Op::reciprocal, fp32, {floats(0.5, 1)}).zero_divisor);
  EXPECT_TRUE(of(Op::pow, int8, {whole(0, 1), whole(-1, 1)}).zero_divisor);
  EXPECT_FALSE(of(Op::pow, int8, {whole(0, 1), whole(0, 1)}).zero_divisor);
  EXPECT_TRUE(of(Op::mod, int8, {whole(0, 1), whole(0, 3)}).zero_divisor);
  EXPECT_EQ(text(Op::div, int8, {whole(-7, 7), whole(0, 2)}), "[-7, 7]");
  EXPECT_EQ(text(Op::div, int8, {whole(-7, 7), whole(0, 0)}), "[-128, 127]");
}

TEST_F(Ranges, WhatATypeDoesNotHoldIsNoted) {
  using enum DType;
  const OperatorRange sum = of(Op::add, int8, {whole(0, 100), whole(0, 28)});
  ASSERT_TRUE(sum.overflow);
  EXPECT_EQ(to_text(*sum.overflow), "[0, 128]");
  EXPECT_EQ(to_text(*sum.range), "[-128, 127]");
  EXPECT_FALSE(of(Op::add, int8, {whole(0, 100), whole(0, 27)}).overflow);
  const Interval all = *full_interval(uint64);
  EXPECT_EQ(to_text(*of(Op::fma, uint64, {all, all, all}).overflow), "[0, 2^127 or more]");
  EXPECT_EQ(to_text(*of(Op::cast, int32, {whole(0, 128)}, int8).range), "[-128, 127]");
  EXPECT_EQ(to_text(*of(Op::cast, fp32, {floats(-1.5, 128)}, int8).range), "[-1, 127]");
  EXPECT_EQ(to_text(*of(Op::cast, fp32, {floats(-1.5, 128)}, int8).overflow), "[-1, 128]");
}

TEST_F(Ranges, ConditionsThatAreCertainChoose) {
  using enum DType;
  const Interval a = floats(1, 2), b = floats(5, 6);
  EXPECT_EQ(text(Op::where, fp32, {truth_interval(false, true), a, b}), "[1, 2]");
  EXPECT_EQ(text(Op::where, fp32, {truth_interval(true, false), a, b}), "[5, 6]");
  EXPECT_EQ(text(Op::where, fp32, {truth_interval(true, true), a, b}), "[1, 6]");
  EXPECT_EQ(text(Op::lt, fp32, {a, b}), "[1, 1]");
  EXPECT_EQ(text(Op::le, fp32, {b, a}), "[0, 0]");
  EXPECT_EQ(text(Op::eq, fp32, {a, a}), "[0, 1]");
  EXPECT_EQ(text(Op::eq, fp32, {floats(1, 1), floats(1, 1)}), "[1, 1]");
  EXPECT_EQ(text(Op::cast, fp32, {b}, bool_), "[1, 1]");
  EXPECT_EQ(text(Op::cast, fp32, {floats(0, 0)}, bool_), "[0, 0]");
  EXPECT_EQ(text(Op::cast, fp32, {float_interval(0, 0, true)}, bool_), "[0, 1]");  // NaN is true
}

// In formulas, where operators of bools are not tried out.
TEST_F(Ranges, OfConditions) {
  const TruthIntervals truth;
  const Interval all[] = {whole(0, 0), whole(0, 1), whole(1, 1)};
  for (const Interval& a : all) {
    EXPECT_EQ(truth.logical_not(a), *of(Op::logical_not, DType::bool_, {a}).range);
    for (const Interval& b : all) {
      EXPECT_EQ(truth.logical_and(a, b), *of(Op::logical_and, DType::bool_, {a, b}).range);
      EXPECT_EQ(truth.logical_or(a, b), *of(Op::logical_or, DType::bool_, {a, b}).range);
      EXPECT_EQ(truth.logical_xor(a, b), *of(Op::logical_xor, DType::bool_, {a, b}).range);
    }
  }
}

// A function that says nothing of itself.
struct Tangent {
  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.template function<Tangent>(a);
  }
};
// An operator that the list does not have.
struct Composed {
  template <class W, class A, class B>
  static constexpr auto apply(const W& w, const A& a, const B& b) {
    return w.mul(w.sub(a, b), w.one(a));
  }
};
TEST_F(Ranges, WhatNothingIsKnownOfIsAnywhere) {
  const FloatIntervals<float> arithmetic;
  EXPECT_EQ(to_text(Tangent::apply(arithmetic, floats(0, 1))), "[-inf, inf] or NaN");
  EXPECT_EQ(to_text(Composed::apply(arithmetic, floats(0, 1), floats(0, 2))), "[-2, 1]");
  const WholeIntervals integers(whole(0, 15), IntDivision::floor);
  EXPECT_EQ(to_text(Composed::apply(integers, whole(3, 4), whole(0, 2))), "[1, 4]");
  EXPECT_FALSE(integers.overflow());
}

}  // namespace
}  // namespace hadamard::bound
