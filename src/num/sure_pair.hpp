// Sums and products of doubles that know what they lack: fast arithmetic for results that are to be
// rounded once.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace hadamard {

namespace detail {

// Of a product whose low part is a double, too.
inline constexpr double kSmallestProduct = 0x1p-900;

// a * b - product, exactly, where `product` is a * b rounded and not below kSmallestProduct (Dekker
// and Veltkamp; the C library's fma is a call). Not finite where an operand is too large for that.
inline double product_rest(double a, double b, double product) {
  constexpr double kSplit = 0x1p27 + 1;
  const double wide_a = kSplit * a, wide_b = kSplit * b;
  const double high_a = wide_a - (wide_a - a), high_b = wide_b - (wide_b - b);
  const double low_a = a - high_a, low_b = b - high_b;
  return ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
}

}  // namespace detail

// A number that differs from high + low by at most `error`. |low| is at most half a unit of the
// last place of `high`, which has the sign of a zero. An infinite error, or NaN, stands for a
// number that is not known. Finite numbers only.
struct SurePair {
  double high = 0;
  double low = 0;
  double error = 0;

  bool is_known() const { return error < std::numeric_limits<double>::infinity(); }
  static SurePair unknown() { return {0, 0, std::numeric_limits<double>::infinity()}; }
};

// The arithmetic of such numbers, as op/*.hpp asks for it. Needs the default floating-point
// environment.
class PairArithmetic {
 public:
  static SurePair zero(const SurePair&) { return {}; }
  static SurePair one(const SurePair&) { return {1}; }
  static SurePair neg(const SurePair& a) { return {-a.high, -a.low, a.error}; }
  static SurePair abs(const SurePair& a) { return std::signbit(a.high) ? neg(a) : a; }

  [[gnu::always_inline]] static SurePair mul(const SurePair& a, const SurePair& b) {
    const double product = a.high * b.high;
    if (product == 0 && (a.high == 0 || b.high == 0)) {
      return {product, 0, a.error * std::fabs(b.high) + b.error * std::fabs(a.high)};
    }
    if (!is_normal(product)) return SurePair::unknown();
    const double rest = detail::product_rest(a.high, b.high, product);
    const double error = a.error * std::fabs(b.high) + b.error * std::fabs(a.high);
    if (!std::isfinite(rest)) return SurePair::unknown();
    if (a.low == 0 && b.low == 0) return {product, rest, kUp * error};
    const double cross = a.high * b.low + a.low * b.high;
    const double low = rest + cross;
    // Roundings of cross and low, the product of the low parts, and of errors.
    const double lost = kUnits * (std::fabs(rest) + std::fabs(cross) + std::fabs(a.low * b.high) +
                                  std::fabs(a.high * b.low)) +
                        2 * std::fabs(a.low * b.low) + a.error * b.error;
    return normal(product, low, kUp * (error + lost));
  }
  [[gnu::always_inline]] static SurePair add(const SurePair& a, const SurePair& b) {
    double rest = 0;
    const double sum = two_sum(a.high, b.high, rest);
    if (!(std::fabs(sum) < kLargest)) return SurePair::unknown();
    const double error = a.error + b.error;
    if (a.low == 0 && b.low == 0) return {sum, rest, kUp * error};
    double lost_of_lows = 0, lost = 0;  // 0 where nothing is: sums of two doubles often are exact
    const double lows = two_sum(a.low, b.low, lost_of_lows);
    const double low = two_sum(rest, lows, lost);
    return normal(sum, low, kUp * (error + std::fabs(lost_of_lows) + std::fabs(lost)));
  }
  static SurePair sub(const SurePair& a, const SurePair& b) { return add(a, neg(b)); }

  // Of two zeros the larger one is +0.
  [[gnu::always_inline]] static SurePair max(const SurePair& a, const SurePair& b) {
    const int order = compare(a, b);
    if (order == kUnknown) return SurePair::unknown();
    return order < 0 || (order == 0 && std::signbit(a.high)) ? b : a;
  }
  [[gnu::always_inline]] static SurePair min(const SurePair& a, const SurePair& b) {
    const int order = compare(a, b);
    if (order == kUnknown) return SurePair::unknown();
    return order > 0 || (order == 0 && std::signbit(b.high)) ? b : a;
  }
  [[gnu::always_inline]] static SurePair if_at_most(const SurePair& a, const SurePair& b,
                                                    const SurePair& x, const SurePair& y) {
    const int order = compare(a, b);
    if (order == kUnknown) return SurePair::unknown();
    return order <= 0 ? x : y;
  }

 private:
  static constexpr double kUnits = 0x1p-51;   // of four roundings, each of half a unit
  static constexpr double kUp = 1 + 0x1p-40;  // for the roundings of errors themselves
  static constexpr double kLargest = 0x1p1000;

  static bool is_normal(double x) {
    const double size = std::fabs(x);
    return detail::kSmallestProduct <= size && size < kLargest;
  }
  static double two_sum(double a, double b, double& rest) {
    const double sum = a + b;
    const double other = sum - a;
    rest = (a - (sum - other)) + (b - other);
    return sum;
  }
  static SurePair normal(double high, double low, double error) {
    SurePair result;
    result.high = two_sum(high, low, result.low);
    result.error = error;
    return result;
  }
  // -1, 0 or 1 as a is less than, equal to or greater than b; kUnknown where that is not known.
  static constexpr int kUnknown = 2;
  [[gnu::always_inline]] static int compare(const SurePair& a, const SurePair& b) {
    const double gap = a.high - b.high;
    const double beyond = (std::fabs(a.high) + std::fabs(b.high)) * 0x1p-50 + a.error + b.error;
    if (std::fabs(gap) > beyond) return gap < 0 ? -1 : 1;
    if (a.low == 0 && b.low == 0 && a.error == 0 && b.error == 0) {
      return a.high < b.high ? -1 : a.high > b.high ? 1 : 0;
    }
    return compare_near(a, b);
  }
  [[gnu::noinline]] static int compare_near(const SurePair& a, const SurePair& b) {
    const SurePair difference = sub(a, b);
    if (!difference.is_known()) return kUnknown;
    if (std::fabs(difference.high) > 2 * difference.error) return difference.high < 0 ? -1 : 1;
    return difference.high == 0 && difference.error == 0 ? 0 : kUnknown;
  }
};

// The arithmetic of plain doubles, which notes whether anything was lost: the fastest way where
// nothing is. An operation that may lose something counts as if it did.
class ExactDoubles {
 public:
  static double zero(double) { return 0; }
  static double one(double) { return 1; }
  static double neg(double a) { return -a; }
  static double abs(double a) { return std::fabs(a); }
  double mul(double a, double b) const {
    const double product = a * b;
    // Either keeps out what is not finite.
    note(!(detail::kSmallestProduct <= std::fabs(product)) ||
         detail::product_rest(a, b, product) != 0);
    return product;
  }
  double add(double a, double b) const {
    const double sum = a + b;
    const double other = sum - a;
    note(!((a - (sum - other)) + (b - other) == 0));
    return sum;
  }
  double sub(double a, double b) const { return add(a, -b); }
  double max(double a, double b) const {
    note(a == b && a == 0);  // of zeros the signs count
    return a > b ? a : b;
  }
  double min(double a, double b) const {
    note(a == b && a == 0);
    return a < b ? a : b;
  }
  static double if_at_most(double a, double b, double x, double y) { return a <= b ? x : y; }

  bool is_exact() const { return !lost_; }

 private:
  void note(bool lost) const { lost_ |= lost; }
  mutable bool lost_ = false;
};

namespace detail {

// high + low, rounded to odd: rounding it to fewer bits gives what rounding the sum gives.
inline double to_odd(double high, double low) {
  const auto bits = std::bit_cast<std::uint64_t>(high);
  if (low == 0 || (bits & 1) != 0) return high;
  const bool outward = (low < 0) == (high < 0);
  return std::bit_cast<double>(outward ? bits + 1 : bits - 1);
}
template <class T>
T rounded_sum(double high, double low) {
  if constexpr (std::is_same_v<T, double>) {
    return high + low;
  } else {
    const double sum = high + low;
    return T(to_odd(sum, low - (sum - high)));  // |low| is less than |high|
  }
}
template <class T>
bool is_same_float(T x, T y) {
  if constexpr (std::is_class_v<T>) {
    return x.bits == y.bits;
  } else {
    return x == y;
  }
}

}  // namespace detail

// The nearest number of type T, where that is known.
template <class T>
[[gnu::always_inline]] inline std::optional<T> rounded(const SurePair& x) {
  if (x.error == 0) {
    if (x.low == 0) return T(x.high);
    return detail::rounded_sum<T>(x.high, x.low);
  }
  if (!x.is_known() || x.high == 0) return std::nullopt;
  const double reach = x.error + std::fabs(x.low) * 0x1p-50;  // and the rounding of low - reach
  const T below = detail::rounded_sum<T>(x.high, x.low - reach);
  const T above = detail::rounded_sum<T>(x.high, x.low + reach);
  if (!detail::is_same_float(below, above)) return std::nullopt;
  return above;
}

}  // namespace hadamard
