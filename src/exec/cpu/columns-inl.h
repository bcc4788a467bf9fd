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
    return Evaluate<FloatWorld<F>, V>{world, of_a, of_b}(op::Formula<Operator>{});
  };
  const std::int64_t last = lines * n - step;
  const V tail = at(last, world.splat(b[(lines - 1) * b_step]));
  V sum = tail;  // NaN with any of the results
  std::int64_t i = 0;
  const auto put = [&](V of_b) HWY_ATTR {
    const V result = at(i, of_b);
    sum = hn::Add(sum, result);
    world.store(result, y + i);
    i += step;
  };
  V of_b = world.splat(*b);
  for (std::int64_t end = n; end < lines * n; end += n) {
    while (i + step <= end) put(of_b);
    b += b_step;
    const V of_next = world.splat(*b);
    if (i < end) {  // a vector of both
      put(hn::IfThenElse(hn::FirstN(D(), static_cast<std::size_t>(end - i)), of_b, of_next));
    }
    of_b = of_next;
  }
  while (i < last) put(of_b);
  world.store(tail, y + last);
  if (HWY_UNLIKELY(!hn::AllFalse(D(), hn::IsNaN(sum)))) {
    for (i = 0; i < last; i += step) world.store(world.pack(world.load(y + i)), y + i);
    world.store(world.pack(world.load(y + last)), y + last);
  }
}

template <class Operator, class F>
bool run_columns(const Columns& columns) {
  constexpr std::int64_t kAtOnce = 16;  // in the first cache, should they have to be read again
  const bool follow = columns.a_step == columns.n && columns.y_step == columns.n;
  const F* a = static_cast<const F*>(columns.a);
  const F* b = static_cast<const F*>(columns.b);
  F* y = static_cast<F*>(columns.y);
  for (std::int64_t line = 0; line < columns.lines;) {
    const std::int64_t left = columns.lines - line;
    const std::int64_t lines = !follow ? 1 : left < kAtOnce ? left : kAtOnce;
    run_following<Operator>(a, b, y, lines, columns.n, columns.b_step);
    line += lines;
    a += lines * columns.a_step;
    b += lines * columns.b_step;
    y += lines * columns.y_step;
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
  for (const Op op : op::kAllOps) {
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
