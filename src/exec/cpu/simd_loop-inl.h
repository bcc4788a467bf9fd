// Highway's include guard for per-target headers: seen once for every target.
#if defined(HADAMARD_EXEC_CPU_SIMD_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_SIMD_LOOP_INL_H_
#undef HADAMARD_EXEC_CPU_SIMD_LOOP_INL_H_
#else
#define HADAMARD_EXEC_CPU_SIMD_LOOP_INL_H_
#endif

#include <cstring>
#include <type_traits>

#include "exec/cpu/kernel.hpp"
#include "hwy/highway.h"
#include "op/expr.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Evaluates an operator's formula on vectors. The operator's own template cannot be called here: it
// was compiled for the baseline, and only functions of this region may hold this target's
// instructions.
template <class World, class V>
struct Evaluate {
  const World& world;
  const V& a;
  const V& b;
  HWY_INLINE V operator()(op::Arg<0>) const { return a; }
  HWY_INLINE V operator()(op::Arg<1>) const { return b; }
#define HADAMARD_EVALUATE(Name, method)                           \
  template <class L, class R>                                     \
  HWY_INLINE V operator()(op::Call<op::prim::Name, L, R>) const { \
    return world.method(operand(L{}), operand(R{}));              \
  }
  HADAMARD_PRIMITIVES(HADAMARD_EVALUATE)
#undef HADAMARD_EVALUATE

 private:
  // A computed operand is first made what storing and loading it would make of it: every primitive
  // rounds to the element type, as in the reference. The last one is rounded by the store.
  template <std::size_t index>
  HWY_INLINE V operand(op::Arg<index> arg) const {
    return (*this)(arg);
  }
  template <class Primitive, class... X>
  HWY_INLINE V operand(op::Call<Primitive, X...> call) const {
    return world.settle((*this)(call));
  }
};

// A line computed by whole vectors. `World` gives the storage type, loads and stores (which convert
// where the type is computed in wider lanes), and the arithmetic that the operator's formula asks
// for. The last few elements go through a padded copy: the same code for every element.
template <class Operator, class World, bool kAScalar, bool kBScalar>
HWY_NOINLINE bool run_line(const Line& line) {
  using T = typename World::Storage;
  const World world;
  const auto step = static_cast<std::int64_t>(world.lanes());
  const T* a = static_cast<const T*>(line.a);
  const T* b = static_cast<const T*>(line.b);
  T* y = static_cast<T*>(line.y);
  const auto a0 = world.splat(*a);
  const auto b0 = world.splat(*b);
  auto vector_at = [&](const T* pa, const T* pb, T* py) HWY_ATTR {
    const auto va = kAScalar ? a0 : world.load(pa);
    const auto vb = kBScalar ? b0 : world.load(pb);
    using V = std::remove_cvref_t<decltype(va)>;
    world.store(Evaluate<World, V>{world, va, vb}(op::Formula<Operator>{}), py);
  };
  std::int64_t i = 0;
  for (; i + step <= line.n; i += step) {
    vector_at(kAScalar ? a : a + i, kBScalar ? b : b + i, y + i);
  }
  if (i < line.n) {
    constexpr std::size_t kMax = World::kMaxLanes;
    const std::size_t bytes = static_cast<std::size_t>(line.n - i) * sizeof(T);
    T ta[kMax], tb[kMax], ty[kMax];
    for (std::size_t k = 0; k < kMax; ++k) ta[k] = tb[k] = World::one();
    if (!kAScalar) std::memcpy(static_cast<void*>(ta), a + i, bytes);
    if (!kBScalar) std::memcpy(static_cast<void*>(tb), b + i, bytes);
    vector_at(ta, tb, ty);
    std::memcpy(static_cast<void*>(y + i), ty, bytes);
  }
  return world.zero_divisor();
}

template <class Operator, class World>
bool run_kernel(const Line& line) {
  if (line.n <= 0) return false;
  if (line.a_is_scalar && !line.b_is_scalar) {
    return run_line<Operator, World, true, false>(line);
  }
  if (line.b_is_scalar && !line.a_is_scalar) {
    return run_line<Operator, World, false, true>(line);
  }
  return run_line<Operator, World, false, false>(line);
}

// Enters the kernels of one element type for every operator. `World` is a template over the
// rounding of integer division; worlds that do not divide integers are the same for both.
template <template <IntDivision> class World>
void enter(DType type, KernelSet& set) {
  const auto t = static_cast<std::size_t>(type);
  for (const Op op : op::kAllOps) {
    op::with_op(op, [&](auto o) {
      using Operator = typename decltype(o)::type;
      Kernel(&slot)[2] = set.kernels[static_cast<std::size_t>(op)][t];
      slot[0] = &run_kernel<Operator, World<IntDivision::floor>>;
      if constexpr (op::divisor_of<Operator> != op::Divisor::none) {
        slot[1] = &run_kernel<Operator, World<IntDivision::trunc>>;
      } else {
        slot[1] = slot[0];
      }
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
