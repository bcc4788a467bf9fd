// Prepared::run allocates nothing. This program has its own malloc, which counts.
//
// oneTBB has an allocator and task pools of its own, which it fills as its threads come to life:
// runs that are large enough for threads may allocate while those warm up, and must stop doing so.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "hadamard/program.hpp"
#include "num/dtype.hpp"
#include "support.hpp"

// glibc's own, under the names that it keeps for programs like this.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {
std::atomic<long> calls{0};
std::atomic<long> bytes{0};  // asked for in all
}  // namespace

extern "C" {
void* malloc(std::size_t size) {
  ++calls;
  bytes += static_cast<long>(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++calls;
  bytes += static_cast<long>(count * size);
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  ++calls;
  bytes += static_cast<long>(size);
  return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++calls;
  bytes += static_cast<long>(size);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++calls;
  bytes += static_cast<long>(size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  ++calls;
  bytes += static_cast<long>(size);
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? 12 : 0;
}
}

namespace hadamard::difftest {
namespace {

TEST(Allocations, TheCounterCounts) {
  const long before = calls;
  const Tensor tensor(DType::fp32, Dims{100});
  EXPECT_GT(calls - before, 0);
  const long then = calls;
  const std::string text(1000, 'x');
  EXPECT_GT(calls - then, 0);  // operator new comes down to malloc
}

long calls_of_run(const Prepared& prepared, const Tensor& a, const Tensor& b, Tensor& y,
                  bool two = true) {
  const long before = calls;
  if (two) {
    prepared.run(a.data(), b.data(), y.data());
  } else {
    prepared.run(a.data(), y.data());
  }
  return calls - before;
}

// Exact rationals own memory, and the reference computes into tensors of its own: those allocate by
// nature. So does multiple precision, which decides the hard cases of exp, log, ….
bool allocates_by_nature(DType type, const Options& options) {
  return type == DType::real || options.provider == "ref";
}

TEST(Allocations, NoneInARunOfOneThread) {
  Random random(1);
  for (const Options& options : everywhere()) {
    for (const DType type : all_types()) {
      if (allocates_by_nature(type, options)) continue;
      for_operations(type, [&](Op op, IntDivision rounding) {
        if (is_function(op, type)) return;
        Options with = options;
        with.int_division = rounding;
        const bool two = op::arity(op) == 2;
        Tensor a = random_line(random, type, 6 * 70, op != Op::div);
        Tensor b = random_line(random, type, 6 * 70, true);
        if (kind(type) == Kind::complex) {
          // Operands in the middle of the range: none needs the exact fallback.
          std::memcpy(b.data(), a.data(), a.size_bytes());
          with_type(type, [&](auto t) {
            using T = typename decltype(t)::type;
            if constexpr (Element<T>::kKind == Kind::complex) {
              for (std::int64_t i = 0; i < a.count(); ++i) {
                a.set<T>({i}, T(static_cast<float>(i) + 1, 3));
                b.set<T>({i}, T(7, static_cast<float>(i) + 2));
              }
            }
          });
        }
        Tensor y(type, Dims{6 * 70});
        const Layout line(type, Dims{6, 70});
        const Layout strided(type, Dims{6, 70}, Dims{1, 6});
        const Layout row(type, Dims{70});
        const Layout column(type, Dims{6, 1});
        for (const Layout* other : {&line, &strided, &row, &column}) {
          if (!two && !(other->shape == line.shape)) continue;
          const Prepared prepared =
              two ? prepare(op, line, *other, line, with) : prepare(op, *other, line, with);
          calls_of_run(prepared, a, b, y, two);  // the first may initialize something
          ASSERT_EQ(calls_of_run(prepared, a, b, y, two), 0)
              << name(op) << " " << name(type) << " " << with.provider << " " << with.cpu_target;
        }
      });
    }
  }
}

TEST(Allocations, NoneInARunOfManyThreadsOnceTheyAreUp) {
  Random random(2);
  for (const DType type : {DType::fp32, DType::fp64, DType::fp16, DType::int8, DType::int64}) {
    const std::int64_t n = 1'000'003;
    const Tensor a = random_line(random, type, n, false);
    const Tensor b = random_line(random, type, n, true);
    Tensor y(type, Dims{n});
    const Prepared prepared = prepare(Op::div, a.layout(), b.layout(), y.layout(), {});
    // oneTBB: threads, task pools and their first slabs appear during the first runs.
    int quiet = 0;
    for (int run = 0; run < 200 && quiet < 10; ++run) {
      quiet = calls_of_run(prepared, a, b, y) == 0 ? quiet + 1 : 0;
    }
    EXPECT_EQ(quiet, 10) << name(type) << ": every run allocates";
  }
}

// Programs of one group, on one thread: of every type, several nodes, in place too.
TEST(Allocations, NoneInARunOfAProgram) {
  for (const std::string_view target : cpu_targets()) {
    for (const DType type : all_types()) {
      if (type == DType::real || type == DType::bool_ || kind(type) == Kind::complex) continue;
      const Tensor a(type, Dims{5000}), b(type, Dims{5000});
      Tensor y(type, Dims{5000});
      const Options options{.provider = "cpu", .cpu_target = target};
      const PreparedProgram program =
          prepare(where(lazy(a) < b, (lazy(a) - b) * a, max(lazy(b), 1) + a), options);
      ASSERT_EQ(program.workspace_bytes(), 0U);
      ASSERT_EQ(program.inputs().size(), 2U);
      const long before = calls;
      program.run({a.data(), b.data()}, {y.data()});
      program.run({y.data(), b.data()}, {y.data()});
      EXPECT_EQ(calls - before, 0) << name(type) << " on " << target;
    }
  }
}

// What lies between inputs and outputs stays in blocks, however long the chain.
TEST(Allocations, AFusedChainTakesItsOutputAlone) {
  const Tensor a = Tensor::from(std::vector<float>(1 << 20, 1.5F), {1 << 20});
  Lazy chain = lazy(a);
  for (int i = 0; i < 60; ++i)
    chain = (i % 3 == 0 ? chain + a : i % 3 == 1 ? chain * 0.5 : chain - a);
  eval(chain);  // threads come to life
  release_memory();
  const long before = bytes;
  const Tensor y = eval(chain);
  EXPECT_LE(bytes - before, static_cast<long>(y.size_bytes()) + (1 << 20));
}

}  // namespace
}  // namespace hadamard::difftest
