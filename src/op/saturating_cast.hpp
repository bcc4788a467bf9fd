#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "num/exact.hpp"
#include "num/saturating.hpp"
#include "op/opdef.hpp"

namespace hadamard::op {

struct SaturatingCast {
  static constexpr OpNames names{
      .id = "saturating_cast", .symbol = {}, .onnx = {}, .matlab = {}, .paddle = {}};
  static constexpr std::string_view doc =
      "a as an integer of another type: rounded half away from zero, and the nearest end of the "
      "type where that is outside. NaN is 0.";

  static constexpr TypeRule type_rule = TypeRule::convert;
  static constexpr Monotone monotone = Monotone::increasing;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.saturating_convert(a);
  }

  static constexpr bool converts(Kind from, Kind to) {
    return from != Kind::complex && to == Kind::integer;
  }
  template <class To, class From>
  static constexpr bool kDefined = converts(Element<From>::kKind, Element<To>::kKind);
  template <class To, class From>
  static constexpr bool kNeedsFinite = false;

  template <class To, class From>
  static To convert(const From& a) {
    if constexpr (Element<From>::kKind == Kind::exact) {
      return of_exact<To>(a);
    } else if constexpr (is_packed<From>) {
      return of_number<To>(static_cast<std::int32_t>(a.value));
    } else if constexpr (Element<From>::kKind == Kind::floating && std::is_class_v<From>) {
      return of_number<To>(static_cast<double>(a));
    } else {
      return of_number<To>(a);
    }
  }

  // Of an exact number.
  template <class To>
  static To of_exact(const Real& a) {
    if (a >= Real::from_unsigned(Element<To>::kMax)) return limit<To>(Element<To>::kMax);
    if (a <= Real(Element<To>::kMin)) return limit<To>(Element<To>::kMin);
    const Real half = Real(1) / Real(2);
    return limit<To>(exact::truncated_bits(a.sign() < 0 ? a - half : a + half));
  }

 private:
  template <class To, class From>
  static To of_number(From a) {
    if constexpr (is_packed<To>) {
      using Wide = std::conditional_t<Element<To>::kSigned, std::int8_t, std::uint8_t>;
      return clamped<To>(saturating::from<Wide>(a));
    } else {
      return saturating::from<To>(a);
    }
  }
  template <class To, class Bits>
  static To limit(Bits bits) {
    if constexpr (is_packed<To>) {
      return To(static_cast<std::int64_t>(bits) & 15);
    } else {
      return static_cast<To>(bits);
    }
  }

 public:
  // A byte as an integer of 4 bits.
  template <class To, class Byte>
  static To clamped(Byte a) {
    constexpr auto kLow = static_cast<Byte>(Element<To>::kMin);
    constexpr auto kHigh = static_cast<Byte>(Element<To>::kMax);
    return To(std::int64_t{a < kLow ? kLow : a > kHigh ? kHigh : a});
  }
};

}  // namespace hadamard::op
