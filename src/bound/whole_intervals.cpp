#include "bound/whole_intervals.hpp"

#include <algorithm>

#include "op/oracle_numbers.hpp"

namespace hadamard::bound {
namespace {

int128 magnitude(int128 x) { return x < 0 ? -x : x; }
int128 largest_magnitude(const Interval& a) {
  return std::max(magnitude(a.low), magnitude(a.high));
}

int128 sum(int128 x, int128 y) {
  int128 result = 0;
  if (__builtin_add_overflow(x, y, &result)) return y < 0 ? -kBeyond : kBeyond;
  return std::clamp(result, -kBeyond, kBeyond);
}

int128 product(int128 x, int128 y) {
  if (x == 0 || y == 0) return 0;
  if (magnitude(x) > kBeyond / magnitude(y)) return (x < 0) != (y < 0) ? -kBeyond : kBeyond;
  return x * y;
}

int128 power(int128 base, int128 exponent) {  // exponent >= 0
  if (magnitude(base) <= 1) return exponent == 0 ? 1 : exponent % 2 == 0 ? base * base : base;
  int128 result = 1;
  for (; exponent > 0; --exponent) {
    result = product(result, base);
    if (magnitude(result) == kBeyond) return exponent % 2 == 0 ? product(result, base) : result;
  }
  return result;
}

// The hull of single numbers.
class Hull {
 public:
  void add(int128 x) { all_ = all_ ? hull(*all_, whole_interval(x, x)) : whole_interval(x, x); }
  const std::optional<Interval>& range() const { return all_; }

 private:
  std::optional<Interval> all_;
};

Interval exact_product(const Interval& a, const Interval& b) {
  Hull all;
  for (const int128 x : {a.low, a.high}) {
    for (const int128 y : {b.low, b.high}) all.add(product(x, y));
  }
  return *all.range();
}

// Quotients grow or fall with either operand, where the divisor keeps its sign.
std::optional<Interval> exact_quotient(const Interval& a, const Interval& b, IntDivision rounding) {
  Hull all;
  for (const Interval& part : {whole_interval(b.low, std::min<int128>(b.high, -1)),
                               whole_interval(std::max<int128>(b.low, 1), b.high)}) {
    if (part.low > part.high) continue;
    for (const int128 x : {a.low, a.high}) {
      for (const int128 y : {part.low, part.high}) all.add(op::oracle::divide(x, y, rounding));
    }
  }
  return all.range();
}

// From 0 to `most` in size, with the signs of `of`.
Interval up_to(int128 most, const Interval& of) {
  return whole_interval(of.low < 0 ? -most : 0, of.high > 0 ? most : 0);
}

}  // namespace

// The magnitude grows with the base's and with the exponent; the sign is that of the base and the
// exponent's last bit. So two neighbours at either end of the exponents see every extreme.
std::optional<Interval> exact_power(const Interval& a, const Interval& b) {
  Hull all;
  if (b.high >= 0) {
    const int128 first = std::max<int128>(b.low, 0), last = b.high;
    for (const Interval& part :
         {whole_interval(a.low, std::min<int128>(a.high, -1)),
          whole_interval(std::max<int128>(a.low, 0), std::min<int128>(a.high, 0)),
          whole_interval(std::max<int128>(a.low, 1), a.high)}) {
      if (part.low > part.high) continue;
      for (const int128 base : {part.low, part.high}) {
        for (const int128 e : {first, std::min(first + 1, last), std::max(last - 1, first), last}) {
          all.add(power(base, e));
        }
      }
    }
  }
  if (b.low < 0) {  // 1/a^-b, truncated: only 1 and -1 have one that is not 0
    const bool even = b.low != b.high || b.low % 2 == 0, odd = b.low != b.high || b.low % 2 != 0;
    if (a.low <= 1 && a.high >= 1) all.add(1);
    if (a.low <= -1 && a.high >= -1 && even) all.add(1);
    if (a.low <= -1 && a.high >= -1 && odd) all.add(-1);
    if (a.low < -1 || a.high > 1) all.add(0);
  }
  return all.range();
}

Interval WholeIntervals::held(const Interval& exact) const {
  if (exact.low >= type_.low && exact.high <= type_.high) return exact;
  if (!overflow_) overflow_ = exact;
  return type_;
}
void WholeIntervals::note_zero(const Interval& divisor) const {
  zero_divisor_ = zero_divisor_ || divisor.contains_zero();
}

Interval WholeIntervals::neg(const Interval& a) const {
  return held(whole_interval(-a.high, -a.low));
}
Interval WholeIntervals::abs(const Interval& a) const {
  const int128 least = a.contains_zero() ? 0 : std::min(magnitude(a.low), magnitude(a.high));
  return held(whole_interval(least, largest_magnitude(a)));
}
Interval WholeIntervals::sign(const Interval& a) const {
  const auto of = [](int128 x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
  return whole_interval(of(a.low), of(a.high));
}
Interval WholeIntervals::add(const Interval& a, const Interval& b) const {
  return held(whole_interval(sum(a.low, b.low), sum(a.high, b.high)));
}
Interval WholeIntervals::sub(const Interval& a, const Interval& b) const {
  return held(whole_interval(sum(a.low, -b.high), sum(a.high, -b.low)));
}
Interval WholeIntervals::mul(const Interval& a, const Interval& b) const {
  return held(exact_product(a, b));
}
Interval WholeIntervals::fma(const Interval& a, const Interval& b, const Interval& c) const {
  const Interval ab = exact_product(a, b);
  return held(whole_interval(sum(ab.low, c.low), sum(ab.high, c.high)));
}
Interval WholeIntervals::div(const Interval& a, const Interval& b) const {
  note_zero(b);
  const std::optional<Interval> exact = exact_quotient(a, b, rounding_);
  return exact ? held(*exact) : type_;
}
Interval WholeIntervals::mod(const Interval& a, const Interval& b) const {
  note_zero(b);
  // As far from 0 as divisors are, but for one, and on their side of it.
  const int128 low = std::min<int128>(b.low + 1, 0), high = std::max<int128>(b.high - 1, 0);
  // Dividends that are smaller than every divisor, with its sign, stay as they are.
  const bool stay = a.low >= 0 && b.low > a.high;
  return stay ? a : whole_interval(low, high);
}
Interval WholeIntervals::rem(const Interval& a, const Interval& b) const {
  note_zero(b);
  const int128 most = std::max<int128>(largest_magnitude(b) - 1, 0);
  return up_to(std::min(most, largest_magnitude(a)), a);
}
Interval WholeIntervals::pow(const Interval& a, const Interval& b) const {
  if (b.low < 0) note_zero(a);
  const std::optional<Interval> exact = exact_power(a, b);
  return exact ? held(*exact) : type_;
}

Interval WholeIntervals::max(const Interval& a, const Interval& b) const {
  return whole_interval(std::max(a.low, b.low), std::max(a.high, b.high));
}
Interval WholeIntervals::min(const Interval& a, const Interval& b) const {
  return whole_interval(std::min(a.low, b.low), std::min(a.high, b.high));
}
Interval WholeIntervals::eq(const Interval& a, const Interval& b) const {
  const bool certain = a.low == a.high && a == b;
  return truth_interval(!certain, a.low <= b.high && b.low <= a.high);
}
Interval WholeIntervals::lt(const Interval& a, const Interval& b) const {
  return truth_interval(a.high >= b.low, a.low < b.high);
}
Interval WholeIntervals::le(const Interval& a, const Interval& b) const {
  return truth_interval(a.high > b.low, a.low <= b.high);
}

}  // namespace hadamard::bound
