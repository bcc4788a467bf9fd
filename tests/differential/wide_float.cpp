// fp32 and fp64 against a wider type: double for fp32, binary128 for fp64, and one conversion.
//
//   wide_float [COUNT [COUNT_ON_OTHER_TARGETS]]     pairs per operator and type (default 2e6, the
//   same)
//
// Rounding twice does no harm here: double has 53 >= 2*24+2 bits and binary128 113 >= 2*53+2, and
// range to spare; products are exact. (mpfr_test checks this oracle itself.) On top of the random
// and structured pairs come all special values crossed with all special values. The expected NaN is
// the canonical one. The last line is "N passed, M failed". Exit 1 where any element differs.
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "support.hpp"
#include "wide_oracle.hpp"

namespace {

using namespace hadamard;
using namespace hadamard::difftest;

constexpr std::size_t kBlock = 4096;

template <class F>
struct Result {
  std::atomic<std::int64_t> pairs{0}, mismatches{0};
};

template <class F>
void check_block(Op op, const Prepared& prepared, const F* a, const F* b, std::size_t n,
                 std::string_view target, Result<F>& result) {
  F y[kBlock];
  std::fill_n(y, kBlock, F{42});
  if (n == kBlock) {
    prepared.run(a, b, y);
  } else {
    const Dims shape{static_cast<std::int64_t>(n)};
    apply_into(op, View(y, shape), ConstView(a, shape), ConstView(b, shape),
               {.provider = "cpu", .cpu_target = target});
  }
  using Bits = typename WideOracle<F>::Bits;
  for (std::size_t i = 0; i < n; ++i) {
    const auto expected = std::bit_cast<Bits>(WideOracle<F>::compute(op, a[i], b[i]));
    const auto actual = std::bit_cast<Bits>(y[i]);
    if (expected == actual) [[likely]]
      continue;
    if (result.mismatches++ < 5) {
      std::printf("  %s %s: %a, %a: got %llX, expected %llX\n", std::string(target).c_str(),
                  std::string(name(op)).c_str(), static_cast<double>(a[i]),
                  static_cast<double>(b[i]), static_cast<unsigned long long>(actual),
                  static_cast<unsigned long long>(expected));
    }
  }
  result.pairs += static_cast<std::int64_t>(n);
}

template <class F>
void check_specials(Op op, const Prepared& prepared, std::string_view target, Result<F>& result) {
  const auto values = special_bits(dtype_of<F>);
  std::vector<F> a, b;
  const auto flush = [&] {
    check_block(op, prepared, a.data(), b.data(), a.size(), target, result);
    a.clear();
    b.clear();
  };
  for (const std::uint64_t x : values) {
    for (const std::uint64_t y : values) {
      a.push_back(WideOracle<F>::from_bits(x));
      b.push_back(WideOracle<F>::from_bits(y));
      if (a.size() == kBlock) flush();
    }
  }
  if (!a.empty()) flush();
}

template <class F>
bool check(Op op, std::string_view target, std::int64_t count) {
  const auto start = std::chrono::steady_clock::now();
  const Layout line(dtype_of<F>, Dims{static_cast<std::int64_t>(kBlock)});
  const Prepared prepared =
      prepare(op, line, line, line, {.provider = "cpu", .cpu_target = target});
  Result<F> result;
  check_specials<F>(op, prepared, target, result);
  const std::int64_t blocks =
      (count + static_cast<std::int64_t>(kBlock) - 1) / static_cast<std::int64_t>(kBlock);
  std::atomic<std::int64_t> next{0};
  const auto work = [&](unsigned thread) {
    PairSource<F> source(0x9E3779B97F4A7C15U * (thread + 1) + static_cast<std::uint64_t>(op));
    std::vector<F> a(kBlock), b(kBlock);
    while (next++ < blocks) {
      for (std::size_t i = 0; i < kBlock; ++i) source.next(op, a[i], b[i]);
      check_block(op, prepared, a.data(), b.data(), kBlock, target, result);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(2U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back(work, i);
  }
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const bool good = result.mismatches == 0;
  std::printf("%s %-5s %-4s %-7s %11lld pairs %6lld mismatches %7.1f s\n", good ? "ok  " : "FAIL",
              std::string(name(dtype_of<F>)).c_str(), std::string(name(op)).c_str(),
              std::string(target).c_str(), static_cast<long long>(result.pairs),
              static_cast<long long>(result.mismatches), elapsed.count());
  std::fflush(stdout);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t best = argc > 1 ? std::atoll(argv[1]) : 2'000'000;
  const std::int64_t others = argc > 2 ? std::atoll(argv[2]) : best;
  if (best <= 0 || others <= 0) {
    std::fprintf(stderr, "usage: wide_float [COUNT [COUNT_ON_OTHER_TARGETS]]\n");
    return 2;
  }
  int passed = 0, failed = 0;
  for (const std::string_view target : cpu_targets()) {
    const std::int64_t count = target == cpu_targets().front() ? best : others;
    for_operations(DType::fp64, [&](Op op, IntDivision) {
      if (!has_wide_oracle(op)) {
        std::printf("     %s has no oracle here\n", std::string(name(op)).c_str());
        return;
      }
      (check<float>(op, target, count) ? passed : failed) += 1;
      (check<double>(op, target, count) ? passed : failed) += 1;
    });
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
