// Sets of numbers that results lie in.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "base/int128.hpp"
#include "num/dtype.hpp"

namespace hadamard::bound {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// All numbers from low to high. Of an integer type they are exact, and a bool is 0 or 1. Of a
// floating type they are the type's own numbers (infinities included), and `nan` says that NaN may
// be among the values.
struct Interval {
  bool whole = false;
  int128 low = 0, high = 0;    // where whole
  double from = 0, until = 0;  // where not
  bool nan = false;

  bool contains_zero() const noexcept {
    return whole ? low <= 0 && high >= 0 : from <= 0 && until >= 0;
  }
  bool may_be_negative() const noexcept { return whole ? low < 0 : from < 0; }
  // Of floats: no infinity and no NaN.
  bool is_finite() const noexcept { return !nan && from > -kInfinity && until < kInfinity; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

Interval whole_interval(int128 low, int128 high);
Interval float_interval(double from, double until, bool nan = false);
// Of a bool.
Interval truth_interval(bool may_be_false, bool may_be_true);

// The smallest that contains both; both are whole or both are not.
Interval hull(const Interval& a, const Interval& b);

// All values of a type. Nothing for exact and complex numbers.
std::optional<Interval> full_interval(DType type);

// "[1, 2]", "[0, inf] or NaN"
std::string to_text(const Interval& interval);

// Ends of exact results that are farther out are this one.
inline constexpr int128 kBeyond = static_cast<int128>(~uint128{0} >> 1);  // 2^127 - 1

}  // namespace hadamard::bound
