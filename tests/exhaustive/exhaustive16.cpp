// All 2^32 pairs of fp16 and bf16 for add, sub, mul, div, and all pairs of int16 and uint16
// division, through the product's prepared kernels, on every CPU target, against oracles that share
// no code with it.
//
//   exhaustive16 [--slice K/N] [--target T] [--op OP] [--type T] [--threads N]
//
// A rotation r pairs element i with element i+r: 65536 rotations are all pairs, each a whole line.
// --slice K/N takes the rotations r with r mod N = K. Some rotations also run the kernels with a
// scalar operand. The last line is "N passed, M failed", counted in operator x type x target. Exit
// 1 where any element differs.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "exec/cpu/cpu_provider.hpp"
#include "hadamard/hadamard.hpp"
#include "half_oracle.hpp"

namespace {

using hadamard::Op;
using Word = std::uint16_t;
constexpr std::size_t kLine = 65536;
constexpr int kShown = 5;                 // mismatches that are printed, per target
constexpr std::size_t kScalarEvery = 64;  // rotations

// y[i] = what a[i * a_step] OP b[i * b_step] must be.
using Oracle = void (*)(const Word* a, std::size_t a_step, const Word* b, std::size_t b_step,
                        Word* y);

template <class F, Word (*kFunction)(const half_oracle::Parts&, const half_oracle::Parts&)>
void float_line(const Word* a, std::size_t a_step, const Word* b, std::size_t b_step, Word* y) {
  const half_oracle::Parts* parts = half_oracle::table<F>().data();
  for (std::size_t i = 0; i < kLine; ++i)
    y[i] = kFunction(parts[a[i * a_step]], parts[b[i * b_step]]);
}

Word int_floor(Word a, Word b) {
  const int x = static_cast<std::int16_t>(a);
  const int y = static_cast<std::int16_t>(b);
  const int rest = ((x % y) + y) % y;  // the remainder that has the divisor's sign
  return static_cast<Word>((x - rest) / y);
}
Word int_trunc(Word a, Word b) {
  const int x = static_cast<std::int16_t>(a);
  const int y = static_cast<std::int16_t>(b);
  const int size = (x < 0 ? -x : x) / (y < 0 ? -y : y);
  return static_cast<Word>((x < 0) != (y < 0) ? -size : size);
}
Word uint_quotient(Word a, Word b) { return static_cast<Word>(unsigned{a} / unsigned{b}); }

template <Word (*kFunction)(Word, Word)>
void int_line(const Word* a, std::size_t a_step, const Word* b, std::size_t b_step, Word* y) {
  for (std::size_t i = 0; i < kLine; ++i) y[i] = kFunction(a[i * a_step], b[i * b_step]);
}

struct Task {
  const char* type;
  const char* op;       // as the product calls it
  const char* variant;  // of integer division
  Oracle oracle;
  bool without_zero;  // divisors: all but 0, which is an error
};

template <class F>
void add_float_tasks(std::vector<Task>& tasks) {
  tasks.push_back({F::kName, "add", "", &float_line<F, &half_oracle::add<F>>, false});
  tasks.push_back({F::kName, "sub", "", &float_line<F, &half_oracle::sub<F>>, false});
  tasks.push_back({F::kName, "mul", "", &float_line<F, &half_oracle::mul<F>>, false});
  tasks.push_back({F::kName, "div", "", &float_line<F, &half_oracle::div<F>>, false});
}
std::vector<Task> all_tasks() {
  std::vector<Task> tasks;
  add_float_tasks<half_oracle::Fp16>(tasks);
  add_float_tasks<half_oracle::Bf16>(tasks);
  tasks.push_back({"int16", "div", "floor", &int_line<&int_floor>, true});
  tasks.push_back({"int16", "div", "trunc", &int_line<&int_trunc>, true});
  tasks.push_back({"uint16", "div", "floor", &int_line<&uint_quotient>, true});
  tasks.push_back({"uint16", "div", "trunc", &int_line<&uint_quotient>, true});
  return tasks;
}

struct Arguments {
  std::size_t slice = 0;
  std::size_t slices = 1;
  std::string target, op, type;
  unsigned threads = std::max(2U, std::thread::hardware_concurrency());
};

// One CPU target's three kernels for a task, and what came out of them.
class Runner {
 public:
  Runner(const Task& task, std::string_view target)
      : target_(target),
        lines_(prepared(task, target, true, true)),
        scalar_left_(prepared(task, target, false, true)),
        scalar_right_(prepared(task, target, true, false)) {}

  void run(const Word* a, std::size_t a_step, const Word* b, std::size_t b_step,
           const Word* expected, Word* y) {
    const auto start = std::chrono::steady_clock::now();
    const auto& kernel = a_step == 0 ? scalar_left_ : b_step == 0 ? scalar_right_ : lines_;
    std::memset(y, 0x5A, kLine * sizeof(Word));
    kernel.run(a, b, y);
    if (std::memcmp(y, expected, kLine * sizeof(Word)) != 0)
      report(a, a_step, b, b_step, expected, y);
    nanoseconds_ += (std::chrono::steady_clock::now() - start).count();
    pairs_ += kLine;
  }

  // All of A by a scalar zero is refused, and nothing is written.
  void check_zero_divisor(const Word* a, Word* y) {
    const Word zero = 0;
    std::memset(y, 0x5A, kLine * sizeof(Word));
    bool refused = false;
    try {
      scalar_right_.run(a, &zero, y);
    } catch (const hadamard::Error& error) {
      refused = error.code() == hadamard::ErrorCode::zero_divisor;
    }
    for (std::size_t i = 0; i < kLine; ++i) refused = refused && y[i] == 0x5A5A;
    if (!refused) mismatches_ += 1;
  }

  std::string_view target() const { return target_; }
  std::int64_t pairs() const { return pairs_; }
  std::int64_t mismatches() const { return mismatches_; }
  double seconds() const { return static_cast<double>(nanoseconds_) * 1e-9; }

 private:
  static hadamard::Prepared prepared(const Task& task, std::string_view target, bool a_line,
                                     bool b_line) {
    using namespace hadamard;
    const DType type = *dtype_from_name(task.type);
    const Layout line(type, Dims{static_cast<std::int64_t>(kLine)});
    const Layout scalar(type, Dims{});
    Options options{.provider = "cpu", .cpu_target = target};
    if (*task.variant != 0) options.int_division = int_division_from_name(task.variant);
    return prepare(*op_from_name(task.op), a_line ? line : scalar, b_line ? line : scalar, line,
                   options);
  }

  void report(const Word* a, std::size_t a_step, const Word* b, std::size_t b_step,
              const Word* expected, const Word* y) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < kLine; ++i) {
      if (y[i] == expected[i]) continue;
      if (mismatches_++ < kShown) {
        std::printf("  %s: %04X, %04X (%s): got %04X, expected %04X\n",
                    std::string(target_).c_str(), a[i * a_step], b[i * b_step],
                    a_step == 0   ? "scalar left"
                    : b_step == 0 ? "scalar right"
                                  : "lines",
                    y[i], expected[i]);
      }
    }
  }

  std::string_view target_;
  hadamard::Prepared lines_, scalar_left_, scalar_right_;
  std::mutex mutex_;
  std::atomic<std::int64_t> pairs_{0}, mismatches_{0}, nanoseconds_{0};
};

struct Count {
  int passed = 0;
  int failed = 0;
};

void run_task(const Task& task, const Arguments& arguments, Count& count) {
  // The divisors twice over, so that every rotation of them is a line of memory.
  std::vector<Word> a(kLine), b;
  for (std::size_t i = 0; i < kLine; ++i) a[i] = static_cast<Word>(i);
  const std::size_t rotations = task.without_zero ? kLine - 1 : kLine;
  for (std::size_t i = 0; i < 2 * kLine; ++i) {
    b.push_back(static_cast<Word>(task.without_zero ? i % rotations + 1 : i));
  }
  std::vector<std::unique_ptr<Runner>> runners;
  for (const auto& target : hadamard::exec::cpu_targets()) {
    if (!target.supported || (!arguments.target.empty() && arguments.target != target.name))
      continue;
    runners.push_back(std::make_unique<Runner>(task, target.name));
  }

  std::atomic<std::size_t> next{0};
  std::atomic<std::int64_t> oracle_nanoseconds{0};
  const auto work = [&] {
    std::vector<Word> expected(kLine), y(kLine);
    const auto everywhere = [&](const Word* pa, std::size_t a_step, const Word* pb,
                                std::size_t b_step) {
      const auto start = std::chrono::steady_clock::now();
      task.oracle(pa, a_step, pb, b_step, expected.data());
      oracle_nanoseconds += (std::chrono::steady_clock::now() - start).count();
      for (auto& runner : runners) runner->run(pa, a_step, pb, b_step, expected.data(), y.data());
    };
    for (std::size_t k = next++;; k = next++) {
      const std::size_t rotation = arguments.slice + k * arguments.slices;
      if (rotation >= rotations) return;
      everywhere(a.data(), 1, b.data() + rotation, 1);
      if (k % kScalarEvery == 0) {
        everywhere(a.data() + rotation, 0, b.data(), 1);
        everywhere(a.data(), 1, b.data() + rotation, 0);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < arguments.threads; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();

  for (auto& runner : runners) {
    std::vector<Word> y(kLine);
    if (task.without_zero) runner->check_zero_divisor(a.data(), y.data());
    const bool good = runner->mismatches() == 0 && runner->pairs() > 0;
    (good ? count.passed : count.failed) += 1;
    std::printf("%s %-6s %-3s %-5s %-7s %11lld pairs %9lld mismatches %8.1f s\n",
                good ? "ok  " : "FAIL", task.type, task.op, task.variant,
                std::string(runner->target()).c_str(), static_cast<long long>(runner->pairs()),
                static_cast<long long>(runner->mismatches()), runner->seconds());
  }
  std::printf("     %-6s %-3s %-5s oracle  %46.1f s\n", task.type, task.op, task.variant,
              static_cast<double>(oracle_nanoseconds) * 1e-9);
  std::fflush(stdout);
}

[[noreturn]] void usage(const std::string& why) {
  std::fprintf(
      stderr,
      "exhaustive16: %s\nusage: exhaustive16 [--slice K/N] [--target T] [--op OP] [--type T] "
      "[--threads N]\n",
      why.c_str());
  std::exit(2);
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i];
    if (i + 1 == argc) usage(key + " needs a value");
    const std::string value = argv[i + 1];
    if (key == "--slice") {
      char* end = nullptr;
      arguments.slice = std::strtoul(value.c_str(), &end, 10);
      if (*end != '/') usage("--slice wants K/N, got " + value);
      arguments.slices = std::strtoul(end + 1, &end, 10);
      if (*end != 0 || arguments.slices == 0 || arguments.slice >= arguments.slices ||
          arguments.slices > 65535) {
        usage("--slice wants K/N with 0 <= K < N < 65536, got " + value);
      }
    } else if (key == "--target") {
      arguments.target = value;
    } else if (key == "--op") {
      arguments.op = value;
    } else if (key == "--type") {
      arguments.type = value;
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
  if (!half_oracle::knows_its_own_mind()) return 1;
  const auto start = std::chrono::steady_clock::now();
  Count count;
  for (const Task& task : all_tasks()) {
    if (!arguments.op.empty() && arguments.op != task.op) continue;
    if (!arguments.type.empty() && arguments.type != task.type) continue;
    run_task(task, arguments, count);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("slice %zu/%zu, %u threads, %.1f s\n", arguments.slice, arguments.slices,
              arguments.threads, elapsed.count());
  if (count.passed + count.failed == 0) usage("no such type, operator or target");
  std::printf("%d passed, %d failed\n", count.passed, count.failed);
  return count.failed == 0 ? 0 : 1;
}
