// Integers of 32 and 64 bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/kernels_wide_int.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/int_world-inl.h"
#include "exec/cpu/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <IntDivision kRounding>
using Int32World = IntWorld<std::int32_t, kRounding>;
template <IntDivision kRounding>
using Int64World = IntWorld<std::int64_t, kRounding>;
template <IntDivision kRounding>
using Uint32World = IntWorld<std::uint32_t, kRounding>;
template <IntDivision kRounding>
using Uint64World = IntWorld<std::uint64_t, kRounding>;

const KernelSet* wide_int_set() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = hwy::TargetName(HWY_TARGET);
    enter<Int32World>(DType::int32, s);
    enter<Int64World>(DType::int64, s);
    enter<Uint32World>(DType::uint32, s);
    enter<Uint64World>(DType::uint64, s);
    return s;
  }();
  return &set;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const KernelSet* wide_int_kernels(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(wide_int_set); }

}  // namespace hadamard::exec::cpu
#endif
