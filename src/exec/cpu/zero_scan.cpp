// Looking for a zero among integers that lie side by side, at the speed of reading them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cpu/zero_scan.cpp"
#include "hwy/foreach_target.h"
// foreach_target.h comes first, by Highway's rule.
#include "exec/cpu/kernel.hpp"
#include "exec/cpu/targets.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> zeros_at(D d, const hn::TFromD<D>* p) {
  return hn::VecFromMask(d, hn::Eq(hn::LoadU(d, p), hn::Zero(d)));
}

template <class T>
bool scan(const void* data, std::int64_t n) {
  const hn::ScalableTag<T> d;
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  const T* p = static_cast<const T*>(data);
  std::int64_t i = 0;
  for (; i + 4 * step <= n; i += 4 * step) {
    const auto zeros = hn::Or(hn::Or(zeros_at(d, p + i), zeros_at(d, p + i + step)),
                              hn::Or(zeros_at(d, p + i + 2 * step), zeros_at(d, p + i + 3 * step)));
    if (!hn::AllTrue(d, hn::Eq(zeros, hn::Zero(d)))) return true;
  }
  for (; i < n; ++i) {
    if (p[i] == 0) return true;
  }
  return false;
}

// 4-bit integers, two to a byte.
bool scan_nibbles(const void* data, std::int64_t n) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* p = static_cast<const std::uint8_t*>(data);
  const std::int64_t bytes = n / 2;
  const auto low = hn::Set(d, 0x0F);
  const auto high = hn::Set(d, 0xF0);
  std::int64_t i = 0;
  for (; i + step <= bytes; i += step) {
    const auto v = hn::LoadU(d, p + i);
    const auto least = hn::Min(hn::And(v, low), hn::And(v, high));
    if (!hn::AllFalse(d, hn::Eq(least, hn::Zero(d)))) return true;
  }
  for (; i < bytes; ++i) {
    if ((p[i] & 0x0F) == 0 || (p[i] & 0xF0) == 0) return true;
  }
  return n % 2 != 0 && (p[bytes] & 0x0F) == 0;
}

const ZeroScans* zero_scans_here() {
  static const ZeroScans scans{&scan_nibbles, &scan<std::uint8_t>, &scan<std::uint16_t>,
                               &scan<std::uint32_t>, &scan<std::uint64_t>};
  return &scans;
}

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hadamard::exec::cpu {

const ZeroScans* zero_scans(std::int64_t target) { HADAMARD_RETURN_FOR_TARGET(zero_scans_here); }

}  // namespace hadamard::exec::cpu
#endif
