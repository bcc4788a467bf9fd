// Many short lines, with one element of B for each.
#if defined(HADAMARD_EXEC_CPU_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_COLUMNS_INL_H_
#undef HADAMARD_EXEC_CPU_COLUMNS_INL_H_
#else
#define HADAMARD_EXEC_CPU_COLUMNS_INL_H_
#endif

#include <cstdint>

#include "exec/cpu/float_world-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// The last vector of a line overlaps the one before; it is computed before anything of the line is
// written, so that the output may be A.
template <class Operator, class F>
bool run_columns(const Columns& columns) {
  const FloatWorld<F> world;
  using V = typename FloatWorld<F>::V;
  const std::int64_t step = FloatWorld<F>::lanes();
  const std::int64_t last = columns.n - step;
  const F* a = static_cast<const F*>(columns.a);
  const F* b = static_cast<const F*>(columns.b);
  F* y = static_cast<F*>(columns.y);
  for (std::int64_t line = 0; line < columns.lines; ++line) {
    const V of_b = world.splat(*b);
    const auto at = [&](std::int64_t i) HWY_ATTR {
      const V of_a = world.load(a + i);
      return world.pack(Evaluate<FloatWorld<F>, V>{world, of_a, of_b}(op::Formula<Operator>{}));
    };
    const V tail = at(last);
    for (std::int64_t i = 0; i < last; i += step) world.store(at(i), y + i);
    world.store(tail, y + last);
    a += columns.a_step;
    b += columns.b_step;
    y += columns.y_step;
  }
  return false;  // floats have an answer for a zero divisor
}

template <class Operator, class F, class AsEntered = Operator>
void enter_columns(KernelSet& set) {
  set.columns[static_cast<std::size_t>(op::op_of<AsEntered>)][static_cast<std::size_t>(
      dtype_of<F>)] = {&run_columns<Operator, F>, FloatWorld<F>::lanes()};
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
