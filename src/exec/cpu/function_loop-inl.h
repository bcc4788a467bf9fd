// Lines of elementary functions: an estimate in vectors, a test whether it decides the result, and
// the plain kernel (function_kernels) for the few elements where it does not. The result is the
// correctly rounded one either way, so it is the same on every target (docs/adr/0010).
#if defined(HADAMARD_EXEC_CPU_FUNCTION_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_FUNCTION_LOOP_INL_H_
#undef HADAMARD_EXEC_CPU_FUNCTION_LOOP_INL_H_
#else
#define HADAMARD_EXEC_CPU_FUNCTION_LOOP_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "exec/cpu/float_world-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

inline constexpr std::int64_t kFunctionBlock = 256;  // elements; a multiple of every vector

// Two bounds of each of n elements (a multiple of the lanes), rounded to a Lane: `low` is nearer to
// zero. Or NaN, which says nothing. Lane is float, or double for fp64. `b` is `a` where there is
// one operand. The bounds are `margin` of the value's size away from it, or more where the function
// says so; for fp64 it alone knows.
template <class Lane>
using Estimator = void (*)(const Lane* a, const Lane* b, Lane* low, Lane* high, std::int64_t n,
                           double margin);

// fp32: 4 times what the estimates promise. Once in 2^19 elements they do not decide.
inline constexpr double kSingleMargin = 0x1p-44;
// fp16, bf16: 4 times what rounding to float may add. Once in 2^10 elements.
inline constexpr double kHalfMargin = 0x1p-22;

template <class T>
using FunctionLane = std::conditional_t<std::is_same_v<T, double>, double, float>;
template <class T>
using StorageWorld =
    std::conditional_t<std::is_class_v<T>, HalfWorld<T>, FloatWorld<FunctionLane<T>>>;

// `count` elements as lanes, and behind them a number that does no harm, up to whole vectors.
template <class T>
HWY_INLINE void load_block(const T* p, std::int64_t count, FunctionLane<T>* lanes) {
  using World = StorageWorld<T>;
  const World world;
  const std::int64_t step = World::lanes();
  std::int64_t i = 0;
  for (; i + step <= count; i += step) {
    hn::StoreU(world.load(p + i), typename World::D(), lanes + i);
  }
  if (i < count) {
    T rest[World::kMaxLanes];
    for (T& x : rest) x = World::filler();
    std::memcpy(static_cast<void*>(rest), p + i, static_cast<std::size_t>(count - i) * sizeof(T));
    hn::StoreU(world.load(rest), typename World::D(), lanes + i);
  }
}

// Stores low where it and high are the same number of type T. Rounding never changes an order, so
// between two floats that round to one number of T there are only such. Of a half, the bounds are
// wide enough to be floats on both sides of the true value, if they are normal; both may be 0.
template <class T>
HWY_INLINE void settle_block(const FunctionLane<T>* a, const FunctionLane<T>* b,
                             const FunctionLane<T>* low, const FunctionLane<T>* high,
                             std::int64_t n, Kernel plain, T* y) {
  using World = StorageWorld<T>;
  using Lane = FunctionLane<T>;
  const World world;
  const typename World::D d;
  for (std::int64_t i = 0; i < n; i += World::lanes()) {
    const auto lower = hn::LoadU(d, low + i), upper = hn::LoadU(d, high + i);
    const auto result = world.settle(lower);
    auto decided = hn::Eq(result, world.settle(upper));
    if constexpr (std::is_class_v<T>) {
      const auto normal = hn::Ge(hn::Abs(lower), hn::Set(d, std::numeric_limits<Lane>::min()));
      decided = hn::And(decided, hn::Or(normal, hn::Eq(upper, hn::Zero(d))));
    }
    world.store(world.pack(result), y + i);
    if (HWY_LIKELY(hn::AllTrue(d, decided))) continue;
    Lane is_decided[World::kMaxLanes];
    hn::StoreU(hn::IfThenElseZero(decided, hn::Set(d, Lane{1})), d, is_decided);
    for (std::int64_t k = 0; k < World::lanes(); ++k) {
      if (is_decided[k] != 0) continue;
      const T x(a[i + k]), z(b[i + k]);
      plain({&x, &z, y + i + k, 1, false, false});
    }
  }
}

template <class T>
HWY_NOINLINE bool run_estimated(const Line& line, bool two, Estimator<FunctionLane<T>> estimate,
                                Kernel plain) {
  using Lane = FunctionLane<T>;
  using World = StorageWorld<T>;
  constexpr std::int64_t kStep = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<float>()));
  HWY_ALIGN Lane a[kFunctionBlock];
  HWY_ALIGN Lane other[kFunctionBlock];
  HWY_ALIGN Lane low[kFunctionBlock];
  HWY_ALIGN Lane high[kFunctionBlock];
  T y[kFunctionBlock];
  Lane* const b = two ? other : a;
  const auto* pa = static_cast<const T*>(line.a);
  const auto* pb = static_cast<const T*>(line.b);
  const World world;
  const auto fill = [&](const T& x, Lane* lanes) HWY_ATTR {
    for (std::int64_t i = 0; i < kFunctionBlock; i += World::lanes()) {
      hn::StoreU(world.splat(x), typename World::D(), lanes + i);
    }
  };
  if (line.a_is_scalar) fill(*pa, a);
  if (two && line.b_is_scalar) fill(*pb, b);
  for (std::int64_t begin = 0; begin < line.n; begin += kFunctionBlock) {
    const std::int64_t count = std::min(kFunctionBlock, line.n - begin);
    const std::int64_t whole = (count + kStep - 1) / kStep * kStep;
    if (!line.a_is_scalar) load_block(pa + begin, count, a);
    if (two && !line.b_is_scalar) load_block(pb + begin, count, b);
    estimate(a, b, low, high, whole, std::is_class_v<T> ? kHalfMargin : kSingleMargin);
    settle_block(a, b, low, high, whole, plain, y);
    std::memcpy(static_cast<void*>(static_cast<T*>(line.y) + begin), y,
                static_cast<std::size_t>(count) * sizeof(T));
  }
  return false;
}

template <class Operator, class T, class Estimates>
bool run_function(const Line& line) {
  static const Kernel plain =
      function_kernels()->kernels[static_cast<std::size_t>(op::op_of<Operator>)]
                                 [static_cast<std::size_t>(dtype_of<T>)][0];
  return run_estimated<T>(line, op::arity_of<Operator> == 2, &Estimates::template bounds<Operator>,
                          plain);
}

// Enters the kernels of type T for every operator that `Estimates` has.
template <class T, class Estimates>
void enter_functions(KernelSet& set) {
  for (const Op op : op::kPlainOps) {
    op::with_op(op, [&](auto o) {
      using Operator = typename decltype(o)::type;
      if constexpr (op::is_plain_operator<Operator> && op::defined_for<Operator, T> &&
                    requires { sizeof(typename Estimates::template Function<Operator>); }) {
        Kernel(&slot)[2] =
            set.kernels[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype_of<T>)];
        slot[0] = slot[1] = &run_function<Operator, T, Estimates>;
      }
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
