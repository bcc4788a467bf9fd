// Random programs: fused, not fused, split, on every target, and the reference: the same bits, or
// the same error.
//
// HADAMARD_PROGRAMS is how many; `./test programs` runs millions of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>

#include "api/program.hpp"
#include "dialect/lowering.hpp"
#include "op/signature.hpp"
#include "support.hpp"

namespace hadamard::difftest {
namespace {

using dialect::LoweredOperand;
using dialect::Lowering;
using program::ValueId;

int count_of_programs() {
  const char* const count = std::getenv("HADAMARD_PROGRAMS");
  return count == nullptr ? 1500 : std::atoi(count);
}

std::int64_t below(Random& random, std::int64_t n) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
}
bool one_in(Random& random, int n) { return below(random, n) == 0; }

// A tensor with any strides inside a line of memory.
struct Laid {
  Tensor line;
  Layout layout;
  std::int64_t start = 0;
  ConstView view() const { return ConstView(line.data(), layout, start); }
};

// Strides in a random order of dimensions, some with gaps, some reversed, some 0 where allowed.
Laid lay_out(Random& random, DType type, const Dims& shape, bool may_repeat, bool without_zeros) {
  std::vector<std::size_t> order(shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const int form = static_cast<int>(below(random, 4));
  if (form > 1) std::shuffle(order.begin(), order.end(), random);
  Dims strides = Dims::filled(shape.size(), 0);
  std::int64_t step = 1, start = 0;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t dim = order[i];
    if (form == 3 && one_in(random, 3)) step *= 2;
    const bool repeats = may_repeat && form == 2 && one_in(random, 4);
    const bool reversed = form == 3 && one_in(random, 3) && shape[dim] > 0;
    strides[dim] = repeats ? 0 : reversed ? -step : step;
    if (reversed && !repeats) start += step * (shape[dim] - 1);
    step *= std::max<std::int64_t>(1, shape[dim]);
  }
  Laid laid{random_line(random, type, step + 1, without_zeros), Layout(type, shape, strides), 0};
  laid.start = start + (one_in(random, 3) ? 1 : 0);
  if (laid.start + 1 > step + 1) laid.start = 0;
  return laid;
}

// A shape that broadcasts to `whole`.
Dims part_of(Random& random, const Dims& whole) {
  const auto drop =
      one_in(random, 3) ? below(random, static_cast<std::int64_t>(whole.size()) + 1) : 0;
  Dims shape;
  for (std::size_t i = static_cast<std::size_t>(drop); i < whole.size(); ++i) {
    shape.push_back(one_in(random, 5) ? 1 : whole[i]);
  }
  return shape;
}

Dims random_shape(Random& random, bool large) {
  static const std::vector<Dims> small = {{},     {1},       {7},          {33},      {0},
                                          {3, 5}, {2, 3, 4}, {2, 1, 3, 2}, {4, 0, 2}, {5, 1}};
  static const std::vector<Dims> big = {{5000}, {3, 2100}, {700, 9}, {40, 3, 17}, {2, 3, 1100}};
  const auto& list = large ? big : small;
  return list[static_cast<std::size_t>(below(random, std::ssize(list)))];
}

struct RandomProgram {
  plan::Lowered lowered;
  std::vector<Laid> inputs;
};

// Functions whose reference takes microseconds are for few elements.
bool is_slow(Op op, DType type) {
  return is_function(op, type) || kind(type) == Kind::complex || kind(type) == Kind::exact;
}

class Maker {
 public:
  Maker(Random& random, bool large, IntDivision rounding)
      : random_(random), large_(large), lowering_({.int_division = rounding}) {}

  RandomProgram make() {
    const Dims whole = random_shape(random_, large_);
    const std::int64_t inputs = 1 + below(random_, 4);
    const auto types = all_types();
    const bool without_zeros = !one_in(random_, 6);
    for (std::int64_t i = 0; i < inputs; ++i) {
      const DType type = i > 0 && one_in(random_, 2)
                             ? laid_[0].layout.dtype
                             : types[static_cast<std::size_t>(below(random_, std::ssize(types)))];
      laid_.push_back(lay_out(random_, type, part_of(random_, whole), true, without_zeros));
      values_.push_back(lowering_.input("x" + std::to_string(i), laid_.back().layout));
    }
    const std::int64_t nodes = 1 + below(random_, 20);
    for (std::int64_t i = 0; i < 3 * nodes && std::ssize(values_) < inputs + nodes; ++i) add_node();
    const std::int64_t outputs = 1 + below(random_, 3);
    lowering_.output("y0", values_.back());
    for (std::int64_t i = 1; i < outputs; ++i) {
      lowering_.output("y" + std::to_string(i), any());
    }
    return {lowering_.finish(), std::move(laid_)};
  }

 private:
  ValueId any() { return values_[static_cast<std::size_t>(below(random_, std::ssize(values_)))]; }
  LoweredOperand operand_of(DType type) {
    if (one_in(random_, 8) && kind(type) != Kind::boolean) {
      return LoweredOperand(Real(1 + below(random_, 7)));
    }
    std::vector<ValueId> same;
    for (const ValueId id : values_) {
      if (lowering_.type(id) == type) same.push_back(id);
    }
    if (same.empty()) {
      const LoweredOperand from(any());
      return lowering_.apply(Op::cast, {&from, 1}, {}, type);
    }
    // Rather a late one: long chains.
    const auto late = one_in(random_, 2) ? std::ssize(same) - 1 : below(random_, std::ssize(same));
    return same[static_cast<std::size_t>(late)];
  }

  // Some that no float has, some that make middles of two floats.
  std::vector<Attribute> attributes_of(Op op) {
    std::vector<Attribute> made;
    if (large_ && !one_in(random_, 4)) return made;  // the reference takes microseconds
    for (const op::AttributeInfo& info : op::attributes(op)) {
      if (one_in(random_, 3)) continue;
      const Real value(below(random_, 81) - 40, one_in(random_, 2) ? 16 : 10);
      made.emplace_back(std::string(info.name), value);
    }
    return made;
  }

  void add_node() {
    const auto op = static_cast<Op>(below(random_, op::kOpCount));
    const ValueId first = one_in(random_, 3) ? any() : values_.back();
    const DType type = lowering_.type(first);
    if (large_ && is_slow(op, type)) return;
    try {
      std::vector<LoweredOperand> operands;
      DType to{};
      switch (op::type_rule(op)) {
        case op::TypeRule::convert: {
          const auto types = all_types();
          to = types[static_cast<std::size_t>(below(random_, std::ssize(types)))];
          if (to == DType::real &&
              (large_ || (kind(type) == Kind::floating && !one_in(random_, 4))))
            return;
          operands.push_back(first);
          break;
        }
        case op::TypeRule::select:
          operands.push_back(operand_of(DType::bool_));
          operands.push_back(first);
          operands.push_back(operand_of(type));
          break;
        case op::TypeRule::saturating:
          if (!op::is_defined(op, type)) return;
          operands.push_back(first);
          operands.push_back(operand_of(one_in(random_, 2) ? type : DType::fp64));
          if (one_in(random_, 2)) std::reverse(operands.begin(), operands.end());
          break;
        case op::TypeRule::same:
        case op::TypeRule::to_bool:
        case op::TypeRule::to_part:
        case op::TypeRule::from_parts:
        case op::TypeRule::to_fp64:
          if (!op::is_defined(op, type) && op::is_plain_for(op, type)) return;
          operands.push_back(first);
          for (int k = 1; k < op::arity(op); ++k) operands.push_back(operand_of(type));
          if (one_in(random_, 2)) std::reverse(operands.begin(), operands.end());
          break;
      }
      values_.push_back(lowering_.apply(op, operands, {}, to, attributes_of(op)));
    } catch (const Error& error) {
      // Complex to others, NaN to exact, a number that a type does not hold.
      ASSERT_TRUE(error.code() == ErrorCode::unsupported_type ||
                  error.code() == ErrorCode::bad_argument ||
                  error.code() == ErrorCode::type_mismatch)
          << error.what();
    }
  }

  Random& random_;
  const bool large_;
  Lowering lowering_;
  std::vector<Laid> laid_;
  std::vector<ValueId> values_;
};

struct Result {
  std::vector<Tensor> tensors;
  std::string error;
};

std::vector<exec::Place> places(const RandomProgram& program) {
  std::vector<exec::Place> at;
  for (const Laid& laid : program.inputs) {
    const ConstView view = laid.view();
    at.push_back({view.data(), view.offset()});
  }
  return at;
}
std::vector<Layout> layouts(const RandomProgram& program) {
  std::vector<Layout> all;
  for (const Laid& laid : program.inputs) all.push_back(laid.layout);
  return all;
}

Result run(const RandomProgram& program, const Options& options, std::size_t steps) {
  const auto impl =
      make_program_impl(program.lowered, layouts(program),
                        result_layouts(program.lowered, options.order), options, {.steps = steps});
  try {
    return {run_fresh(*impl, places(program)), {}};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

// Into outputs with any strides, which an error leaves as they were.
Result run_into(Random& random, const RandomProgram& program, const Options& options) {
  std::vector<Laid> outputs;
  std::vector<Layout> to;
  for (const Layout& layout : result_layouts(program.lowered, Order::row_major)) {
    outputs.push_back(lay_out(random, layout.dtype, layout.shape, false, false));
    to.push_back(outputs.back().layout);
  }
  std::vector<View> views;
  std::vector<Tensor> before;
  for (Laid& laid : outputs) {
    before.push_back(laid.line);
    views.emplace_back(laid.line.data(), laid.layout, laid.start);
  }
  const auto impl = make_program_impl(program.lowered, layouts(program), to, options);
  Result result;
  try {
    run_into_views(*impl, places(program), views);
    for (const View& view : views) result.tensors.emplace_back(view);
  } catch (const Error& error) {
    result.error = error.what();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_TRUE(same_memory(outputs[i].line, before[i])) << "an error wrote";
    }
  }
  return result;
}

void expect_same(const RandomProgram& program, const Result& expected, const Result& actual,
                 const std::string& how) {
  const std::string text = how + "\n" + program::to_text(program.lowered.program);
  ASSERT_EQ(expected.error, actual.error) << text;
  for (std::size_t i = 0; i < expected.tensors.size(); ++i) {
    ASSERT_TRUE(same_memory(expected.tensors[i], actual.tensors[i]))
        << text << "output " << i << ": " << differences(expected.tensors[i], actual.tensors[i]);
  }
}

// Four parts, which run side by side.
constexpr int kParts = 4;
class Programs : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Random, Programs, testing::Range(0, kParts));

TEST_P(Programs, FusedIsUnfusedIsReference) {
  const char* const given = std::getenv("HADAMARD_SEED");
  const std::uint64_t seed = given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
  int failed = 0, count = 0;
  std::map<Op, int> used;
  std::size_t nodes = 0;
  for (int i = GetParam(); i < count_of_programs(); i += kParts) {
    Random random(seed * 1'000'003 + static_cast<std::uint64_t>(i));
    const bool large = one_in(random, 12);
    const RandomProgram program =
        Maker(random, large, one_in(random, 2) ? IntDivision::floor : IntDivision::trunc).make();
    SCOPED_TRACE("program " + std::to_string(i));
    const Result expected = run(program, {.provider = "ref"}, 64);
    failed += expected.error.empty() ? 0 : 1;
    ++count;
    for (const program::Node& node : program.lowered.program.nodes()) {
      if (node.kind != program::Node::Kind::operation) continue;
      ++used[node.op];
      ++nodes;
    }
    for (const std::string_view target : cpu_targets()) {
      const Options options{.provider = "cpu", .cpu_target = target};
      const std::string name(target);
      ASSERT_NO_FATAL_FAILURE(expect_same(program, expected, run(program, options, 64), name));
      ASSERT_NO_FATAL_FAILURE(
          expect_same(program, expected, run(program, options, 1), name + ", not fused"));
      ASSERT_NO_FATAL_FAILURE(
          expect_same(program, expected, run(program, options, 3), name + ", split"));
      ASSERT_NO_FATAL_FAILURE(expect_same(program, expected, run_into(random, program, options),
                                          name + ", into given memory"));
    }
  }
  std::printf("%d programs of %.1f nodes, %d of them without a result\n", count,
              static_cast<double>(nodes) / count, failed);
  // Not all are the same few: every operator is there.
  if (count < 300) return;
  for (const Op op : op::kAllOps) {
    const bool is_composed =
        op::with_op(op, [](auto o) { return op::is_composed<typename decltype(o)::type>; });
    EXPECT_TRUE(used.contains(op) || is_composed) << name(op);  // clip is max and min
  }
  EXPECT_GT(nodes, 3U * static_cast<std::size_t>(count));
}

// NaNs with payload, both zeros, infinities, and truth values of any byte, in lines long enough for
// vectors.
TEST(ProgramSpecials, ComparisonsAndWhere) {
  for (const DType type : all_types()) {
    if (kind(type) != Kind::floating) continue;
    const Tensor special = special_line(type);
    const std::int64_t n = special.count(), all = n * n;
    const ConstView a(special.data(), Layout(type, Dims{n, n}, Dims{1, 0}));
    const ConstView b(special.data(), Layout(type, Dims{n, n}, Dims{0, 1}));
    const Tensor x(a), y(b);
    Tensor truth(DType::bool_, Dims{n, n});
    for (std::int64_t i = 0; i < all; ++i) {
      static_cast<unsigned char*>(truth.data())[i] = static_cast<unsigned char>(i * 37 % 5 * 51);
    }
    for (const Op op : op::kAllOps) {
      std::vector<ConstView> operands{x, y};
      if (op::type_rule(op) == op::TypeRule::select) operands.insert(operands.begin(), truth);
      const op::TypeRule rule = op::type_rule(op);
      if (rule == op::TypeRule::same || rule == op::TypeRule::convert) continue;
      if (!op::is_defined(op, type)) continue;
      operands.resize(static_cast<std::size_t>(op::arity(op)), x);
      const Tensor expected = apply(op, operands, {.provider = "ref"});
      for (const std::string_view target : cpu_targets()) {
        const Tensor actual = apply(op, operands, {.provider = "cpu", .cpu_target = target});
        ASSERT_TRUE(same_memory(expected, actual))
            << name(op) << " of " << name(type) << " on " << target << ": "
            << differences(expected, actual);
      }
    }
  }
}

}  // namespace
}  // namespace hadamard::difftest
