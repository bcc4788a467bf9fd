// A line's way to the loop that is right for it, and the table of kernels.
#if defined(HADAMARD_EXEC_CPU_RUN_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_RUN_KERNEL_INL_H_
#undef HADAMARD_EXEC_CPU_RUN_KERNEL_INL_H_
#else
#define HADAMARD_EXEC_CPU_RUN_KERNEL_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "exec/cpu/simd_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <class Operator, class World, bool kAScalar, bool kBScalar>
HWY_NOINLINE bool run_line(const Line& line) {
  LineLoop<Operator, World, kAScalar, kBScalar> loop(line);
  return loop.run(line.stream);
}

// Worlds that divide faster by one number than by many name another one for that: World::ByInverse.
// From so many elements on, computing the inverse pays.
inline constexpr std::int64_t kInverseFrom = 64;
template <class World, class = void>
struct HasInverse : std::false_type {};
template <class World>
struct HasInverse<World, std::void_t<typename World::ByInverse>>
    : std::negation<std::is_void<typename World::ByInverse>> {};

template <class Operator, class World>
HWY_NOINLINE bool run_by_inverse(const Line& line) {
  using ByInverse = typename World::ByInverse;
  const auto divisor = *static_cast<const typename World::Storage*>(line.b);
  if (divisor == 0) return true;
  LineLoop<Operator, ByInverse, false, true> loop(line, divisor);
  return loop.run(line.stream);
}

// Worlds of floats do so with the reciprocal (float_reciprocal-inl.h): World::kReciprocalFrom
// elements on, unless memory is the limit.
template <class World, class = void>
struct HasReciprocal : std::false_type {};
#if HWY_NATIVE_FMA
template <class World>
struct HasReciprocal<World, std::void_t<decltype(World::kReciprocalFrom)>> : std::true_type {};
#endif
template <class Operator, class World>
bool run_by_reciprocal(const Line& line);

// Worlds that divide some operands faster than others name another one for those: World::Narrow
// (int_stretches-inl.h). From so many elements on, looking at the operands first pays.
inline constexpr std::int64_t kStretchesFrom = 32;
template <class World, class = void>
struct HasNarrow : std::false_type {};
template <class World>
struct HasNarrow<World, std::void_t<typename World::Narrow>>
    : std::negation<std::is_void<typename World::Narrow>> {};

template <class Operator, class World, bool kAScalar>
bool run_stretches(const Line& line);

template <class Operator, class World, bool kAScalar>
HWY_INLINE bool run_by_many(const Line& line) {
  if constexpr (HasNarrow<World>::value && op::is_quotient<Operator>) {
    if (line.n >= kStretchesFrom) return run_stretches<Operator, World, kAScalar>(line);
  }
  return run_line<Operator, World, kAScalar, false>(line);
}

template <class Operator, class World>
bool run_kernel(const Line& line) {
  if (line.n <= 0) return false;
  if constexpr (op::arity_of<Operator> == 2) {
    if (line.a_is_scalar && !line.b_is_scalar) return run_by_many<Operator, World, true>(line);
    if (line.b_is_scalar && !line.a_is_scalar) {
      if constexpr (HasInverse<World>::value && op::is_quotient<Operator>) {
        if (line.n >= kInverseFrom) return run_by_inverse<Operator, World>(line);
      }
      if constexpr (HasReciprocal<World>::value && op::begins_with_quotient<Operator>) {
        if (line.n >= World::kReciprocalFrom && !line.stream) {
          return run_by_reciprocal<Operator, World>(line);
        }
      }
      return run_line<Operator, World, false, true>(line);
    }
  }
  return run_by_many<Operator, World, false>(line);
}

// Whether a world can compute an operator; other kernels do it where it cannot.
template <class Operator, class World>
inline constexpr bool kHas =
    op::is_plain_operator<Operator>&& op::defined_for<Operator, typename World::Storage>&&
        op::offers<World, typename World::V, Operator>;

// Enters the kernels of one element type for every operator that its world has. `World` is a
// template over the rounding of integer division; worlds that do not divide integers are the same
// for both.
template <template <IntDivision> class World>
void enter_into(KernelTable& table, DType type) {
  const auto t = static_cast<std::size_t>(type);
  for (const Op op : op::kPlainOps) {
    op::with_op(op, [&](auto o) {
      using Operator = typename decltype(o)::type;
      Kernel(&slot)[2] = table[static_cast<std::size_t>(op)][t];
      if constexpr (kHas<Operator, World<IntDivision::floor>>) {
        slot[0] = &run_kernel<Operator, World<IntDivision::floor>>;
        if constexpr (op::divisor_of<Operator> != op::Divisor::none) {
          slot[1] = &run_kernel<Operator, World<IntDivision::trunc>>;
        } else {
          slot[1] = slot[0];
        }
      }
    });
  }
}
template <template <IntDivision> class World>
void enter(DType type, KernelSet& set) {
  enter_into<World>(set.kernels, type);
}
template <template <IntDivision> class World>
void enter_packed(DType type, KernelSet& set) {
  enter_into<World>(set.packed, type);
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
