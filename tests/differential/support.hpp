// What the differential tests share: who computes, on which values, in which layouts.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "hadamard/hadamard.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"

namespace hadamard::difftest {

using Random = std::mt19937_64;

// The supported CPU targets, best first; names as Options.cpu_target takes them.
std::vector<std::string_view> cpu_targets();

// Every provider, the CPU's with each target.
std::vector<Options> everywhere();

std::vector<DType> all_types();

// f(op, rounding) for each operator that the type has; those that divide integers in both
// roundings.
template <class F>
void for_operations(DType type, F f);

// Whether a zero divisor is an error for the operator and type.
bool refuses_zero(Op op, DType type);

// Whether it is one of exp, log, …, whose reference computes in multiple precision.
bool is_function(Op op, DType type);

// An operator of any arity: one with one operand does not get `b`.
Tensor compute(Op op, const ConstView& a, const ConstView& b, const Options& options = {});
void compute_into(Op op, const View& y, const ConstView& a, const ConstView& b,
                  const Options& options = {});
Prepared prepare_any(Op op, const Layout& a, const Layout& b, const Layout& y,
                     const Options& options);
void run_any(Op op, const Prepared& prepared, const ConstView& a, const ConstView& b,
             const View& y);

// `count` elements of a type in memory of their own: random bits, every fourth one a special value
// of the type (zeros, extremes, subnormals, infinities, NaNs with payload, …). Without zeros where
// asked.
Tensor random_line(Random& random, DType type, std::int64_t count, bool without_zeros);

// The special values of a float format, as bits.
std::vector<std::uint64_t> special_bits(DType type);

// The same as elements: of a float all of them, of a complex number all pairs of some; of any other
// type none.
Tensor special_line(DType type);

// Same type, count and bits (for `real`, the same numbers).
bool same_memory(const Tensor& a, const Tensor& b);
// The first few elements that differ, for a message.
std::string differences(const Tensor& expected, const Tensor& actual);

// A window on a line of memory: element `start` and what follows by `strides`.
struct Window {
  Dims shape;
  Dims strides;
  std::int64_t start = 0;
};
ConstView look(const Tensor& line, const Window& window);
View look(Tensor& line, const Window& window);

// Three windows over lines of `length` elements. The output's window lies in the line `y`.
enum class Output { apart, over_a, over_b };
struct Arrangement {
  std::string name;
  Window a, b, y;
  Output output = Output::apart;
  std::int64_t length = 0;
  bool partial_overlap = false;  // only the _into function takes it
};
// Every kind of loop and layout, with inner lines of n elements.
std::vector<Arrangement> arrangements(std::int64_t n);

template <class F>
void for_operations(DType type, F f) {
  for (const Op op : op::kPlainOps) {
    if (!op::is_defined(op, type)) continue;
    f(op, IntDivision::floor);
    if (kind(type) == Kind::integer && op::divisor(op) == op::Divisor::b) {
      f(op, IntDivision::trunc);
    }
  }
}

}  // namespace hadamard::difftest
