// An operator's formula on vectors.
#if defined(HADAMARD_EXEC_CPU_EVALUATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_EVALUATE_INL_H_
#undef HADAMARD_EXEC_CPU_EVALUATE_INL_H_
#else
#define HADAMARD_EXEC_CPU_EVALUATE_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "op/formula.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

// Evaluates an operator's formula on vectors. The operator's own template cannot be called here: it
// was compiled for the baseline, and only functions of this region may hold this target's
// instructions.
template <class World, class V>
struct Evaluate {
  const World& world;
  const V& a;
  const V& b;
  HWY_INLINE const V& operator()(op::Arg<0>) const { return a; }
  HWY_INLINE const V& operator()(op::Arg<1>) const { return b; }
  template <int numerator, int denominator>
  HWY_INLINE V operator()(op::Ratio<numerator, denominator>) const {
    return world.template ratio<numerator, denominator>(a);
  }
  template <int divisor, class X>
  HWY_INLINE V operator()(op::Call<op::prim::DividedBy<divisor>, X>) const {
    return world.template divided<divisor>(operand(X{}));
  }
  template <class Record, class... X>
  HWY_INLINE V operator()(op::Call<op::prim::Function<Record>, X...>) const {
    return world.template function<Record>(operand(X{})...);
  }
#define HADAMARD_EVALUATE(Name, method)                           \
  template <class... X>                                           \
  HWY_INLINE V operator()(op::Call<op::prim::Name, X...>) const { \
    return world.method(operand(X{})...);                         \
  }
  HADAMARD_PRIMITIVES(HADAMARD_EVALUATE)
#undef HADAMARD_EVALUATE
  // relu, for which some worlds have less to do than for any maximum.
  template <class X>
  HWY_INLINE V operator()(op::Call<op::prim::Max, X, op::Call<op::prim::Zero, X>>) const {
    if constexpr (requires { world.max_of_zero(a); }) {
      return world.max_of_zero(operand(X{}));
    } else {
      return world.max(operand(X{}), operand(op::Call<op::prim::Zero, X>{}));
    }
  }

 private:
  // A computed operand is first made what storing and loading it would make of it: every primitive
  // rounds to the element type, as in the reference. The last one is rounded by the store; what was
  // only chosen needs none.
  template <std::size_t index>
  HWY_INLINE const V& operand(op::Arg<index> arg) const {
    return (*this)(arg);
  }
  template <int numerator, int denominator>
  HWY_INLINE V operand(op::Ratio<numerator, denominator> ratio) const {
    return (*this)(ratio);
  }
  template <class Primitive, class... X>
  HWY_INLINE V operand(op::Call<Primitive, X...> call) const {
    if constexpr (op::chooses<Primitive>) {
      return (*this)(call);
    } else {
      return world.settle((*this)(call));
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
