// The facts about each element type, derived from the one list in hadamard/lists.h.
//
// `Element<T>` is a type's codec: its kind, its storage and, for floats, its format. A new element
// type is one row in the list and one specialization here.
#pragma once

#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "hadamard/types.hpp"

namespace hadamard {

enum class Kind : std::uint8_t { exact, floating, integer, complex, boolean };

// A binary interchange format: `precision` significant bits (with the hidden one), `exponent` bits.
struct FloatFormat {
  int precision;
  int exponent;
  constexpr int width() const { return precision + exponent; }
  constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
  constexpr int min_exponent() const { return 1 - bias(); }  // of the smallest normal number
  constexpr int max_exponent() const { return bias(); }      // of the largest finite number
  constexpr std::uint64_t sign_bit() const { return std::uint64_t{1} << (width() - 1); }
  constexpr std::uint64_t mantissa_mask() const {
    return (std::uint64_t{1} << (precision - 1)) - 1;
  }
  constexpr std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent) - 1) << (precision - 1);
  }
  // The one NaN that Hadamard writes: quiet, positive, no payload.
  constexpr std::uint64_t canonical_nan() const {
    return infinity() | (std::uint64_t{1} << (precision - 2));
  }
};
inline constexpr FloatFormat kFp16{11, 5};
inline constexpr FloatFormat kBf16{8, 8};
inline constexpr FloatFormat kFp32{24, 8};
inline constexpr FloatFormat kFp64{53, 11};

template <class T>
struct Element;  // { kKind; kBits; [Float: kFormat, Bits]; [Integer: kSigned, Wide, min, max] }

template <class T, class B, FloatFormat const& F>
struct FloatElement {
  static constexpr Kind kKind = Kind::floating;
  static constexpr int kBits = F.width();
  static constexpr FloatFormat kFormat = F;
  using Bits = B;
};
template <>
struct Element<float16> : FloatElement<float16, std::uint16_t, kFp16> {};
template <>
struct Element<bfloat16> : FloatElement<bfloat16, std::uint16_t, kBf16> {};
template <>
struct Element<float> : FloatElement<float, std::uint32_t, kFp32> {};
template <>
struct Element<double> : FloatElement<double, std::uint64_t, kFp64> {};

template <class T, int bits_, bool is_signed>
struct IntElement {
  static constexpr Kind kKind = Kind::integer;
  static constexpr int kBits = bits_;
  static constexpr bool kSigned = is_signed;
  static constexpr std::int64_t kMin =
      is_signed ? -(std::int64_t{1} << (bits_ - 2)) - (std::int64_t{1} << (bits_ - 2)) : 0;
  static constexpr std::uint64_t kMax = ~std::uint64_t{0} >> (64 - bits_ + (is_signed ? 1 : 0));
};
template <>
struct Element<int4> : IntElement<int4, 4, true> {};
template <>
struct Element<uint4> : IntElement<uint4, 4, false> {};
template <>
struct Element<std::int8_t> : IntElement<std::int8_t, 8, true> {};
template <>
struct Element<std::int16_t> : IntElement<std::int16_t, 16, true> {};
template <>
struct Element<std::int32_t> : IntElement<std::int32_t, 32, true> {};
template <>
struct Element<std::int64_t> : IntElement<std::int64_t, 64, true> {};
template <>
struct Element<std::uint8_t> : IntElement<std::uint8_t, 8, false> {};
template <>
struct Element<std::uint16_t> : IntElement<std::uint16_t, 16, false> {};
template <>
struct Element<std::uint32_t> : IntElement<std::uint32_t, 32, false> {};
template <>
struct Element<std::uint64_t> : IntElement<std::uint64_t, 64, false> {};

template <>
struct Element<Real> {
  static constexpr Kind kKind = Kind::exact;
  static constexpr int kBits = 8 * sizeof(Real);
};
template <>
struct Element<bool> {
  static constexpr Kind kKind = Kind::boolean;
  static constexpr int kBits = 8;
};
template <class F>
struct Element<std::complex<F>> {
  static constexpr Kind kKind = Kind::complex;
  static constexpr int kBits = 2 * Element<F>::kBits;
  using Part = F;
};

template <class T>
inline constexpr bool is_packed = Element<T>::kBits == 4;

// Calls f(std::type_identity<T>{}) with the C++ type of `type`.
template <class F>
decltype(auto) with_type(DType type, F&& f) {
  switch (type) {
#define HADAMARD_WITH_TYPE(id, Type) \
  case DType::id:                    \
    return std::forward<F>(f)(std::type_identity<Type>{});
    HADAMARD_TYPES(HADAMARD_WITH_TYPE)
#undef HADAMARD_WITH_TYPE
  }
  __builtin_unreachable();
}

inline constexpr int kTypeCount = 0
#define HADAMARD_COUNT_TYPE(id, Type) +1
    HADAMARD_TYPES(HADAMARD_COUNT_TYPE)
#undef HADAMARD_COUNT_TYPE
    ;

Kind kind(DType type) noexcept;
inline std::size_t alignment_of(DType type) noexcept {
  return with_type(type, [](auto t) -> std::size_t { return alignof(typename decltype(t)::type); });
}
inline bool is_packed_type(DType type) noexcept { return bits(type) == 4; }

}  // namespace hadamard
