// Comparisons of doubles that lie side by side, as logicals: in vectors, because compilers make a
// loop of single elements of them, which is slower than memory.
#pragma once

#include <cstdint>

namespace hadamard::exec::cpu {

// y[i] = a[i] compared with b[i], for n elements. Of a scalar operand the one element serves for
// all. A NaN is equal to nothing, and neither below nor above.
struct ComparisonLine {
  const double* a;
  const double* b;
  bool* y;
  std::int64_t n;
  bool a_is_scalar;
  bool b_is_scalar;
  bool stream = false;  // past the cache, where the target can; without leaving anything to flush
};
using ComparisonKernel = void (*)(const ComparisonLine& line);

// a > b is b < a, a >= b is b <= a.
struct ComparisonKernels {
  ComparisonKernel eq;
  ComparisonKernel ne;
  ComparisonKernel lt;
  ComparisonKernel le;
};

// `target` is Highway's number.
const ComparisonKernels* comparison_kernels(std::int64_t target);
// Those of the target that HADAMARD_CPU forces, else of the best that this CPU has. Throws
// unavailable where the forced one is not there.
const ComparisonKernels& comparison_kernels();

}  // namespace hadamard::exec::cpu
