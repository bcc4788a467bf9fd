// Programs: fused, node by node, the limit of the memory, and rivals, by turns in one run.
//
//   hadamard_bench_programs [--smoke]
//
// Times are medians in ns an element; ratios are medians of the rounds' ratios. Results are checked
// before they are timed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "hadamard/program.hpp"
#include "program_rivals.hpp"

namespace {

using namespace hadamard;

struct Contender {
  std::string name;
  std::function<void()> run;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// One line: each contender's time, and how many times as fast the first one is as each other.
void compare(const std::string& what, std::int64_t n, int rounds,
             const std::vector<Contender>& all) {
  std::vector<std::vector<double>> times(all.size());
  for (int round = 0; round < rounds + 1; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto start = std::chrono::steady_clock::now();
      all[i].run();
      const std::chrono::duration<double, std::nano> time =
          std::chrono::steady_clock::now() - start;
      if (round > 0)
        times[i].push_back(time.count() / static_cast<double>(n));  // the first warms up
    }
  }
  std::printf("%-34s", what.c_str());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < times[i].size(); ++r) ratios.push_back(times[i][r] / times[0][r]);
    std::printf("  %s %.3f ns", all[i].name.c_str(), median(times[i]));
    if (i > 0) std::printf(" (%.2f)", median(ratios));
  }
  std::printf("\n");
}

template <class T>
struct Lines {
  explicit Lines(std::int64_t n) : a(n), b(n), c(n), y(n), t(n), u(n) {
    for (std::int64_t i = 0; i < n; ++i) {
      a.at(i) = static_cast<T>(i % 1013) / 7 + 1;
      b.at(i) = static_cast<T>(i % 77) / 3;
      c.at(i) = static_cast<T>(i % 131) / 11 + 1;
    }
  }
  // Aligned to a cache line, as Eigen wants it.
  struct Line {
    explicit Line(std::int64_t n) : tensor(dtype_of<T>, Dims{n}) {}
    T* data() { return static_cast<T*>(tensor.data()); }
    T& at(std::int64_t i) { return data()[i]; }
    Tensor tensor;
  };
  Line a, b, c, y, t, u;
};

template <class T>
bool same(const typename Lines<T>::Line& x, const typename Lines<T>::Line& y) {
  return std::memcmp(x.tensor.data(), y.tensor.data(), x.tensor.size_bytes()) == 0;
}

// In halves, on two threads.
template <class T>
void on_threads(int threads, const bench::Quotient<T>& q) {
  if (threads == 1) return bench::limit(q);
  const std::int64_t half = q.n / 2 / 64 * 64;
  std::thread second([&] {
    bench::limit(
        bench::Quotient<T>{q.a + half, q.b + half, q.c + half, q.y + half, q.n - half, q.e});
  });
  bench::limit(bench::Quotient<T>{q.a, q.b, q.c, q.y, half, q.e});
  second.join();
}

template <class T>
bool quotient(std::int64_t n, int rounds, int threads) {
  set_threads(threads);
  Lines<T> l(n);
  const T e = static_cast<T>(1e-6);
  const Tensor& a = l.a.tensor;
  const PreparedProgram fused = prepare((lazy(a) - l.b.tensor) / (lazy(l.c.tensor) + e));
  const auto run_fused = [&] { fused.run({l.a.data(), l.b.data(), l.c.data()}, {l.y.data()}); };
  const Tensor scalar = Tensor::scalar(e);
  const auto nodes = [&] {
    sub_into(l.t.tensor.view(), a, l.b.tensor);
    add_into(l.u.tensor.view(), l.c.tensor, scalar);
    div_into(l.t.tensor.view(), l.t.tensor, l.u.tensor);
  };
  run_fused();
  nodes();
  if (!same<T>(l.y, l.t)) {
    std::printf("WRONG: (A - B) ./ (C + e)\n");
    return false;
  }
  const bench::Quotient<T> q{l.a.data(), l.b.data(), l.c.data(), l.u.data(), n, e};
  std::vector<Contender> all{
      {"ours", run_fused}, {"limit", [&] { on_threads(threads, q); }}, {"node by node", nodes}};
  for (const bench::Rival& rival : bench::rivals()) {
    if (threads > 1) continue;
    void (*run)(const bench::Quotient<T>&) = nullptr;
    if constexpr (sizeof(T) == 4) {
      run = rival.single;
    } else {
      run = rival.pair;
    }
    run(q);
    if (!same<T>(l.y, l.u)) {
      std::printf("WRONG: %s\n", std::string(rival.name).c_str());
      return false;
    }
    all.push_back({std::string(rival.name), [run, q] { run(q); }});
  }
  compare("(A-B)./(C+1e-6) fp" + std::to_string(8 * sizeof(T)) + ", " + std::to_string(n) + ", " +
              std::to_string(threads) + " thread" + (threads == 1 ? "" : "s"),
          n, rounds, all);
  return true;
}

// Six nodes of + - *.
template <class T>
bool chain(std::int64_t n, int rounds) {
  set_threads(1);
  Lines<T> l(n);
  const Tensor &a = l.a.tensor, &b = l.b.tensor, &c = l.c.tensor;
  const PreparedProgram fused = prepare((((lazy(a) + b) * c - a) * b + c) - b);
  const auto run_fused = [&] { fused.run({l.a.data(), l.b.data(), l.c.data()}, {l.y.data()}); };
  const auto nodes = [&] {
    const View t = l.t.tensor.view();
    add_into(t, a, b);
    mul_into(t, t, c);
    sub_into(t, t, a);
    mul_into(t, t, b);
    add_into(t, t, c);
    sub_into(t, t, b);
  };
  run_fused();
  nodes();
  if (!same<T>(l.y, l.t)) {
    std::printf("WRONG: chain of six\n");
    return false;
  }
  compare("chain of 6, fp" + std::to_string(8 * sizeof(T)) + ", " + std::to_string(n), n, rounds,
          {{"ours", run_fused}, {"node by node", nodes}});
  return true;
}

// RunMat's published chain, and the correctly rounded sum of its result.
bool runmat(std::int64_t n, int rounds, int threads) {
  set_threads(threads);
  Tensor x(DType::fp32, Dims{n}), y(DType::fp32, Dims{n}), z(DType::fp32, Dims{n});
  auto* const values = static_cast<float*>(x.data());
  for (std::int64_t i = 0; i < n; ++i) {
    values[i] = static_cast<float>(10.0 * static_cast<double>(i) / static_cast<double>(n));
  }
  const Program program = Program::parse(
      "y0 = sin(x) .* exp(-x / 10); y1 = y0 .* cos(x / 4) + 0.25 .* y0 .^ 2; y2 = tanh(y1) + 0.1 "
      ".* y1");
  const PreparedProgram fused = program.prepare({x.layout()});
  const auto run_fused = [&] { fused.run({x.data()}, {y.data()}); };
  const auto nodes = [&] {
    const Tensor y0 = mul(sin(x), exp(div(neg(x), 10)));
    const Tensor y1 = add(mul(y0, cos(div(x, 4))), mul(0.25, pow(y0, 2)));
    z = add(tanh(y1), mul(0.1, y1));
  };
  run_fused();
  nodes();
  if (std::memcmp(y.data(), z.data(), y.size_bytes()) != 0) {
    std::printf("WRONG: RunMat's chain\n");
    return false;
  }
  compare("RunMat's chain fp32, " + std::to_string(n) + ", " + std::to_string(threads) + " thread" +
              (threads == 1 ? "" : "s"),
          n, rounds, {{"ours", run_fused}, {"node by node", nodes}});
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool smoke = argc > 1 && std::strcmp(argv[1], "--smoke") == 0;
  if (argc > 2 || (argc == 2 && !smoke)) {
    std::fprintf(stderr, "usage: hadamard_bench_programs [--smoke]\n");
    return 2;
  }
  const int rounds = smoke ? 1 : 21;
  const std::int64_t large = smoke ? 100'000 : 10'000'000;
  bool good = true;
  for (const int threads : {1, 2}) {
    good = quotient<float>(large, rounds, threads) && good;
    good = quotient<double>(large, rounds, threads) && good;
  }
  good = chain<float>(large, rounds) && good;
  good = chain<double>(large, rounds) && good;
  for (const std::int64_t n : {large / 10, large}) {
    good = runmat(n, smoke ? 1 : 5, 1) && good;
  }
  return good ? 0 : 1;
}
