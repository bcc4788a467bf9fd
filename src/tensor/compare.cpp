#include "tensor/compare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/int128.hpp"
#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "num/text.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

template <class T>
std::optional<std::uint64_t> distance(const T& a, const T& b) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (kKind == Kind::floating) {
    constexpr FloatFormat kFormat = Element<T>::kFormat;
    const std::uint64_t x = exact::bits_of(a), y = exact::bits_of(b);
    if (exact::is_nan(x, kFormat) != exact::is_nan(y, kFormat)) return std::nullopt;
    return exact::ulp_distance(x, y, kFormat);
  } else if constexpr (kKind == Kind::complex) {
    const auto re = distance(a.real(), b.real()), im = distance(a.imag(), b.imag());
    return re && im ? std::max(re, im) : std::nullopt;
  } else if constexpr (kKind == Kind::exact) {
    if (a == b) return 0;
    return std::nullopt;
  } else if constexpr (is_packed<T>) {
    return distance<std::int32_t>(a.value, b.value);
  } else {
    const int128 difference = static_cast<int128>(a) - static_cast<int128>(b);
    return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
  }
}

// Whether the bits are the same, or, with `any_nan`, both are NaN.
template <class T>
bool same(const T& a, const T& b, bool any_nan) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (kKind == Kind::floating) {
    constexpr FloatFormat kFormat = Element<T>::kFormat;
    const std::uint64_t x = exact::bits_of(a), y = exact::bits_of(b);
    return x == y || (any_nan && exact::is_nan(x, kFormat) && exact::is_nan(y, kFormat));
  } else if constexpr (kKind == Kind::complex) {
    return same(a.real(), b.real(), any_nan) && same(a.imag(), b.imag(), any_nan);
  } else {
    return distance(a, b) == std::uint64_t{0};
  }
}

template <class T>
ElementText text_of(const T& value) {
  return {text::format(value), text::format_hex(value)};
}

template <class T>
Comparison compare_as(const ConstView& a, const ConstView& b, const Tolerance& tolerance,
                      std::size_t shown) {
  Comparison c;
  c.count = a.count();
  const Dims* const strides[] = {&a.strides(), &b.strides()};
  for (IndexWalk<2> walk(a.shape(), strides); !walk.done(); walk.next()) {
    const T x = load_element<T>(a.data(), a.offset() + walk.offset(0));
    const T y = load_element<T>(b.data(), b.offset() + walk.offset(1));
    if (same(x, y, false)) continue;
    ++c.bits_differ;
    const std::optional<std::uint64_t> d = distance(x, y);
    if (d) {
      c.largest = std::max(c.largest, *d);
    } else {
      ++c.unordered;
    }
    const bool near = tolerance.ulp && d && *d <= *tolerance.ulp;
    if (near || same(x, y, tolerance.any_nan)) continue;
    ++c.beyond;
    if (c.first.size() < shown) c.first.push_back({walk.index(), text_of(x), text_of(y), d});
  }
  return c;
}

}  // namespace

std::string to_string(const ElementText& element) {
  return fmt::format("{} {}", element.value, element.hex);
}

ElementText element_text(const ConstView& tensor, const Dims& index) {
  return with_type(tensor.dtype(),
                   [&](auto t) { return text_of(tensor.at<typename decltype(t)::type>(index)); });
}

std::string distance_text(const Difference& difference) {
  return difference.distance ? fmt::format("{} ULP", *difference.distance) : "no distance";
}

Comparison compare(const ConstView& a, const ConstView& b, const Tolerance& tolerance,
                   std::size_t shown) {
  return with_type(a.dtype(), [&](auto t) {
    return compare_as<typename decltype(t)::type>(a, b, tolerance, shown);
  });
}

}  // namespace hadamard
