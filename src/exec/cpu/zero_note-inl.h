// Highway's include guard for per-target headers: seen once for every target.
#if defined(HADAMARD_EXEC_CPU_ZERO_NOTE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_ZERO_NOTE_INL_H_
#undef HADAMARD_EXEC_CPU_ZERO_NOTE_INL_H_
#else
#define HADAMARD_EXEC_CPU_ZERO_NOTE_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "exec/cpu/kernel.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether one of many integers is zero, at as little cost as there is: by the smallest of them, as
// unsigned numbers. There is no instruction for that of 64 bits; whole numbers as doubles have an
// upper half, their exponent, that is zero for 0 alone, so there the smallest upper half will do.
template <class D>
class ZeroNote {
 public:
  HWY_INLINE ZeroNote() : note_(kByLeast ? hn::Set(DN(), static_cast<N>(~N{0})) : hn::Zero(DN())) {}
  template <class V>
  HWY_INLINE void take(V v) {
    if constexpr (kNotesZeroDivisors) {
      const auto bits = hn::BitCast(DN(), v);
      if constexpr (kByLeast) {
        note_ = hn::Min(note_, bits);
      } else {
        note_ = hn::Or(note_, hn::VecFromMask(DN(), hn::Eq(bits, hn::Zero(DN()))));
      }
    }
  }
  HWY_INLINE bool any() const {
    if constexpr (kOfDoubles) {
      const auto upper = hn::ShiftRight<32>(hn::BitCast(DU(), note_));
      return !hn::AllFalse(DU(), hn::Eq(upper, hn::Zero(DU())));
    } else if constexpr (kByLeast) {
      return !hn::AllFalse(DN(), hn::Eq(note_, hn::Zero(DN())));
    } else {
      return !hn::AllTrue(DN(), hn::Eq(note_, hn::Zero(DN())));
    }
  }

 private:
  static constexpr bool kOfDoubles = std::is_same_v<hn::TFromD<D>, double>;
  using U = hwy::MakeUnsigned<hn::TFromD<D>>;
  using DU = hn::Rebind<U, D>;
  using N = std::conditional_t<kOfDoubles, std::uint32_t, U>;
  using DN = hn::Repartition<N, DU>;
  static constexpr bool kByLeast = sizeof(N) < 8;
  hn::Vec<DN> note_;
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
