// Comparisons, isnan and its like, and where, of fp32 and fp64, in vectors: a truth value is a
// byte, which compilers do not make of wider masks.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/kernels_truth.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include <limits>
#include <type_traits>

#include "exec/cpu/kernel_lookup.hpp"
#include "exec/cpu/targets.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
const KernelSet* truth_set() { return nullptr; }
#else

// An operator's formula on vectors, as a mask.
template <class D>
struct Masks {
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  V a, b;
  HWY_INLINE V operand(op::Arg<0>) const { return a; }
  HWY_INLINE V operand(op::Arg<1>) const { return b; }
  template <class X, class Y>
  HWY_INLINE M of(op::Call<op::prim::Eq, X, Y>) const {
    return hn::Eq(operand(X{}), operand(Y{}));
  }
  template <class X, class Y>
  HWY_INLINE M of(op::Call<op::prim::Lt, X, Y>) const {
    return hn::Lt(operand(X{}), operand(Y{}));
  }
  template <class X, class Y>
  HWY_INLINE M of(op::Call<op::prim::Le, X, Y>) const {
    return hn::Le(operand(X{}), operand(Y{}));
  }
  template <class X>
  HWY_INLINE M of(op::Call<op::prim::LogicalNot, X>) const {
    return hn::Not(of(X{}));
  }
  HWY_INLINE M of(op::Call<op::prim::IsNan, op::Arg<0> >) const { return hn::IsNaN(a); }
  HWY_INLINE M of(op::Call<op::prim::IsInf, op::Arg<0> >) const { return hn::IsInf(a); }
  HWY_INLINE M of(op::Call<op::prim::IsFinite, op::Arg<0> >) const { return hn::IsFinite(a); }
};

// The rest of a line, from element i on, by the kernel without vectors.
template <class Operator, class T, class First, class Result>
bool run_rest(const Line& line, std::int64_t i) {
  const auto from = [&](const void* p, bool is_scalar, std::size_t size) {
    return static_cast<const std::byte*>(p) + (is_scalar ? 0 : i * static_cast<std::int64_t>(size));
  };
  if (i == line.n) return false;
  Line rest = line;
  rest.a = from(line.a, line.a_is_scalar, sizeof(First));
  rest.b = from(line.b, line.b_is_scalar, sizeof(T));
  if (line.c != nullptr) rest.c = from(line.c, line.c_is_scalar, sizeof(T));
  rest.y = static_cast<std::byte*>(line.y) + i * static_cast<std::int64_t>(sizeof(Result));
  rest.n = line.n - i;
  const Kernel plain = selection_kernels()->kernels[static_cast<std::size_t>(op::op_of<Operator>)]
                                                   [static_cast<std::size_t>(dtype_of<T>)][0];
  return plain(rest);
}

template <class Operator, class T, bool kAScalar, bool kBScalar>
HWY_NOINLINE bool truth_line(const Line& line) {
  using D = hn::ScalableTag<T>;
  using D32 = hn::Repartition<std::int32_t, D>;
  const D d;
  const D32 d32;
  const hn::Rebind<std::int8_t, D32> d8;
  const auto* a = static_cast<const T*>(line.a);
  const auto* b = static_cast<const T*>(line.b);
  auto* y = static_cast<std::int8_t*>(line.y);
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  const auto a0 = hn::Set(d, *a), b0 = hn::Set(d, *b);
  const auto masks_at = [&](std::int64_t at) HWY_ATTR {
    const Masks<D> masks{kAScalar ? a0 : hn::LoadU(d, a + at),
                         kBScalar ? b0 : hn::LoadU(d, b + at)};
    return hn::BitCast(d32, hn::VecFromMask(d, masks.of(op::Formula<Operator>{})));
  };
  // As many bytes as there are lanes of 32 bits: of doubles two vectors.
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d32));
  std::int64_t i = 0;
  for (; i + lanes <= line.n; i += lanes) {
    if constexpr (sizeof(T) == 4) {
      hn::StoreU(hn::DemoteTo(d8, hn::And(masks_at(i), hn::Set(d32, 1))), d8, y + i);
    } else {
      const auto both = hn::ConcatEven(d32, masks_at(i + step), masks_at(i));
      hn::StoreU(hn::DemoteTo(d8, hn::And(both, hn::Set(d32, 1))), d8, y + i);
    }
  }
  return run_rest<Operator, T, T, std::int8_t>(line, i);
}

template <class Operator, class T>
bool run_truth(const Line& line) {
  if (line.n <= 0) return false;
  if constexpr (op::arity_of<Operator> == 2) {
    if (line.a_is_scalar && !line.b_is_scalar) return truth_line<Operator, T, true, false>(line);
    if (line.b_is_scalar && !line.a_is_scalar) return truth_line<Operator, T, false, true>(line);
  }
  return truth_line<Operator, T, false, false>(line);
}

// Whether the bytes at `c` are not 0, as a mask of T's lanes.
template <class T, class D>
HWY_INLINE hn::Mask<D> mask_at(D d, const std::uint8_t* c) {
  const hn::Rebind<std::uint8_t, D> d8;
  const hn::Rebind<std::uint32_t, D> d32;
  const auto wide = hn::PromoteTo(d32, hn::LoadU(d8, c));
  if constexpr (sizeof(T) == 4) {
    return hn::RebindMask(d, hn::Ne(wide, hn::Zero(d32)));
  } else {
    const hn::Rebind<std::uint64_t, D> d64;
    return hn::RebindMask(d, hn::Ne(hn::PromoteTo(d64, wide), hn::Zero(d64)));
  }
}

template <class T, bool kBScalar, bool kCScalar>
HWY_NOINLINE bool where_line(const Line& line) {
  using D = hn::ScalableTag<T>;
  const D d;
  const auto* c = static_cast<const std::uint8_t*>(line.a);
  const auto* x = static_cast<const T*>(line.b);
  const auto* z = static_cast<const T*>(line.c);
  auto* y = static_cast<T*>(line.y);
  const auto x0 = hn::Set(d, *x), z0 = hn::Set(d, *z);
  const auto nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + step <= line.n; i += step) {
    const auto chosen = hn::IfThenElse(mask_at<T>(d, c + i), kBScalar ? x0 : hn::LoadU(d, x + i),
                                       kCScalar ? z0 : hn::LoadU(d, z + i));
    hn::StoreU(hn::IfThenElse(hn::IsNaN(chosen), nan, chosen), d, y + i);
  }
  return run_rest<op::Where, T, std::uint8_t, T>(line, i);
}

template <class T>
bool run_where(const Line& line) {
  if (line.a_is_scalar) return run_rest<op::Where, T, std::uint8_t, T>(line, 0);
  if (line.b_is_scalar) {
    return line.c_is_scalar ? where_line<T, true, true>(line) : where_line<T, true, false>(line);
  }
  return line.c_is_scalar ? where_line<T, false, true>(line) : where_line<T, false, false>(line);
}

template <class T>
void enter_truths(KernelSet& set) {
  constexpr auto type = static_cast<std::size_t>(dtype_of<T>);
  for (const Op op : op::kAllOps) {
    op::with_op(op, [&](auto o) {
      using Operator = typename decltype(o)::type;
      Kernel(&slot)[2] = set.kernels[static_cast<std::size_t>(op)][type];
      if constexpr (op::type_rule_of<Operator>() == op::TypeRule::to_bool) {
        slot[0] = slot[1] = &run_truth<Operator, T>;
      } else if constexpr (op::type_rule_of<Operator>() == op::TypeRule::select) {
        slot[0] = slot[1] = &run_where<T>;
      }
    });
  }
}

const KernelSet* truth_set() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = hwy::TargetName(HWY_TARGET);
    enter_truths<float>(s);
    enter_truths<double>(s);
    return s;
  }();
  return &set;
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const KernelSet* truth_kernels(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(truth_set); }

}  // namespace hadamard::exec::cpu
#endif
