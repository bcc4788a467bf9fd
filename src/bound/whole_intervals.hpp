// Interval arithmetic of integers.
#pragma once

#include <optional>

#include "bound/truth_intervals.hpp"
#include "hadamard/options.hpp"

namespace hadamard::bound {

// a^b in Z, of integers; with a negative exponent the reciprocal, truncated. Nothing where every
// base is 0 and every exponent negative.
std::optional<Interval> exact_power(const Interval& a, const Interval& b);

// The arithmetic whose values are the intervals of one integer type. Each operation is exact in Z;
// where the type does not hold that, it may wrap to any number of the type, which is noted.
class WholeIntervals : public TruthIntervals {
 public:
  // `type`: all numbers of the type.
  WholeIntervals(const Interval& type, IntDivision rounding) : type_(type), rounding_(rounding) {}

  // What the first exact result that the type may not hold lies in.
  const std::optional<Interval>& overflow() const noexcept { return overflow_; }
  bool zero_divisor() const noexcept { return zero_divisor_; }  // whether a divisor may be 0

  Interval zero(const Interval&) const { return whole_interval(0, 0); }
  Interval one(const Interval&) const { return whole_interval(1, 1); }
  Interval identity(const Interval& a) const { return a; }
  Interval floor(const Interval& a) const { return a; }
  Interval ceil(const Interval& a) const { return a; }
  Interval round(const Interval& a) const { return a; }
  Interval trunc(const Interval& a) const { return a; }
  Interval neg(const Interval& a) const;
  Interval abs(const Interval& a) const;
  Interval sign(const Interval& a) const;
  Interval add(const Interval& a, const Interval& b) const;
  Interval sub(const Interval& a, const Interval& b) const;
  Interval mul(const Interval& a, const Interval& b) const;
  Interval div(const Interval& a, const Interval& b) const;
  Interval mod(const Interval& a, const Interval& b) const;
  Interval rem(const Interval& a, const Interval& b) const;
  Interval pow(const Interval& a, const Interval& b) const;
  Interval fma(const Interval& a, const Interval& b, const Interval& c) const;
  Interval max(const Interval& a, const Interval& b) const;
  Interval min(const Interval& a, const Interval& b) const;
  Interval eq(const Interval& a, const Interval& b) const;
  Interval lt(const Interval& a, const Interval& b) const;
  Interval le(const Interval& a, const Interval& b) const;
  Interval if_at_most(const Interval& a, const Interval& b, const Interval& x,
                      const Interval& y) const {
    return select(le(a, b), x, y);
  }

 private:
  Interval held(const Interval& exact) const;
  void note_zero(const Interval& divisor) const;

  Interval type_;
  IntDivision rounding_;
  mutable std::optional<Interval> overflow_;
  mutable bool zero_divisor_ = false;
};

}  // namespace hadamard::bound
