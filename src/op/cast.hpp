#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/int128.hpp"
#include "num/exact.hpp"
#include "op/opdef.hpp"

namespace hadamard::op {

struct Cast {
  static constexpr OpNames names{
      .id = "cast", .symbol = {}, .onnx = "Cast", .matlab = {}, .paddle = "cast"};
  static constexpr std::string_view doc =
      "a as an element of another type. To floats: correctly rounded. From floats and exact "
      "numbers to integers: towards zero, saturated, NaN is 0. Between integers: modulo 2^n. To "
      "bool: whether it is not 0. To complex: with imaginary part 0. To real: exact.";

  static constexpr TypeRule type_rule = TypeRule::convert;

  template <class W, class A>
  static constexpr auto apply(const W& w, const A& a) {
    return w.convert(a);
  }

  // Not of complex numbers to others.
  static constexpr bool converts(Kind from, Kind to) {
    return from != Kind::complex || to == Kind::complex;
  }
  template <class To, class From>
  static constexpr bool kDefined = converts(Element<From>::kKind, Element<To>::kKind);

  // Whether there are numbers of the one that the other has no answer for: NaN and infinities.
  template <class To, class From>
  static constexpr bool kNeedsFinite =
      Element<From>::kKind == Kind::floating&& Element<To>::kKind == Kind::exact;

  // Needs the default floating-point environment, and a finite number where kNeedsFinite.
  template <class To, class From>
  static To convert(const From& a) {
    constexpr Kind kFrom = Element<From>::kKind, kTo = Element<To>::kKind;
    if constexpr (kFrom == Kind::exact) {
      return from_exact<To>(a);
    } else if constexpr (kTo == Kind::exact) {
      return to_exact(a);
    } else if constexpr (kFrom == Kind::complex) {
      using Part = typename Element<To>::Part;
      return {convert<Part>(a.real()), convert<Part>(a.imag())};
    } else if constexpr (kTo == Kind::complex) {
      return {convert<typename Element<To>::Part>(a), 0};
    } else if constexpr (kFrom == Kind::floating) {
      return from_float<To>(a);
    } else if constexpr (is_packed<From>) {
      return from_integer<To>(static_cast<std::int64_t>(a.value));
    } else {
      return from_integer<To>(a);
    }
  }

 private:
  template <class To>
  static To from_exact(const Real& a) {
    constexpr Kind kTo = Element<To>::kKind;
    if constexpr (kTo == Kind::exact) {
      return a;
    } else if constexpr (kTo == Kind::floating) {
      return exact::round_to<To>(a);
    } else if constexpr (kTo == Kind::complex) {
      return {exact::round_to<typename Element<To>::Part>(a), 0};
    } else if constexpr (kTo == Kind::boolean) {
      return !a.is_zero();
    } else {
      if (a >= Real::from_unsigned(Element<To>::kMax)) return limit<To>(Element<To>::kMax);
      if (a <= Real(Element<To>::kMin)) {
        return limit<To>(static_cast<std::uint64_t>(Element<To>::kMin));
      }
      return limit<To>(exact::truncated_bits(a));
    }
  }
  template <class From>
  static Real to_exact(const From& a) {
    if constexpr (Element<From>::kKind == Kind::floating) {
      return exact::value_of(a);
    } else if constexpr (is_packed<From>) {
      return Real(static_cast<std::int64_t>(a.value));
    } else if constexpr (std::is_unsigned_v<From>) {
      return Real::from_unsigned(a);
    } else {
      return Real(static_cast<std::int64_t>(a));
    }
  }

  template <class To, class From>
  static To from_float(const From& a) {
    if constexpr (Element<To>::kKind == Kind::floating) {
      if constexpr (std::is_class_v<From> || std::is_class_v<To>) {
        return canonical(To(static_cast<double>(a)));
      } else {
        return canonical(static_cast<To>(a));
      }
    } else {
      const auto x = static_cast<double>(a);
      if constexpr (Element<To>::kKind == Kind::boolean) {
        return x != 0;  // so is NaN
      } else {
        return saturated<To>(x);
      }
    }
  }
  template <class To>
  static To canonical(To x) {
    if constexpr (std::is_class_v<To>) {
      return x;
    } else {
      return x != x ? std::numeric_limits<To>::quiet_NaN() : x;
    }
  }
  template <class To>
  static To saturated(double x) {
    // As doubles: the first number above the range is a power of two, which they hold.
    constexpr double kAbove = static_cast<double>(Element<To>::kMax / 2 + 1) * 2;
    constexpr auto kLow = static_cast<double>(Element<To>::kMin);
    if (x != x) return To(0);
    if (x >= kAbove) return limit<To>(Element<To>::kMax);
    if (x <= kLow) return limit<To>(static_cast<std::uint64_t>(Element<To>::kMin));
    return Element<To>::kSigned
               ? limit<To>(static_cast<std::uint64_t>(static_cast<std::int64_t>(x)))
               : limit<To>(static_cast<std::uint64_t>(x));
  }
  template <class To>
  static To limit(std::uint64_t bits) {
    if constexpr (is_packed<To>) {
      return To(static_cast<std::int64_t>(bits & 15));
    } else {
      return static_cast<To>(bits);
    }
  }

  template <class To, class From>
  static To from_integer(From a) {
    if constexpr (Element<To>::kKind == Kind::boolean) {
      return a != 0;
    } else if constexpr (Element<To>::kKind == Kind::integer) {
      return limit<To>(static_cast<std::uint64_t>(a));
    } else if constexpr (std::is_class_v<To>) {
      return To(odd_double(a));
    } else {
      return static_cast<To>(a);
    }
  }
  // As a double with what it cannot hold gathered in its last bit, so that rounding it to fewer
  // bits is as rounding the integer.
  template <class From>
  static double odd_double(From a) {
    if constexpr (sizeof(From) < 8) {
      return static_cast<double>(a);
    } else {
      const bool negative = a < 0;
      auto size = static_cast<std::uint64_t>(a);
      if (negative) size = 0 - size;
      double y = 0;
      if (size >> 53 == 0) {
        y = static_cast<double>(size);
      } else {
        y = static_cast<double>((size >> 11) | ((size & 0x7FF) != 0 ? 1 : 0)) * 2048;
      }
      return negative ? -y : y;
    }
  }
};

}  // namespace hadamard::op
