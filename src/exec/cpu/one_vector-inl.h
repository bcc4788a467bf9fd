// What worlds have in common whose elements lie in one vector.
#if defined(HADAMARD_EXEC_CPU_ONE_VECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HADAMARD_EXEC_CPU_ONE_VECTOR_INL_H_
#undef HADAMARD_EXEC_CPU_ONE_VECTOR_INL_H_
#else
#define HADAMARD_EXEC_CPU_ONE_VECTOR_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hadamard::exec::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Writes past the cache, to an aligned place. Highway's Stream writes whole registers: not for
// less.
template <class D>
HWY_INLINE void stream_vector(hn::Vec<D> v, D d, hn::TFromD<D>* p) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) < 16) {
    hn::StoreU(v, d, p);
  } else {
    hn::Stream(v, d, p);
  }
}

// Loads and stores of worlds whose elements lie in one vector of type DS: `Derived` says how what
// is stored becomes what is computed with (unpack) and back (pack), and where its bits are (raw).
template <class Derived, class DS>
class OneVector {
 public:
  using Stored = hn::Vec<DS>;
  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(DS())); }
  static constexpr std::size_t kMaxLanes = hn::MaxLanes(DS());
  template <class T>
  HWY_INLINE auto load(const T* p) const {
    return static_cast<const Derived*>(this)->unpack(hn::LoadU(DS(), Derived::raw(p)));
  }
  template <class T>
  HWY_INLINE void store(Stored v, T* p) const {
    hn::StoreU(v, DS(), Derived::raw(p));
  }
  template <class T>
  HWY_INLINE void stream(Stored v, T* p) const {
    stream_vector(v, DS(), Derived::raw(p));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace hadamard::exec::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
