// Interval arithmetic of a floating type: the results that come out, rounded as the type rounds.
//
// Rounding keeps the order of numbers. So where an operation is monotone in each operand, its
// extremes are at corners of the operands' intervals, and what the oracle gives there are the
// smallest and the largest results: no end is widened.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "bound/truth_intervals.hpp"
#include "op/oracle_arithmetic.hpp"

namespace hadamard::bound {

// The arithmetic whose values are intervals of T. Needs the default floating-point environment.
template <class T>
class FloatIntervals : public TruthIntervals {
 public:
  bool zero_divisor() const noexcept { return zero_divisor_; }  // whether a divisor may be 0

  Interval zero(const Interval&) const { return float_interval(0, 0); }
  Interval one(const Interval&) const { return float_interval(1, 1); }
  template <int numerator, int denominator = 1>
  Interval ratio(const Interval&) const {
    const auto value = plain(oracle_.template ratio<numerator, denominator>(T{}));
    return float_interval(value, value);
  }
  template <int divisor>
  Interval divided(const Interval& a) const {
    return ends(a, [&](T x) { return oracle_.template divided<divisor>(x); });
  }

  Interval identity(const Interval& a) const { return a; }
  Interval neg(const Interval& a) const { return float_interval(-a.until, -a.from, a.nan); }
  Interval abs(const Interval& a) const {
    const double x = std::fabs(a.from), y = std::fabs(a.until);
    return float_interval(a.contains_zero() ? 0 : std::min(x, y), std::max(x, y), a.nan);
  }
  Interval sign(const Interval& a) const {
    return ends(a, [&](T x) { return oracle_.sign(x); });
  }
  Interval floor(const Interval& a) const {
    return ends(a, [&](T x) { return oracle_.floor(x); });
  }
  Interval ceil(const Interval& a) const {
    return ends(a, [&](T x) { return oracle_.ceil(x); });
  }
  Interval round(const Interval& a) const {
    return ends(a, [&](T x) { return oracle_.round(x); });
  }
  Interval trunc(const Interval& a) const {
    return ends(a, [&](T x) { return oracle_.trunc(x); });
  }
  Interval sqrt(const Interval& a) const { return function<op::Sqrt>(a); }

  Interval add(const Interval& a, const Interval& b) const {
    return corners(a, b, [&](T x, T y) { return oracle_.add(x, y); });
  }
  Interval sub(const Interval& a, const Interval& b) const {
    return corners(a, b, [&](T x, T y) { return oracle_.sub(x, y); });
  }
  Interval mul(const Interval& a, const Interval& b) const {
    Interval r = corners(a, b, [&](T x, T y) { return oracle_.mul(x, y); });
    r.nan = r.nan || zero_times_infinity(a, b);
    return r;
  }
  Interval div(const Interval& a, const Interval& b) const {
    zero_divisor_ = zero_divisor_ || b.contains_zero();
    if (b.contains_zero()) return everything();
    return corners(a, b, [&](T x, T y) { return oracle_.div(x, y); });
  }
  Interval fma(const Interval& a, const Interval& b, const Interval& c) const {
    const auto with = [&](double last) {
      return corners(a, b, [&](T x, T y) { return oracle_.fma(x, y, T(last)); });
    };
    Interval r = hull(with(c.from), with(c.until));
    r.nan = r.nan || c.nan || zero_times_infinity(a, b);
    return r;
  }
  Interval mod(const Interval& a, const Interval& b) const {  // between 0 and b, which may be it
    return float_interval(std::min(b.from, 0.0), std::max(b.until, 0.0), has_no_remainder(a, b));
  }
  Interval rem(const Interval& a, const Interval& b) const {  // between 0 and a, smaller than b
    const double most = std::min(abs(a).until, abs(b).until);
    return float_interval(a.from < 0 ? -most : 0, a.until > 0 ? most : 0, has_no_remainder(a, b));
  }
  // Where bases are not negative, it is monotone in each operand, and 1 where one is NaN and the
  // other makes it so. With one whole exponent it is monotone in the base or in its size.
  Interval pow(const Interval& a, const Interval& b) const {
    const auto power = [&](T x, T y) { return oracle_.pow(x, y); };
    const bool is_whole =
        b.from == b.until && std::trunc(b.from) == b.from && std::isfinite(b.from);
    const bool is_even = is_whole && std::fmod(b.from, 2) == 0;
    if (is_even) return corners(abs(a), b, power);
    const bool has_order = a.from > 0 || (a.from == 0 && b.from >= 0) ||
                           (is_whole && (b.from > 0 || !a.contains_zero()));
    return has_order ? corners(a, b, power) : everything();
  }

  Interval max(const Interval& a, const Interval& b) const {
    return float_interval(std::max(a.from, b.from), std::max(a.until, b.until), a.nan || b.nan);
  }
  Interval min(const Interval& a, const Interval& b) const {
    return float_interval(std::min(a.from, b.from), std::min(a.until, b.until), a.nan || b.nan);
  }
  Interval eq(const Interval& a, const Interval& b) const {
    const bool certain = a.from == a.until && a == b && !a.nan;
    return truth_interval(!certain, a.from <= b.until && b.from <= a.until);
  }
  Interval lt(const Interval& a, const Interval& b) const {
    return truth_interval(a.until >= b.from || a.nan || b.nan, a.from < b.until);
  }
  Interval le(const Interval& a, const Interval& b) const {
    return truth_interval(a.until > b.from || a.nan || b.nan, a.from <= b.until);
  }
  Interval if_at_most(const Interval& a, const Interval& b, const Interval& x,
                      const Interval& y) const {
    return select(le(a, b), x, y);
  }
  // An interval has numbers: NaN is never certain.
  Interval isnan(const Interval& a) const { return truth_interval(true, a.nan); }
  Interval isinf(const Interval& a) const {
    const bool certain = a.from == a.until && std::isinf(a.from) && !a.nan;
    return truth_interval(!certain, a.from == -kInfinity || a.until == kInfinity);
  }
  Interval isfinite(const Interval& a) const {
    const bool never = a.from == a.until && std::isinf(a.from);
    return truth_interval(!a.is_finite(), !never);
  }

  template <class Record, class... Intervals>
  Interval function(const Intervals&... x) const {
    return by_record<Record>(x...);
  }

  // The results of an operator, or a function, that says of itself how they follow its operands or
  // between what they lie; of another, anything.
  template <class Record, class... Intervals>
  Interval by_record(const Intervals&... x) const {
    constexpr op::Monotone kOrder = op::monotone_of<Record>();
    const auto at = [&](auto... end) { return plain(Record::apply(oracle_, T(end)...)); };
    if constexpr (kOrder == op::Monotone::increasing) {
      static_assert(sizeof...(x) == 1);
      return ordered(at(x.from...), at(x.until...), (x.nan || ...));
    } else if constexpr (kOrder == op::Monotone::with_size) {
      return ordered(at(abs(x).from...), at(abs(x).until...), (x.nan || ...));
    } else if constexpr (op::has_bounds<Record>) {
      return float_interval(plain(T(Record::results.least)), plain(T(Record::results.most)),
                            !(x.is_finite() && ...));
    } else {
      return everything();
    }
  }

 private:
  static double plain(T x) { return static_cast<double>(x); }
  static Interval everything() { return float_interval(-kInfinity, kInfinity, true); }

  // From the least result to the largest. One that is NaN is that of an operand that has none: then
  // those of operands beside it lie anywhere on that side.
  static Interval ordered(double least, double most, bool nan) {
    nan = nan || std::isnan(least) || std::isnan(most);
    return float_interval(std::isnan(least) ? -kInfinity : least,
                          std::isnan(most) ? kInfinity : most, nan);
  }
  template <class F>
  static Interval ends(const Interval& a, F f) {
    return ordered(plain(f(T(a.from))), plain(f(T(a.until))), a.nan);
  }
  // NaN is where infinities, or an infinity and a zero, meet: then anything may be beside it.
  template <class F>
  static Interval corners(const Interval& a, const Interval& b, F f) {
    double from = kInfinity, until = -kInfinity;
    for (const double x : {a.from, a.until}) {
      for (const double y : {b.from, b.until}) {
        const double z = plain(f(T(x), T(y)));
        if (std::isnan(z)) return everything();
        from = std::min(from, z);
        until = std::max(until, z);
      }
    }
    return float_interval(from, until, a.nan || b.nan);
  }

  static bool is_bounded(const Interval& a) { return a.from > -kInfinity && a.until < kInfinity; }
  static bool zero_times_infinity(const Interval& a, const Interval& b) {
    return (a.contains_zero() && !is_bounded(b)) || (b.contains_zero() && !is_bounded(a));
  }
  static bool has_no_remainder(const Interval& a, const Interval& b) {
    return !a.is_finite() || b.nan || b.contains_zero();
  }

  op::Oracle oracle_{IntDivision::trunc};  // of floats it does not matter
  mutable bool zero_divisor_ = false;
};

}  // namespace hadamard::bound
