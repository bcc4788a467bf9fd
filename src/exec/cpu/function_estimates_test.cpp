// The error bounds that the estimates of elementary functions claim, against multiple precision, on
// every target. (That results are right is function_kernels_test.cpp's to show; they could be, by
// luck, with wrong bounds.)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/function_estimates_test.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/functions-inl.h"
#include "exec/cpu/targets.hpp"

#ifndef HADAMARD_FUNCTION_ESTIMATES_TEST
#define HADAMARD_FUNCTION_ESTIMATES_TEST
namespace hadamard::exec::cpu {

// hi + lo, and how far the true value may be from it; NaN where nothing is claimed. Where error is
// 0, hi is the result, rounded.
struct Claim {
  double hi, lo, error;
};
using Estimate = void (*)(const double* a, const double* b, Claim* y, std::size_t n);
struct Estimates {
  Estimate single[op::kOpCount];
  Estimate pair[op::kOpCount];
};

}  // namespace hadamard::exec::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

using D = hn::ScalableTag<double>;

template <class Operator>
void single_claims(const double* a, const double* b, Claim* y, std::size_t n) {
  double hi[hn::MaxLanes(D())];
  for (std::size_t i = 0; i < n; i += hn::Lanes(D())) {
    const auto x = hn::LoadU(D(), a + i), z = hn::LoadU(D(), b + i);
    hn::StoreU(SingleEstimates::value<Operator>(x, z), D(), hi);
    for (std::size_t k = 0; k < hn::Lanes(D()); ++k) {
      const double promise = SingleFunction<Operator>::kPromise;
      y[i + k] = {hi[k], 0, hi[k] < 0 ? -hi[k] * promise : hi[k] * promise};
    }
  }
}
template <class Operator>
void pair_claims(const double* a, const double* b, Claim* y, std::size_t n) {
  const PairFunction<Operator> function{};
  double parts[3][hn::MaxLanes(D())];
  for (std::size_t i = 0; i < n; i += hn::Lanes(D())) {
    const auto x = hn::LoadU(D(), a + i), z = hn::LoadU(D(), b + i);
    const PairEstimate e = PairEstimates::value(function, x, z);
    hn::StoreU(e.hi, D(), parts[0]);
    hn::StoreU(e.lo, D(), parts[1]);
    hn::StoreU(e.error, D(), parts[2]);
    for (std::size_t k = 0; k < hn::Lanes(D()); ++k) {
      y[i + k] = {parts[0][k], parts[1][k], parts[2][k]};
    }
  }
}

const Estimates* all_estimates() {
  static const Estimates all = [] {
    Estimates e{};
    for (const Op op : op::kPlainOps) {
      op::with_op(op, [&](auto o) {
        using Operator = typename decltype(o)::type;
        if constexpr (requires { sizeof(SingleFunction<Operator>); }) {
          e.single[static_cast<std::size_t>(op)] = &single_claims<Operator>;
        }
        if constexpr (requires { sizeof(PairFunction<Operator>); }) {
          e.pair[static_cast<std::size_t>(op)] = &pair_claims<Operator>;
        }
      });
    }
    return e;
  }();
  return &all;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/float_env.hpp"
#include "exec/cpu/test_kernels.hpp"
#include "num/precise_value.hpp"

namespace hadamard::exec::cpu {
namespace {

using multiple_precision::Number;

const Estimates* estimates(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(all_estimates); }

// By the oracle, which src/op/rounded_test.cpp checks.
void true_value(Op op, double a, double b, Number& y) {
  op::with_op(op, [&](auto o) {
    using Operator = typename decltype(o)::type;
    using multiple_precision::Value;
    if constexpr (!op::has_oracle<Operator>) {
      FAIL() << name(op) << " has no oracle";
    } else if constexpr (op::arity_of<Operator> == 2) {
      const Value value = Operator::oracle(Value(a, 160), Value(b, 160));
      mpfr_set(y, value.number(), MPFR_RNDN);
    } else {
      const Value value = Operator::oracle(Value(a, 160));
      mpfr_set(y, value.number(), MPFR_RNDN);
    }
  });
}

// Half of what is claimed must do, for all operands. Prints what was needed.
void check(Op op, Estimate estimate, const char* target, const std::vector<double>& a,
           const std::vector<double>& b) {
  std::vector<Claim> claims(a.size());
  {
    const ScopedFloatEnv env;
    estimate(a.data(), b.data(), claims.data(), a.size());
  }
  Number y(160);
  double worst = 0;
  std::size_t decided = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Claim& c = claims[i];
    if (!std::isfinite(c.hi) || c.hi == 0) continue;
    // Of singles, results that float has none like are not meant to be near.
    const double size = std::fabs(c.hi);
    if (c.lo == 0 && op != Op::hypot && (size > 0x1p129 || size < 0x1p-151)) continue;
    ++decided;
    ASSERT_NO_FATAL_FAILURE(true_value(op, a[i], b[i], y));
    if (c.error == 0) {
      ASSERT_EQ(mpfr_get_d(y, MPFR_RNDN), c.hi) << name(op) << " of " << a[i] << ", " << b[i];
      continue;
    }
    mpfr_sub_d(y, y, c.hi, MPFR_RNDN);
    mpfr_sub_d(y, y, c.lo, MPFR_RNDN);
    const double off = std::fabs(mpfr_get_d(y, MPFR_RNDN));
    worst = std::max(worst, off / c.error);
    ASSERT_LE(off, c.error / 2 + 5e-324)
        << name(op) << " of " << a[i] << ", " << b[i] << " on " << target;
  }
  EXPECT_GT(decided, a.size() / 5) << name(op);
  testing::Test::RecordProperty(std::string(name(op)) + "_" + target, std::to_string(worst));
}

// Numbers of at most `digits` bits.
std::vector<double> operands(int digits, int n) {
  std::mt19937_64 random(9);
  std::vector<double> all;
  while (all.size() < static_cast<std::size_t>(n)) {
    const std::uint64_t keep = ~((std::uint64_t{1} << (53 - digits)) - 1);
    const double unit = std::ldexp(static_cast<double>((random() >> 11) & keep), -53) * 2 - 1;
    const int exponent = static_cast<int>(random() % 40) - 29;
    const double steps = static_cast<double>(random() % 4001) - 2000;
    const auto rounded = [&](double x) { return digits < 53 ? static_cast<float>(x) : x; };
    all.push_back(rounded(unit * std::ldexp(1, exponent)));
    all.push_back(rounded(unit * 700));
    all.push_back(rounded(1 + unit * std::ldexp(1, -static_cast<int>(random() % 24))));
    all.push_back(rounded((steps + 0.5) * 0.0054152123481245726));  // log(2) / 128: the farthest
    all.push_back(rounded((steps + 0.5) * 0.0061359231515425647));  // pi / 512
    all.push_back(rounded(steps * 1.5707963267948966));
    all.push_back(rounded(1 + (steps + unit * 0x1p-20) * 0x1p-9));
    all.push_back(rounded(unit * 0x1p-8 * 1.01));
  }
  return all;
}

// Bases for powers, and exponents so that the logarithm of the power is anything up to `limit`.
void operands_of_powers(int digits, int n, double limit, std::vector<double>& a,
                        std::vector<double>& b) {
  std::mt19937_64 random(10);
  const auto add = [&](double x, double y) {
    a.push_back(digits < 53 ? static_cast<float>(x) : x);
    b.push_back(digits < 53 ? static_cast<float>(y) : y);
  };
  while (a.size() < static_cast<std::size_t>(n)) {
    const auto unit = [&] { return std::ldexp(static_cast<double>(random() >> 11), -52) - 1; };
    const int exponent = static_cast<int>(random() % 200) - 100;
    const double interval = static_cast<double>(random() % 256) + 0x16A;  // of the table
    for (const double x :
         {1 + unit() * std::ldexp(1, -static_cast<int>(random() % (digits - 3)) - 1),
          1 + unit() * 0x1p-8 * 1.01, 4 + 4 * unit(), std::ldexp(1.5 + unit() / 2, exponent),
          std::ldexp(interval + unit() * 0x1p-20, -9)}) {
      if (x <= 0 || x == 1) continue;
      const double y = unit() * limit / std::log(x);
      add(x, y);
      add(x, std::copysign(limit, unit()) / std::log(x));
      add(x, y * 0x1p-7);
      add(-x, std::nearbyint(y));
      add(x, static_cast<double>(random() % 32) / 2 - 8);
    }
  }
  while (a.size() % 64 != 0) add(1, 1);
}

void check_all(Estimate (Estimates::*list)[op::kOpCount], int digits, int n) {
  const std::vector<double> a = operands(digits, n);
  const std::vector<double> b(a.rbegin(), a.rend());
  std::vector<double> bases, exponents;
  operands_of_powers(digits, n, digits < 53 ? 104 : 689.9, bases, exponents);
  for (const std::int64_t target : targets_here()) {
    for (const Op op : op::kPlainOps) {
      const Estimate estimate = (estimates(target)->*list)[static_cast<std::size_t>(op)];
      if (estimate == nullptr) continue;
      const bool power = op == Op::pow;
      ASSERT_NO_FATAL_FAILURE(
          check(op, estimate, hwy::TargetName(target), power ? bases : a, power ? exponents : b));
    }
  }
}

TEST(FunctionEstimates, SinglesKeepTheirPromise) { check_all(&Estimates::single, 24, 16'000); }
TEST(FunctionEstimates, PairsKeepTheirPromise) { check_all(&Estimates::pair, 53, 16'000); }

}  // namespace
}  // namespace hadamard::exec::cpu
#endif
