// All 2^32 numbers of fp32 for each elementary function of one operand, through the product's
// prepared kernels, on every CPU target.
//
//   exhaustive_unary [--slice K/N] [--target T] [--threads N] [FUNCTION…]
//
// --slice K/N takes of the 65536 lines (numbers whose upper 16 bits are alike) those with
// line mod N = K. The last line is "N passed, M failed", counted in function x target. Exit 1 where
// any element differs.
//
// What is expected is decided for each number, without code of the product:
//   - by the C library's function in double, where all values within 16 units of its last place
//     round to one float. Trusted: that it is no farther off. Its manual states 4 units at most;
//     and of every 1021st number multiple precision is asked whether it is within 4.
//   - by multiple precision (MPFR) for all others: some hundred numbers of each function.
// sigmoid and the activations, which the C library does not have, are formulas of its functions in
// double: 2 to 4 units more.
#include <mpfr.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "exec/cpu/cpu_provider.hpp"
#include "hadamard/hadamard.hpp"

namespace {

using Word = std::uint32_t;
constexpr std::size_t kLine = 65536;
constexpr Word kNan = 0x7FC00000;
constexpr int kShown = 5;            // mismatches that are printed, per target
constexpr Word kSampleEvery = 1021;  // prime to the length of a line

using Library = double (*)(double);
using Exact = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
int exact_sigmoid(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_neg(y, x, rounding);
  mpfr_exp(y, y, rounding);
  mpfr_add_ui(y, y, 1, rounding);
  return mpfr_ui_div(y, 1, y, rounding);
}

// Activations.
double elu(double x) { return x > 0 ? x : std::expm1(x); }
int exact_elu(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return mpfr_sgn(x) > 0 ? mpfr_set(y, x, rounding) : mpfr_expm1(y, x, rounding);
}
double stanh(double x) { return 1.7159 * std::tanh(0.67 * x); }
int exact_stanh(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_mul_ui(y, x, 67, rounding);
  mpfr_div_ui(y, y, 100, rounding);
  mpfr_tanh(y, y, rounding);
  mpfr_mul_ui(y, y, 17159, rounding);
  return mpfr_div_ui(y, y, 10000, rounding);
}
double swish(double x) { return x < -700 ? -0.0 : x / (1 + std::exp(-x)); }
int exact_swish(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  exact_sigmoid(y, x, rounding);
  return mpfr_mul(y, y, x, rounding);
}
double softplus(double x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }
int exact_softplus(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_abs(y, x, rounding);
  mpfr_neg(y, y, rounding);
  mpfr_exp(y, y, rounding);
  mpfr_log1p(y, y, rounding);
  return mpfr_sgn(x) > 0 ? mpfr_add(y, y, x, rounding) : 0;
}
double logsigmoid(double x) { return -softplus(-x); }
int exact_logsigmoid(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_t minus_x;
  mpfr_init2(minus_x, 24);
  mpfr_neg(minus_x, x, rounding);
  exact_softplus(y, minus_x, rounding);
  mpfr_clear(minus_x);
  return mpfr_neg(y, y, rounding);
}
double soft_relu(double x) { return std::isnan(x) ? x : softplus(std::clamp(x, -40.0, 40.0)); }
int exact_soft_relu(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_t limited;
  mpfr_init2(limited, 24);
  mpfr_set(limited, x, rounding);
  if (mpfr_cmp_si(x, 40) > 0) mpfr_set_si(limited, 40, rounding);
  if (mpfr_cmp_si(x, -40) < 0) mpfr_set_si(limited, -40, rounding);
  exact_softplus(y, limited, rounding);
  mpfr_clear(limited);
  return 0;
}
double softsign(double x) { return std::isinf(x) ? std::copysign(1, x) : x / (1 + std::fabs(x)); }
int exact_softsign(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_abs(y, x, rounding);
  mpfr_add_ui(y, y, 1, rounding);
  return mpfr_div(y, x, y, rounding);
}
// Below 2 the difference would cancel: (x cosh x - sinh x) / cosh x, by series of positive terms.
double tanh_shrink(double x) {
  if (std::fabs(x) >= 2) return x - std::tanh(x);
  const double z = x * x;
  double term = x * z / 6, sum = -0.0, cosine = 1, power = 1;  // -0 + -0 is -0: odd
  for (int k = 1; k < 14; ++k) {  // sums of 2k x^(2k+1) / (2k+1)! and x^2k / (2k)!
    sum += 2 * k * term;
    term *= z / ((2 * k + 2) * (2 * k + 3));
    power *= z / ((2 * k - 1) * (2 * k));
    cosine += power;
  }
  return sum / cosine;
}
int exact_tanh_shrink(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (mpfr_zero_p(x)) return mpfr_set(y, x, rounding);  // odd: -0 for -0
  if (mpfr_cmpabs_ui(x, 64) > 0) {  // 1 less: and less by something that no precision shows
    const int sign = mpfr_sgn(x);
    mpfr_sub_si(y, x, sign, rounding);
    if (mpfr_inf_p(x) == 0) sign > 0 ? mpfr_nextabove(y) : mpfr_nextbelow(y);
    return 0;
  }
  mpfr_t t;
  mpfr_init2(t, 640);  // 2^-149 cubed
  mpfr_tanh(t, x, rounding);
  const int ternary = mpfr_sub(y, x, t, rounding);
  mpfr_clear(t);
  return ternary;
}

struct Function {
  const char* name;  // as the product calls it
  Library library;
  Exact exact;
  int units = 4;  // of the estimate's last place that it may be off
};
constexpr Function kFunctions[] = {{"sqrt", &std::sqrt, &mpfr_sqrt},
                                   {"exp", &std::exp, &mpfr_exp},
                                   {"expm1", &std::expm1, &mpfr_expm1},
                                   {"exp2", &std::exp2, &mpfr_exp2},
                                   {"log", &std::log, &mpfr_log},
                                   {"log1p", &std::log1p, &mpfr_log1p},
                                   {"log2", &std::log2, &mpfr_log2},
                                   {"log10", &std::log10, &mpfr_log10},
                                   {"tanh", &std::tanh, &mpfr_tanh},
                                   {"sigmoid", &sigmoid, &exact_sigmoid, 6},
                                   {"sin", &std::sin, &mpfr_sin},
                                   {"cos", &std::cos, &mpfr_cos},
                                   {"elu", &elu, &exact_elu},
                                   {"stanh", &stanh, &exact_stanh, 8},
                                   {"swish", &swish, &exact_swish, 8},
                                   {"soft_relu", &soft_relu, &exact_soft_relu, 8},
                                   {"logsigmoid", &logsigmoid, &exact_logsigmoid, 8},
                                   {"softsign", &softsign, &exact_softsign},
                                   {"softplus", &softplus, &exact_softplus, 8},
                                   {"tanh_shrink", &tanh_shrink, &exact_tanh_shrink, 8}};

// By multiple precision, in as many bits as leave no doubt: no value of these functions that is not
// exact is within 2^-320 of a float or of a middle of two. (stanh comes nearest, 2^-300: subnormal
// multiples of 5^6 times 1.149653 are exact middles, and it is a little less.)
class ByMultiplePrecision {
 public:
  ByMultiplePrecision() { mpfr_inits2(400, x_, y_, static_cast<mpfr_ptr>(nullptr)); }
  ~ByMultiplePrecision() { mpfr_clears(x_, y_, static_cast<mpfr_ptr>(nullptr)); }
  ByMultiplePrecision(const ByMultiplePrecision&) = delete;
  ByMultiplePrecision& operator=(const ByMultiplePrecision&) = delete;

  // The bits that a double does not hold are gathered in its last one: rounding again, to float,
  // does no harm.
  float rounded(const Function& function, float x) {
    compute(function, x);
    const double y = mpfr_get_d(y_, MPFR_RNDZ);
    if (!std::isfinite(y) || mpfr_cmp_d(y_, y) == 0) return static_cast<float>(y);
    return static_cast<float>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) | 1));
  }
  bool is_within(const Function& function, float x, double estimate) {
    compute(function, x);
    if (mpfr_number_p(y_) == 0 || !std::isfinite(estimate)) return true;
    // Where double has few bits or none left, float is 0 for any estimate of that size.
    if (std::fabs(estimate) < 0x1p-1000) return mpfr_zero_p(y_) != 0 || mpfr_get_exp(y_) < -990;
    mpfr_sub_d(y_, y_, estimate, MPFR_RNDN);
    return std::fabs(mpfr_get_d(y_, MPFR_RNDN)) <= std::fabs(estimate) * 0x1p-52 * function.units;
  }

 private:
  void compute(const Function& function, float x) {
    mpfr_set_flt(x_, x, MPFR_RNDN);
    function.exact(y_, x_, MPFR_RNDN);
  }
  mpfr_t x_, y_;
};

struct Count {
  std::atomic<std::int64_t> by_multiple_precision{0}, sampled{0}, beyond{0};
};

void expect(const Function& function, Word first, Word* y, ByMultiplePrecision& exact,
            Count& count) {
  std::int64_t hard = 0;
  for (std::size_t i = 0; i < kLine; ++i) {
    const Word bits = first + static_cast<Word>(i);
    const auto x = std::bit_cast<float>(bits);
    const double e = function.library(static_cast<double>(x));
    if (std::isnan(e)) {
      y[i] = kNan;
      continue;
    }
    const auto low = static_cast<float>(e * (1 - 0x1p-49));
    const auto high = static_cast<float>(e * (1 + 0x1p-49));
    if (low == high) {
      y[i] = std::bit_cast<Word>(low);
    } else {
      y[i] = std::bit_cast<Word>(exact.rounded(function, x));
      ++hard;
    }
    if (bits % kSampleEvery != 0) continue;
    ++count.sampled;
    if (exact.is_within(function, x, e)) continue;
    if (count.beyond++ < kShown)
      std::printf("  the C library's %s(%a) is %a\n", function.name, x, e);
  }
  count.by_multiple_precision += hard;
}

struct Arguments {
  std::size_t slice = 0;
  std::size_t slices = 1;
  std::string target;
  std::vector<std::string> functions;
  unsigned threads = std::max(2U, std::thread::hardware_concurrency());
};

struct Runner {
  Runner(const Function& function, std::string_view name)
      : target(name), kernel(prepared(function, name)) {}

  void run(Word first, const Word* a, const Word* expected, Word* y) {
    std::memset(y, 0x5A, kLine * sizeof(Word));
    kernel.run(a, y);
    numbers += static_cast<std::int64_t>(kLine);
    if (std::memcmp(y, expected, kLine * sizeof(Word)) == 0) return;
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < kLine; ++i) {
      if (y[i] == expected[i] || mismatches++ >= kShown) continue;
      std::printf("  %s: %08X: got %08X, expected %08X\n", std::string(target).c_str(),
                  first + static_cast<Word>(i), y[i], expected[i]);
    }
  }
  static hadamard::Prepared prepared(const Function& function, std::string_view target) {
    using namespace hadamard;
    const Layout line(DType::fp32, Dims{static_cast<std::int64_t>(kLine)});
    return prepare(*op_from_name(function.name), line, line,
                   Options{.provider = "cpu", .cpu_target = target});
  }

  std::string_view target;
  hadamard::Prepared kernel;
  std::mutex mutex;
  std::atomic<std::int64_t> numbers{0}, mismatches{0};
};

// Returns how many targets passed; `all` is how many there are.
int run_function(const Function& function, const Arguments& arguments, int& all) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Runner>> runners;
  for (const auto& target : hadamard::exec::cpu_targets()) {
    if (target.supported && (arguments.target.empty() || arguments.target == target.name)) {
      runners.push_back(std::make_unique<Runner>(function, target.name));
    }
  }
  Count count;
  std::atomic<std::size_t> next{arguments.slice};
  const auto work = [&] {
    ByMultiplePrecision exact;
    std::vector<Word> a(kLine), expected(kLine), y(kLine);
    for (std::size_t line = next.fetch_add(arguments.slices); line < kLine;
         line = next.fetch_add(arguments.slices)) {
      const auto first = static_cast<Word>(line * kLine);
      for (std::size_t i = 0; i < kLine; ++i) a[i] = first + static_cast<Word>(i);
      expect(function, first, expected.data(), exact, count);
      for (auto& runner : runners) runner->run(first, a.data(), expected.data(), y.data());
    }
    mpfr_free_cache();
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < arguments.threads; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();

  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  int passed = 0;
  for (const auto& runner : runners) {
    const bool good = runner->mismatches == 0 && runner->numbers > 0 && count.beyond == 0;
    passed += good ? 1 : 0;
    std::printf("%s %-11s %-7s %11lld numbers %9lld mismatches\n", good ? "ok  " : "FAIL",
                function.name, std::string(runner->target).c_str(),
                static_cast<long long>(runner->numbers),
                static_cast<long long>(runner->mismatches));
  }
  std::printf(
      "     %-11s oracle  %lld by multiple precision; %lld of %lld estimates too far off; "
      "%.1f s\n",
      function.name, static_cast<long long>(count.by_multiple_precision),
      static_cast<long long>(count.beyond), static_cast<long long>(count.sampled), elapsed.count());
  std::fflush(stdout);
  all += static_cast<int>(runners.size());
  return passed;
}

[[noreturn]] void usage(const std::string& why) {
  std::fprintf(stderr,
               "exhaustive_unary: %s\nusage: exhaustive_unary [--slice K/N] [--target T] "
               "[--threads N] [FUNCTION…]\nfunctions:",
               why.c_str());
  for (const Function& function : kFunctions) std::fprintf(stderr, " %s", function.name);
  std::fprintf(stderr, "\n");
  std::exit(2);
}

void parse_slice(const std::string& value, Arguments& arguments) {
  char* end = nullptr;
  arguments.slice = std::strtoul(value.c_str(), &end, 10);
  if (*end == '/') arguments.slices = std::strtoul(end + 1, &end, 10);
  if (*end != 0 || arguments.slices == 0 || arguments.slice >= arguments.slices) {
    usage("--slice wants K/N with K < N, got " + value);
  }
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (key.rfind("--", 0) != 0) {
      const bool known = std::any_of(std::begin(kFunctions), std::end(kFunctions),
                                     [&](const Function& f) { return f.name == key; });
      if (!known) usage("no function " + key);
      arguments.functions.push_back(key);
      continue;
    }
    if (++i == argc) usage(key + " needs a value");
    const std::string value = argv[i];
    if (key == "--slice") {
      parse_slice(value, arguments);
    } else if (key == "--target") {
      arguments.target = value;
    } else if (key == "--threads") {
      arguments.threads = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
      if (arguments.threads == 0) usage("--threads wants a number from 1, got " + value);
    } else {
      usage("unknown option " + key);
    }
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  int passed = 0, all = 0;
  for (const Function& function : kFunctions) {
    const auto& wanted = arguments.functions;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), function.name) == wanted.end())
      continue;
    passed += run_function(function, arguments, all);
  }
  if (all == 0) usage("no such target");
  std::printf("%d passed, %d failed\n", passed, all - passed);
  return passed == all ? 0 : 1;
}
