// Every operator, type, loop kind and layout, on every CPU target, against the reference: bit for
// bit.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <set>

#include "num/dtype.hpp"
#include "support.hpp"

namespace hadamard::difftest {
namespace {

// What f throws, or "".
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

class Targets : public testing::TestWithParam<DType> {
 protected:
  DType type() const { return GetParam(); }

  // Runs an arrangement on the reference and on every target, from the same memory, and compares
  // all of the output's memory: what lies beside the output's elements must be as it was.
  void check(const Arrangement& way, Op op, IntDivision rounding) {
    // With one operand there is nothing to stretch, and no B to lie over.
    const bool two = op::arity(op) == 2;
    if (!two && (way.output == Output::over_b || !(way.a.shape == way.y.shape))) return;
    Random random(static_cast<std::uint64_t>(way.length) * 31 + static_cast<std::uint64_t>(op));
    const bool nonzero = refuses_zero(op, type());
    const Tensor a = random_line(random, type(), way.length, nonzero && op != Op::div);
    const Tensor b = random_line(random, type(), way.length, nonzero);
    Tensor apart = random_line(random, type(), way.length, false);
    const Tensor& under = way.output == Output::over_a   ? a
                          : way.output == Output::over_b ? b
                                                         : apart;
    Options options{.int_division = rounding, .provider = "ref"};
    Tensor expected = under;
    const std::string expected_error = error_of(
        [&] { compute_into(op, look(expected, way.y), look(a, way.a), look(b, way.b), options); });
    // An operator that computes its divisors may meet a zero all the same; division does not.
    ASSERT_TRUE(expected_error.empty() || (nonzero && op != Op::div)) << expected_error;

    options.provider = "cpu";
    for (const std::string_view target : cpu_targets()) {
      options.cpu_target = target;
      Tensor actual = under;
      const Tensor& from_a = way.output == Output::over_a ? actual : a;
      const Tensor& from_b = way.output == Output::over_b ? actual : b;
      ASSERT_EQ(error_of([&] {
                  compute_into(op, look(actual, way.y), look(from_a, way.a), look(from_b, way.b),
                               options);
                }),
                expected_error);
      ASSERT_TRUE(same_memory(expected, actual))
          << describe(way, op, rounding, target) << differences(expected, actual);
      if (way.partial_overlap || !expected_error.empty()) continue;
      actual = under;
      const Prepared prepared = prepare_any(op, look(a, way.a).layout(), look(b, way.b).layout(),
                                            look(actual, way.y).layout(), options);
      run_any(op, prepared, look(from_a, way.a), look(from_b, way.b), look(actual, way.y));
      ASSERT_TRUE(same_memory(expected, actual))
          << describe(way, op, rounding, target) << " prepared" << differences(expected, actual);
    }
  }

  std::string describe(const Arrangement& way, Op op, IntDivision rounding,
                       std::string_view target) const {
    std::string text(name(type()));
    for (const std::string_view part :
         {name(op), name(rounding), target, std::string_view(way.name)}) {
      text += " ";
      text += part;
    }
    return text + " " + to_string(way.y.shape);
  }

  void check_all(std::int64_t n, std::size_t first = 0, std::size_t count = 1000) {
    const auto ways = arrangements(n);
    for (std::size_t i = first; i < std::min(ways.size(), first + count); ++i) {
      for_operations(type(), [&](Op op, IntDivision rounding) {
        if (n > 100 && is_function(op, type())) return;  // a slow reference, and the same loop
        if (!HasFatalFailure()) check(ways[i], op, rounding);
      });
      if (HasFatalFailure()) return;
    }
  }

  // The smallest size that the CPU provider gives to several threads, and a bit.
  std::int64_t parallel_size() const {
    return (1 << 20) / (3 * std::max(1, bits(type()) / 8)) + 1037;
  }
};

TEST_P(Targets, LinesOfEveryLengthAroundTheVectors) {
  for (std::int64_t n = 0; n <= 70; ++n) {
    ASSERT_NO_FATAL_FAILURE(check_all(n, 0, 6));  // contiguous and scalar arrangements
  }
}

// Zeros, extremes, infinities and NaNs seldom meet by chance, least of all in the four parts of two
// complex numbers: here each meets each.
TEST_P(Targets, SpecialsByEachOther) {
  const Tensor specials = special_line(type());
  const std::int64_t n = specials.count();
  if (n == 0) {
    SUCCEED() << "no special values";
    return;
  }
  const auto line_of = [&](std::int64_t outer, std::int64_t inner) {
    const ConstView grid = look(specials, {{n, n}, {outer, inner}, 0});
    return apply(Op::identity, grid, {.provider = "ref"});
  };
  const Tensor a = line_of(1, 0), b = line_of(0, 1);
  for_operations(type(), [&](Op op, IntDivision) {
    const Tensor expected = compute(op, a, b, {.provider = "ref"});
    for (const std::string_view target : cpu_targets()) {
      const Tensor actual = compute(op, a, b, {.provider = "cpu", .cpu_target = target});
      EXPECT_TRUE(same_memory(expected, actual))
          << name(type()) << " " << name(op) << " " << target << differences(expected, actual);
    }
  });
}

TEST_P(Targets, EveryLayout) {
  for (const std::int64_t n : {0, 1, 2, 3, 7, 8, 9, 16, 17, 31, 33, 65, 1000}) {
    if (n == 1000 && (kind(type()) == Kind::complex || kind(type()) == Kind::exact))
      continue;  // EveryLayoutInThreads has long lines
    ASSERT_NO_FATAL_FAILURE(check_all(n));
  }
}

TEST_P(Targets, EveryLayoutInThreads) {
  const std::int64_t n = parallel_size();
  // Exact arithmetic is slow: fewer arrangements for the types whose reference it is.
  const bool slow = kind(type()) == Kind::complex || kind(type()) == Kind::exact;
  const std::set<std::string> lines =
      slow ? std::set<std::string>{"contiguous", "in_place_a"}
           : std::set<std::string>{"contiguous",    "scalar_left", "odd_offsets", "in_place_a",
                                   "overlap_later", "sliced",      "reversed_y"};
  const std::set<std::string> matrices = {"row", "column", "transposed_a"};
  const auto check_those = [&](std::int64_t inner, const std::set<std::string>& names) {
    for (const Arrangement& way : arrangements(inner)) {
      if (!names.contains(way.name)) continue;
      for_operations(type(), [&](Op op, IntDivision rounding) {
        // Layouts are walked by the same code for all; those after division show their own loops.
        if (op > Op::div && op != Op::neg && way.name != "contiguous") return;
        if (is_function(op, type()) && op != Op::exp) return;
        if (!HasFatalFailure()) check(way, op, rounding);
      });
    }
  };
  check_those(n, lines);
  if (!slow) check_those(n / 3 + 1, matrices);
}

TEST_P(Targets, TheNumberOfThreadsDoesNotMatter) {
  Random random(7);
  const std::int64_t n = 2 * parallel_size() + 5;
  const Tensor a = random_line(random, type(), n, false);
  const Tensor b = random_line(random, type(), n, true);
  for_operations(type(), [&](Op op, IntDivision rounding) {
    if (kind(type()) == Kind::exact && op != Op::add) return;  // slow, and the same loop
    if (refuses_zero(op, type()) && op != Op::div) return;     // it may meet a zero
    std::vector<Tensor> results;
    for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      results.push_back(compute(op, a, b, {.int_division = rounding, .provider = "cpu"}));
    }
    for (const Tensor& result : results) {
      ASSERT_TRUE(same_memory(results[0], result)) << name(op) << differences(results[0], result);
    }
  });
}

// A zero divisor anywhere is found by every target, and leaves the output alone.
TEST_P(Targets, ZeroDivisorsEverywhere) {
  if (!refuses_zero(Op::div, type())) {
    SUCCEED() << "division by zero has an answer";
    return;
  }
  Random random(3);
  std::vector<std::string_view> wheres = cpu_targets();
  wheres.push_back("ref");
  for (const std::int64_t n : {1L, 15L, 33L, 70L, 1000L, long{parallel_size()}}) {
    const Tensor a = random_line(random, type(), n, false);
    for (const std::int64_t zero : {std::int64_t{0}, n / 2, n - 1}) {
      Tensor b = random_line(random, type(), n, true);
      const Tensor nothing(type(), Dims{n});
      with_type(type(), [&](auto t) {
        using T = typename decltype(t)::type;
        b.set<T>({zero}, nothing.at<T>({0}));
      });
      for (const std::string_view where : wheres) {
        Options options{.provider = where == "ref" ? "ref" : "cpu"};
        if (where != "ref") options.cpu_target = where;
        Tensor y = a;
        for (const bool into : {true, false}) {
          try {
            if (into)
              apply_into(Op::div, y.view(), a, b, options);
            else
              apply(Op::div, a, b, options);
            FAIL() << name(type()) << " " << where << " n " << n << ": no error";
          } catch (const Error& error) {
            ASSERT_EQ(error.code(), ErrorCode::zero_divisor);
            ASSERT_NE(std::string(error.what()).find("index (" + std::to_string(zero) + ")"),
                      std::string::npos)
                << error.what();
          }
        }
        ASSERT_TRUE(same_memory(a, y)) << name(type()) << " " << where << " n " << n;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Differential, Targets, testing::ValuesIn(all_types()),
                         [](const auto& instance) { return std::string(name(instance.param)); });

}  // namespace
}  // namespace hadamard::difftest
