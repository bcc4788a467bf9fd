// Integers of 4, 8 and 16 bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/kernels_int.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/nibble_world-inl.h"
#include "exec/cpu/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {

template <IntDivision kRounding>
using Int8World = IntWorld<std::int8_t, kRounding>;
template <IntDivision kRounding>
using Int16World = IntWorld<std::int16_t, kRounding>;
template <IntDivision kRounding>
using Uint8World = IntWorld<std::uint8_t, kRounding>;
template <IntDivision kRounding>
using Uint16World = IntWorld<std::uint16_t, kRounding>;
template <IntDivision kRounding>
using Int4World = NibbleWorld<std::int8_t, kRounding>;
template <IntDivision kRounding>
using Uint4World = NibbleWorld<std::uint8_t, kRounding>;

#if HWY_TARGET != HWY_SCALAR
template <IntDivision kRounding>
using Int4PairWorld = NibblePairWorld<std::int8_t, kRounding>;
template <IntDivision kRounding>
using Uint4PairWorld = NibblePairWorld<std::uint8_t, kRounding>;
#endif

const KernelSet* int_set() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = hwy::TargetName(HWY_TARGET);
    enter<Int8World>(DType::int8, s);
    enter<Int16World>(DType::int16, s);
    enter<Uint8World>(DType::uint8, s);
    enter<Uint16World>(DType::uint16, s);
    enter<Int4World>(DType::int4, s);
    enter<Uint4World>(DType::uint4, s);
#if HWY_TARGET != HWY_SCALAR
    enter_packed<Int4PairWorld>(DType::int4, s);
    enter_packed<Uint4PairWorld>(DType::uint4, s);
#endif
    return s;
  }();
  return &set;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const KernelSet* int_kernels(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(int_set); }

}  // namespace hadamard::exec::cpu
#endif
