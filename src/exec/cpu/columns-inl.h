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

// Lines that follow one another, of n elements of A and of the output each, at least a vector.
// Vectors run on from line to line; only the last one overlaps the one before. It is computed
// before anything is written, so that the output may be A.
template <class Operator, class F>
HWY_INLINE void run_following(const F* a, const F* b, F* y, std::int64_t lines, std::int64_t n,
                              std::int64_t b_step) {
  const FloatWorld<F> world;
  using D = typename FloatWorld<F>::D;
  using V = typename FloatWorld<F>::V;
  const std::int64_t step = FloatWorld<F>::lanes();
  const auto at = [&](std::int64_t i, V of_b) HWY_ATTR {
    const V of_a = world.load(a + i);
    return world.pack(Evaluate<FloatWorld<F>, V>{world, of_a, of_b}(op::Formula<Operator>{}));
  };
  const std::int64_t last = lines * n - step;
  const V tail = at(last, world.splat(b[(lines - 1) * b_step]));
  std::int64_t i = 0;
  V of_b = world.splat(*b);
  for (std::int64_t end = n; end < lines * n; end += n) {
    for (; i + step <= end; i += step) world.store(at(i, of_b), y + i);
    b += b_step;
    const V of_next = world.splat(*b);
    if (i < end) {  // a vector of both
      const auto of_this = hn::FirstN(D(), static_cast<std::size_t>(end - i));
      world.store(at(i, hn::IfThenElse(of_this, of_b, of_next)), y + i);
      i += step;
    }
    of_b = of_next;
  }
  for (; i < last; i += step) world.store(at(i, of_b), y + i);
  world.store(tail, y + last);
}

template <class Operator, class F>
bool run_columns(const Columns& columns) {
  const bool follow = columns.a_step == columns.n && columns.y_step == columns.n;
  const std::int64_t at_once = follow ? columns.lines : 1;
  for (std::int64_t line = 0; line < columns.lines; line += at_once) {
    run_following<Operator>(static_cast<const F*>(columns.a) + line * columns.a_step,
                            static_cast<const F*>(columns.b) + line * columns.b_step,
                            static_cast<F*>(columns.y) + line * columns.y_step, at_once, columns.n,
                            columns.b_step);
  }
  return false;  // floats have an answer for a zero divisor
}

template <class Operator, class F, class AsEntered = Operator>
void enter_columns(KernelSet& set) {
  set.columns[static_cast<std::size_t>(op::op_of<AsEntered>)][static_cast<std::size_t>(
      dtype_of<F>)] = {&run_columns<Operator, F>, FloatWorld<F>::lanes()};
}

// Calls visit for the operators of two operands that are + - * /.
template <class Visit>
void each_arithmetic(const Visit& visit) {
  for (const Op op : op::kPlainOps) {
    op::with_op(op, [&](auto o) {
      using Operator = typename decltype(o)::type;
      if constexpr (op::arity_of<Operator> == 2 && op::is_arithmetic<Operator>) visit(o);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
