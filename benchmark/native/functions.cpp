// exp, log, sin and their like: ours, and the plain loop over the C library's, by turns in one run.
//
//   hadamard_bench_functions [--smoke]
//
// 4096 normally distributed numbers (for logarithms their absolute values), one thread. Times are
// medians in ns an element, the last figure is the median of the rounds' ratios; ours is correctly
// rounded, the C library's is not always.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "hadamard/hadamard.hpp"

namespace {

constexpr std::size_t kCount = 4096;

template <class F>
double nanoseconds(F&& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count() / static_cast<double>(kCount);
}
double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

// Returns whether the two agree, but for a unit in the last place or some.
template <class T, class Library>
bool compare(const char* name, int rounds, Library library) {
  using namespace hadamard;
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0, 2);
  std::vector<T> a(kCount), ours(kCount), theirs(kCount);
  const bool positive = std::strncmp(name, "log", 3) == 0;
  for (T& x : a) x = static_cast<T>(positive ? std::fabs(normal(random)) : normal(random));
  const DType type = sizeof(T) == 4 ? DType::fp32 : DType::fp64;
  const Layout line(type, Dims{static_cast<std::int64_t>(kCount)});
  const Prepared kernel = prepare(*op_from_name(name), line, line, Options{.provider = "cpu"});
  std::vector<double> our_times, their_times, ratios;
  for (int i = 0; i < rounds; ++i) {
    our_times.push_back(nanoseconds([&] { kernel.run(a.data(), ours.data()); }));
    their_times.push_back(nanoseconds([&] {
      for (std::size_t k = 0; k < kCount; ++k) theirs[k] = library(a[k]);
    }));
    ratios.push_back(their_times.back() / our_times.back());
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    if (std::fabs(ours[i] - theirs[i]) >
        std::fabs(ours[i]) * 8 * std::numeric_limits<T>::epsilon()) {
      std::printf("WRONG: %s(%a): ours %a, the C library %a\n", name, static_cast<double>(a[i]),
                  static_cast<double>(ours[i]), static_cast<double>(theirs[i]));
      return false;
    }
  }
  std::printf("%s %-8s ours %6.2f ns   C library %6.2f ns   %5.2f times as fast\n",
              std::string(hadamard::name(type)).c_str(), name, median(our_times),
              median(their_times), median(ratios));
  return true;
}

template <class T>
bool compare_all(int rounds) {
  bool good = true;
#define HADAMARD_BENCH_FUNCTION(id) \
  good = compare<T>(#id, rounds, [](T x) { return std::id(x); }) && good;
  HADAMARD_BENCH_FUNCTION(exp)
  HADAMARD_BENCH_FUNCTION(exp2)
  HADAMARD_BENCH_FUNCTION(expm1)
  HADAMARD_BENCH_FUNCTION(log)
  HADAMARD_BENCH_FUNCTION(log2)
  HADAMARD_BENCH_FUNCTION(log10)
  HADAMARD_BENCH_FUNCTION(log1p)
  HADAMARD_BENCH_FUNCTION(sin)
  HADAMARD_BENCH_FUNCTION(cos)
  HADAMARD_BENCH_FUNCTION(tanh)
#undef HADAMARD_BENCH_FUNCTION
  return compare<T>("sigmoid", rounds, [](T x) { return 1 / (1 + std::exp(-x)); }) && good;
}

}  // namespace

int main(int argc, char** argv) {
  const bool smoke = argc > 1 && std::strcmp(argv[1], "--smoke") == 0;
  if (argc > 2 || (argc == 2 && !smoke)) {
    std::fprintf(stderr, "usage: hadamard_bench_functions [--smoke]\n");
    return 2;
  }
  const int rounds = smoke ? 1 : 201;
  const bool singles = compare_all<float>(rounds), doubles = compare_all<double>(rounds);
  return singles && doubles ? 0 : 1;
}
