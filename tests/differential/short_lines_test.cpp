// Short lines, which are run many at once, and outputs that are written past the cache: every way
// gives the bits of the plain one.
#include <gtest/gtest.h>

#include "support.hpp"

namespace hadamard::difftest {
namespace {

constexpr Op kArithmetic[] = {Op::add, Op::sub, Op::mul, Op::div};

Tensor filled(Random& random, DType type, const Dims& shape) {
  const Tensor line = random_line(random, type, element_count(shape), true);
  return Tensor(ConstView(line.data(), Layout(type, shape)));
}

// `b` with all its elements, as if nothing had been stretched.
Tensor spread(const ConstView& b, const Dims& shape) {
  Dims strides = b.strides();
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (b.shape()[i] == 1) strides[i] = 0;
  }
  return Tensor(ConstView(b.data(), Layout(b.dtype(), shape, strides), b.offset()));
}

void check(const ConstView& a, const ConstView& b, const Options& options, std::int64_t misplaced) {
  for (const Op op : kArithmetic) {
    for (const bool with_relu : {false, true}) {
      for (const bool swapped : {false, true}) {
        Options fused = options;
        if (with_relu) fused.then = Op::relu;
        const Tensor wide = spread(b, a.shape());
        Tensor expected = swapped ? compute(op, wide, a, options) : compute(op, a, wide, options);
        if (with_relu) expected = relu(expected, options);
        // The output begins somewhere within a cache line.
        Tensor memory(a.dtype(), {a.count() + 2 * misplaced});
        const View y(memory.data(), Layout(a.dtype(), a.shape()), misplaced);
        swapped ? compute_into(op, y, b, a, fused) : compute_into(op, y, a, b, fused);
        ASSERT_TRUE(same_memory(expected, Tensor(y)))
            << name(op) << " " << name(a.dtype()) << " " << to_string(a.shape()) << " by "
            << to_string(b.shape()) << (swapped ? " swapped" : "") << (with_relu ? " relu" : "")
            << differences(expected, Tensor(y));
        const Tensor guards(ConstView(memory.data(), Layout(a.dtype(), {misplaced})));
        ASSERT_TRUE(same_memory(guards, Tensor(a.dtype(), {misplaced})));
        const Tensor behind(
            ConstView(memory.data(), Layout(a.dtype(), {misplaced}), misplaced + a.count()));
        ASSERT_TRUE(same_memory(behind, Tensor(a.dtype(), {misplaced})));
      }
    }
  }
}

TEST(ShortLines, AreWhatTheyWouldBeOneByOne) {
  Random random(17);
  for (const std::string_view target : cpu_targets()) {
    const Options options{.provider = "cpu", .cpu_target = target};
    for (const DType type : {DType::fp32, DType::fp64, DType::fp16, DType::int32}) {
      for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 49, 64, 100}) {
        const Tensor a = filled(random, type, {5, 23, n});
        const std::int64_t shifts[] = {1, 4, 13};
        const Dims shapes[] = {{5, 23, 1}, {1, 23, 1}, {5, 1, 1}, {1, 1, n}, {5, 1, n}, {1, 23, n}};
        for (std::size_t i = 0; i < std::size(shapes); ++i) {
          const Tensor b = filled(random, type, shapes[i]);
          ASSERT_NO_FATAL_FAILURE(check(a, b, options, shifts[i % 3])) << target;
        }
      }
    }
  }
}

// From 24 MiB of traffic on, in chunks that threads fetch.
TEST(ShortLines, ArePastTheCacheWhatTheyAreInIt) {
  Random random(18);
  const Tensor a = filled(random, DType::fp32, {4, 6400, 128});
  for (const Dims& shape : {Dims{1, 1, 128}, Dims{4, 1, 128}, Dims{4, 6400, 1}}) {
    const Tensor b = filled(random, DType::fp32, shape);
    for (const std::int64_t misplaced : {4, 16}) {
      ASSERT_NO_FATAL_FAILURE(check(a, b, {}, misplaced));
    }
  }
}

// In place, where the last vector of a line overlaps the one before.
TEST(ShortLines, MayBeWrittenOverAnOperand) {
  Random random(19);
  for (const DType type : {DType::fp32, DType::fp64}) {
    for (const std::int64_t n : {8, 9, 15, 49, 77}) {
      const Tensor a = filled(random, type, {37, n});  // not a whole number of vectors in all
      const Tensor b = filled(random, type, {37, 1});
      for (const Op op : kArithmetic) {
        Tensor y(a);
        compute_into(op, y.view(), y, b);
        const Tensor expected = compute(op, a, spread(b, a.shape()));
        ASSERT_TRUE(same_memory(expected, y)) << name(op) << n << differences(expected, y);
      }
    }
  }
}

}  // namespace
}  // namespace hadamard::difftest
