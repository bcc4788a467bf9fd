// The part of interval arithmetic that is about conditions.
#pragma once

#include "bound/interval.hpp"

namespace hadamard::bound {

struct TruthIntervals {
  static bool may_hold(const Interval& c) { return c.high == 1; }
  static bool must_hold(const Interval& c) { return c.low == 1; }

  Interval logical_not(const Interval& a) const {
    return truth_interval(may_hold(a), !must_hold(a));
  }
  Interval logical_and(const Interval& a, const Interval& b) const {
    return truth_interval(!must_hold(a) || !must_hold(b), may_hold(a) && may_hold(b));
  }
  Interval logical_or(const Interval& a, const Interval& b) const {
    return logical_not(logical_and(logical_not(a), logical_not(b)));
  }
  Interval logical_xor(const Interval& a, const Interval& b) const {
    const bool both_certain = a.low == a.high && b.low == b.high;
    const bool differ = a.low != b.low;
    return truth_interval(!both_certain || !differ, !both_certain || differ);
  }
  Interval select(const Interval& c, const Interval& a, const Interval& b) const {
    return must_hold(c) ? a : may_hold(c) ? hull(a, b) : b;
  }
};

}  // namespace hadamard::bound
