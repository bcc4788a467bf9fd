// What a kernel is, and the table of them for each instruction set.
#pragma once

#include <cstdint>
#include <string_view>

#include "exec/cpu/packing.hpp"
#include "hadamard/options.hpp"
#include "hadamard/types.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"

// 0 only in the benchmark, which measures what it costs to note zero divisors.
#ifndef HADAMARD_NOTE_ZERO_DIVISORS
#define HADAMARD_NOTE_ZERO_DIVISORS 1
#endif

namespace hadamard::exec::cpu {

inline constexpr bool kNotesZeroDivisors = HADAMARD_NOTE_ZERO_DIVISORS != 0;

// A line of n elements. An operand is a line too, or one element that serves for all of them; of an
// operator with one operand B is A, and only one with three operands looks at C.
// Elements lie as in a tensor, but that 4-bit integers have a byte each. The output may be an
// operand. `stream` says that the output is larger than what the cache could keep: it is written
// past the cache, which saves reading it first. It changes no result; who sets it calls
// hwy::FlushStream() after the last line, before another thread may read. An operand that is near
// lies in the first cache, and need not be asked for in time.
struct Line {
  const void* a;
  const void* b;
  void* y;
  std::int64_t n;
  bool a_is_scalar;
  bool b_is_scalar;
  bool stream = false;
  bool a_is_near = false;
  bool b_is_near = false;
  const void* c = nullptr;
  bool c_is_scalar = false;
  const op::AttributeValues* attributes = nullptr;  // null: the defaults
};

// Computes a line in the default floating-point environment. Returns whether a divisor was zero
// where the type has no answer for that (the line's values are then unspecified).
using Kernel = bool (*)(const Line& line);

// [op][type of the last operand][IntDivision]; null: not of this family.
using KernelTable = Kernel[op::kOpCount][kTypeCount][2];

// Lines of n elements of A and of the output, with one element of B for each; steps from line to
// line count elements. The output may be A.
struct Columns {
  const void* a;
  const void* b;
  void* y;
  std::int64_t lines;
  std::int64_t n;
  std::int64_t a_step;
  std::int64_t b_step;
  std::int64_t y_step;
};
struct ColumnsKernel {
  bool (*run)(const Columns& columns) = nullptr;
  std::int64_t shortest = 0;  // of n
};

// The kernels of one family of types for one instruction set.
struct KernelSet {
  std::string_view target;  // set by the code that was compiled for it
  KernelTable kernels{};
  // For 4-bit integers as they lie in tensors: lines of bytes, two elements each. A scalar operand
  // is a byte that has the element twice.
  KernelTable packed{};
  // For arithmetic of fp32 and fp64, whose lines are done before another kernel has begun.
  ColumnsKernel columns[op::kOpCount][kTypeCount]{};
};

// What a plan of one operator and type needs.
struct Kernels {
  Kernel line = nullptr;
  Kernel packed = nullptr;  // null where `then` is not
  const Packers* packers = nullptr;
  ColumnsKernel columns;
  Kernel then = nullptr;          // of the operator that is applied to each result, if any
  std::size_t element_bytes = 0;  // of a line

  // Computes a line, and then what follows.
  bool run(const Line& one) const { return then == nullptr ? line(one) : run_both(one); }

 private:
  bool run_both(const Line& line) const;
};

// Families, each in a file of its own so that they compile side by side. `target` is Highway's
// number.
const KernelSet* float_kernels(std::int64_t target);
const KernelSet* half_kernels(std::int64_t target);
const KernelSet* int_kernels(std::int64_t target);
const KernelSet* wide_int_kernels(std::int64_t target);
const KernelSet* complex_kernels(std::int64_t target);
const KernelSet* single_function_kernels(std::int64_t target);  // fp16, bf16, fp32
const KernelSet* double_function_kernels(std::int64_t target);
// With another operator behind it in one loop; null where there is no such set. relu has one, of
// add, sub, mul, div of fp32 and fp64.
const KernelSet* fused_kernels(Op then, std::int64_t target);
// No vector code, every target the same: complex, bool and real; exp, log, … and powers.
const KernelSet* plain_kernels();
const KernelSet* function_kernels();
// fma, comparisons, where, logical operators, isnan and its like.
const KernelSet* selection_kernels();
// With attributes that are not the defaults; null where the operator has none.
Kernel attribute_kernel(Op op, DType type);
// From one type to another; null where there is no such conversion.
Kernel conversion_kernel(Op op, DType from, DType to);
// Parts of complex numbers, true quotients; integers that saturate, which go by three types.
const KernelSet* mixed_kernels();
Kernel saturating_kernel(Op op, DType a, DType b, DType y);

// Whether one of n integers that lie side by side is zero. Those of 4 bits begin at a whole byte.
using ZeroScan = bool (*)(const void* data, std::int64_t n);
struct ZeroScans {
  ZeroScan bits4;
  ZeroScan bits8;
  ZeroScan bits16;
  ZeroScan bits32;
  ZeroScan bits64;
};
const ZeroScans* zero_scans(std::int64_t target);

}  // namespace hadamard::exec::cpu
