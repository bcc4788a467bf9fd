// max and min, and round with a number of digits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>

#include "base/int128.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/comparison.hpp"
#include "matlab/elements.hpp"
#include "matlab/functions.hpp"

namespace hadamard::matlab {
namespace {

using Result = std::optional<Value>;
using Complex = std::complex<double>;

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_same_v<T, Complex>) {
    return std::isnan(x.real()) || std::isnan(x.imag());
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(x);
  } else {
    return false;
  }
}

double modulus(Complex z) { return std::hypot(z.real(), z.imag()); }

// Is y to be taken instead of x? A NaN never is, and everything else instead of it.
template <bool kLargest, class T>
bool is_better(T y, T x) {
  if (is_nan(x) || is_nan(y)) return is_nan(x) && !is_nan(y);
  if constexpr (std::is_same_v<T, Complex>) {
    return kLargest ? ordered(y, x) > 0 : ordered(y, x) < 0;
  } else {
    return kLargest ? y > x : y < x;
  }
}

// Of two operands. Of complex ones as Octave has it: the first of those with one modulus, and a NaN
// where one is.
template <bool kLargest, class T>
T chosen(T x, T y) {
  if constexpr (std::is_same_v<T, Complex>) {
    const double p = modulus(x), q = modulus(y);
    return (kLargest ? p >= q : p <= q) || is_nan(x) ? x : y;
  } else {  // as is_better, in a form that compilers make vectors of
    if (is_nan(x)) return y;
    if (is_nan(y)) return x;
    return (kLargest ? y > x : y < x) ? y : x;
  }
}

// What elements of the class are compared as: 64-bit integers as themselves, all others as double
// or, where they are complex, complex128.
Value comparable(const Value& v, Class cls, bool is_complex) {
  const bool is_wide = cls == Class::int64 || cls == Class::uint64;
  const Value x = convert(v, is_wide ? cls : Class::double_);
  return is_complex ? to_complex(x) : x;
}
// Calls f with a number of that type.
template <class F>
void with_comparable(const Value& v, F&& f) {
  if (v.is_complex()) return f(Complex{});
  if (v.cls() == Class::int64) return f(std::int64_t{});
  v.cls() == Class::uint64 ? f(std::uint64_t{}) : f(double{});
}

void refuse_strings(Arguments a, std::string_view function) {
  for (const Value& v : a) {
    if (v.cls() == Class::string) {
      throw Fault{"MATLAB:UndefinedFunction", fmt::format("{} is not for strings", function)};
    }
  }
}

// The extremes along a dimension, and their places there, which count from 1, where two results are
// wanted. `extent` elements of A, each `inner` behind the other, become one of `size`.
template <bool kLargest>
Value extremes(Workspace& workspace, const Value& a, const Dims& size, std::int64_t extent,
               std::int64_t inner) {
  const Value x = comparable(a, a.cls(), a.is_complex());
  Tensor y = uninitialized(x.elements().dtype(), size);
  const bool wants_places = workspace.results_wanted > 1;
  Tensor places = uninitialized(DType::fp64, wants_places ? size : Dims{0, 0});
  with_comparable(x, [&](auto t) {
    using T = decltype(t);
    for (std::int64_t i = 0; i < element_count(size); ++i) {
      const T* const first = data_of<T>(x) + i / inner * inner * extent + i % inner;
      T best = first[0];
      std::int64_t place = 0;
      for (std::int64_t k = 1; k < extent; ++k) {
        if (!is_better<kLargest>(first[k * inner], best)) continue;
        best = first[k * inner];
        place = k;
      }
      data_of<T>(y)[i] = best;
      if (wants_places) data_of<double>(places)[i] = static_cast<double>(place + 1);
    }
  });
  if (wants_places) {
    workspace.more_results.emplace_back(Class::double_, std::move(places), a.residency());
  }
  const Class cls = a.cls() == Class::char_ ? Class::double_ : a.cls();
  return narrowed(convert(Value(x.cls(), std::move(y), a.residency()), cls));
}

// Along dimension `d`, which counts from 0.
template <bool kLargest>
Value extreme_along(Workspace& workspace, const Value& a, std::size_t d) {
  Dims size = a.size();
  if (size == Dims{0, 0}) return extremes<kLargest>(workspace, a, size, 0, 1);
  while (size.size() <= d) size.push_back(1);
  const std::int64_t extent = size[d];
  size[d] = extent == 0 ? 0 : 1;
  std::int64_t inner = 1;
  for (std::size_t e = 0; e < d; ++e) inner *= size[e];
  return extremes<kLargest>(workspace, a, size, extent, inner);
}
template <bool kLargest>
Value extreme_of_all(Workspace& workspace, const Value& a) {
  const std::int64_t extent = a.is_empty() ? 0 : 1;
  return extremes<kLargest>(workspace, a, {extent, extent}, a.numel(), 1);
}

template <bool kLargest>
Value extreme_of_two(const Workspace& workspace, const Value& a, const Value& b) {
  constexpr std::string_view kName = kLargest ? "max" : "min";
  const bool integers[] = {is_integer(a.cls()), is_integer(b.cls())};
  const bool is_complex = a.is_complex() || b.is_complex();
  if (integers[0] && integers[1] && a.cls() != b.cls()) {
    throw Fault{"MATLAB:mixedClasses", fmt::format("{}: integers of two classes, {} and {}", kName,
                                                   name(a.cls()), name(b.cls()))};
  }
  if ((integers[0] || integers[1]) && is_complex) {
    throw Fault{"MATLAB:integerComplex", fmt::format("{}: an integer and a complex number", kName)};
  }
  const bool narrow = a.cls() == Class::single_ || b.cls() == Class::single_;
  const bool are_logical = a.cls() == Class::logical && b.cls() == Class::logical;
  const Class cls = integers[0]   ? a.cls()
                    : integers[1] ? b.cls()
                    : are_logical ? Class::logical
                    : narrow      ? Class::single_
                                  : Class::double_;
  const Dims size = expanded_size(a.size(), b.size());
  workspace.rules.room.require(size, is_complex ? DType::complex128 : DType::fp64);
  const Value x = comparable(a, cls, is_complex), y = comparable(b, cls, is_complex);
  Tensor z = uninitialized(x.elements().dtype(), size);
  with_comparable(x, [&](auto t) {
    using T = decltype(t);
    for_expanded(x.size(), y.size(), size, data_of<T>(x), data_of<T>(y), data_of<T>(z),
                 [](T p, T q) { return chosen<kLargest>(p, q); });
  });
  return narrowed(convert(Value(x.cls(), std::move(z)), cls));
}

template <bool kLargest>
Result extreme(Workspace& workspace, Arguments a) {
  constexpr std::string_view kName = kLargest ? "max" : "min";
  refuse_strings(a, kName);
  // The [] of max(A, [], 'like', P) holds the place of B.
  const bool is_place_held = a.size() == 2 && workspace.is_like_given && a[1].size() == Dims{0, 0};
  if (a.size() == 1 || is_place_held) {  // along the first dimension that is not 1
    std::size_t d = 0;
    while (d + 1 < a[0].size().size() && a[0].size()[d] == 1) ++d;
    return extreme_along<kLargest>(workspace, a[0], d);
  }
  if (a.size() == 2) return extreme_of_two<kLargest>(workspace, a[0], a[1]);
  const bool is_all = a[2].cls() == Class::char_ && text_of(a[2], kName) == "all";
  const std::int64_t d = is_all || a[2].cls() == Class::char_ ? 0 : extent_of(a[2], kName);
  if (!a[1].is_empty() || (!is_all && (d < 1 || d > 1024))) {
    throw Fault{fmt::format("MATLAB:{}", kName),
                fmt::format("expected {0}(A), {0}(A, B), {0}(A, [], DIMENSION) or "
                            "{0}(A, [], 'all')",
                            kName)};
  }
  return is_all ? extreme_of_all<kLargest>(workspace, a[0])
                : extreme_along<kLargest>(workspace, a[0], static_cast<std::size_t>(d - 1));
}

// Each real part of each element by f, a function of double.
template <class F>
Value rounded_by(const Value& a, F f) {
  if (a.is_complex()) {
    const Value re = rounded_by(real_part(a), f), im = rounded_by(imaginary_part(a), f);
    Value y = to_complex(re);
    const auto put = [&](auto t) {
      using T = decltype(t);
      const T* const imaginary = data_of<T>(im);
      T* const out = data_of<T>(y.own_elements());
      for (std::int64_t i = 0; i < y.numel(); ++i) out[2 * i + 1] = imaginary[i];
    };
    y.cls() == Class::double_ ? put(double{}) : put(float{});
    return narrowed(y);
  }
  const Value x = is_float(a.cls()) ? a : convert(a, Class::double_);
  Tensor y = uninitialized(x.elements().dtype(), x.size());
  with_real_type(y.dtype(), [&](auto t) {
    using T = decltype(t);
    for_each(x.numel(), data_of<T>(x), data_of<T>(y),
             [f](T e) { return static_cast<T>(f(static_cast<double>(e))); });
  });
  return Value(x.cls(), std::move(y), a.residency());
}

// m 10^k, rounded once; m is whole and below 2^53.
double decimal(double m, int k) {
  constexpr int kMostExact = 22;  // the last power of ten that is a double
  static constexpr auto kPowers = [] {
    std::array<double, kMostExact + 1> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
  }();
  if (std::abs(k) > kMostExact) {
    return std::strtod(fmt::format("{:.0f}e{}", m, k).c_str(), nullptr);
  }
  const double power = kPowers[static_cast<std::size_t>(std::abs(k))];
  return k < 0 ? m / power : m * power;
}

// To `digits` digits behind the point, before it where they are negative: by the product with
// 10^digits, which is rounded to double, as MATLAB does. What has no such digits stays.
double rounded_to_decimals(double x, double digits) {
  constexpr int kMost = 308;  // 10^kMost is the last one that is finite
  if (!std::isfinite(x) || x == 0) return x;
  if (digits < -kMost) return std::copysign(0.0, x);
  const auto k = static_cast<int>(std::min(digits, 2.0 * kMost));
  const double moved =
      k < 0 ? x / decimal(1, -k)
            : x * decimal(1, std::min(k, kMost)) * decimal(1, std::max(k - kMost, 0));
  return std::fabs(moved) < 0x1p52 ? decimal(std::round(moved), -k) : x;
}

// To `digits` digits from the first one that is not 0.
double rounded_to_significant(double x, double digits) {
  if (!std::isfinite(x) || x == 0) return x;
  auto first = static_cast<int>(std::floor(std::log10(std::fabs(x))));  // or one beside it
  if (std::fabs(x) >= decimal(1, first + 1)) ++first;
  if (std::fabs(x) < decimal(1, first)) --first;
  return rounded_to_decimals(x, digits - 1 - first);
}

// An integer without its last `dropped` digits: exactly, halves away from zero, saturated.
template <class T>
T rounded_integer(T x, double dropped) {
  if (dropped <= 0) return x;
  if (dropped > std::numeric_limits<T>::digits10 + 1) return 0;
  int128 unit = 1;
  for (int d = 0; d < static_cast<int>(dropped); ++d) unit *= 10;
  const int128 rest = static_cast<int128>(x) % unit;
  int128 y = static_cast<int128>(x) - rest;
  if (2 * (rest < 0 ? -rest : rest) >= unit) y += rest < 0 ? -unit : unit;
  return static_cast<T>(
      std::clamp<int128>(y, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

Value rounded_integers(const Value& a, double digits, bool is_significant) {
  Tensor y = uninitialized(a.elements().dtype(), a.size());
  with_real_type(y.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      for_each(a.numel(), data_of<T>(a), data_of<T>(y), [=](T x) {
        if (!is_significant) return rounded_integer(x, -digits);
        int count = 0;
        for (T rest = x; rest != 0; rest = static_cast<T>(rest / 10)) ++count;
        return rounded_integer(x, count - digits);
      });
    }
  });
  return Value(a.cls(), std::move(y), a.residency());
}

// The n of round(A, n).
double digits_of(const Value& n) {
  if (is_option(n, "significant") || is_option(n, "decimals")) {
    throw Fault{"MATLAB:round:invalidDigits",
                fmt::format("round: the number of digits is missing, as in round(A, 3, '{}')",
                            text_of(n, "round"))};
  }
  if (is_text(n)) {
    throw Fault{"MATLAB:round:invalidDigits",
                fmt::format("round(A, n): n must be a whole number, found {} {}",
                            size_text(n.size()), name(n.cls()))};
  }
  const double digits = number_of(n, "round");
  if (digits != std::trunc(digits) || std::isinf(digits)) {
    throw Fault{"MATLAB:round:invalidDigits", "round(A, n): n must be a whole number"};
  }
  return digits;
}

// round(A), round(A, n), round(A, n, 'significant')
Result round_(Workspace&, Arguments a) {
  refuse_strings(a.first(1), "round");
  if (a.size() == 1) {
    if (is_integer(a[0].cls())) return a[0];
    return rounded_by(a[0], [](double x) { return std::round(x); });
  }
  const double digits = digits_of(a[1]);
  const bool is_significant = a.size() == 3 && is_option(a[2], "significant");
  if (a.size() == 3 && !is_significant && !is_option(a[2], "decimals")) {
    throw Fault{"MATLAB:round:invalidOption",
                "round(A, n, OPTION): OPTION must be 'significant' or 'decimals'"};
  }
  if (is_significant && digits < 1) {
    throw Fault{"MATLAB:round:invalidDigits",
                fmt::format("round(A, n, 'significant'): n must be 1 or more, found {}", digits)};
  }
  if (is_integer(a[0].cls())) return rounded_integers(a[0], digits, is_significant);
  return rounded_by(a[0], [=](double x) {
    return is_significant ? rounded_to_significant(x, digits) : rounded_to_decimals(x, digits);
  });
}

}  // namespace

std::span<const Function> extreme_functions() {
  static constexpr Function kTable[] = {
      {"max", 1, 3,
       "the larger of A and B, or the largest of each column, of max(A, [], DIMENSION), of "
       "max(A, [], 'all'); [m, i] = max(A) says where it is; NaNs are passed over",
       extreme<true>, true},
      {"min", 1, 3,
       "the smaller of A and B, or the smallest of each column, of min(A, [], DIMENSION), of "
       "min(A, [], 'all'); [m, i] = min(A) says where it is; NaNs are passed over",
       extreme<false>, true},
      {"round", 1, 3,
       "to the nearest whole number, halves away from zero; round(A, n) to n digits behind the "
       "point; round(A, n, 'significant') to n digits in all",
       round_, true},
  };
  return kTable;
}

}  // namespace hadamard::matlab
