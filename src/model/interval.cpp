#include "model/interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hadamard/hadamard.hpp"

namespace hadamard::model {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One step outward, against the rounding of the operation that gave the end.
Range outward(DType type, double from, double until, bool nan) {
  return float_range(rounded(type, std::nextafter(from, -kInfinity)),
                     rounded(type, std::nextafter(until, kInfinity)), nan);
}

int128 magnitude(int128 x) { return x < 0 ? -x : x; }

int128 product(int128 x, int128 y) {
  if (x == 0 || y == 0) return 0;
  if (magnitude(x) > kBeyond / magnitude(y)) return (x < 0) != (y < 0) ? -kBeyond : kBeyond;
  return x * y;
}

int128 floor_quotient(int128 a, int128 b) {
  const int128 q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
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
  void add(int128 x) { all_ = all_ ? join(*all_, whole_range(x, x)) : whole_range(x, x); }
  const std::optional<Range>& range() const { return all_; }

 private:
  std::optional<Range> all_;
};

std::optional<Range> whole_product(const Range& a, const Range& b) {
  Hull hull;
  for (const int128 x : {a.low, a.high}) {
    for (const int128 y : {b.low, b.high}) hull.add(product(x, y));
  }
  return hull.range();
}

// By floor and by truncation.
std::optional<Range> whole_quotient(const Range& a, const Range& b) {
  Hull hull;
  for (const Range& part : {whole_range(b.low, std::min<int128>(b.high, -1)),
                            whole_range(std::max<int128>(b.low, 1), b.high)}) {
    if (part.low > part.high) continue;
    for (const int128 x : {a.low, a.high}) {
      for (const int128 y : {part.low, part.high}) {
        hull.add(floor_quotient(x, y));
        hull.add(x / y);
      }
    }
  }
  return hull.range();
}

// The magnitude grows with the base's and with the exponent; the sign is that of the base and the
// exponent's last bit. So two neighbours at either end of the exponents see every extreme.
std::optional<Range> whole_power(const Range& a, const Range& b) {
  Hull hull;
  if (b.high >= 0) {
    const int128 first = std::max<int128>(b.low, 0), last = b.high;
    for (const Range& part : {whole_range(a.low, std::min<int128>(a.high, -1)),
                              whole_range(std::max<int128>(a.low, 0), std::min<int128>(a.high, 0)),
                              whole_range(std::max<int128>(a.low, 1), a.high)}) {
      if (part.low > part.high) continue;
      for (const int128 base : {part.low, part.high}) {
        for (const int128 e : {first, std::min(first + 1, last), std::max(last - 1, first), last}) {
          hull.add(power(base, e));
        }
      }
    }
  }
  if (b.low < 0) {  // 1/a^-b, truncated: only 1 and -1 have one that is not 0
    const bool even = b.low != b.high || b.low % 2 == 0, odd = b.low != b.high || b.low % 2 != 0;
    if (a.low <= 1 && a.high >= 1) hull.add(1);
    if (a.low <= -1 && a.high >= -1 && even) hull.add(1);
    if (a.low <= -1 && a.high >= -1 && odd) hull.add(-1);
    if (a.low < -1 || a.high > 1) hull.add(0);
  }
  return hull.range();
}

// The ends of all of four candidates; NaN where infinities or zeros meet.
Range corners(DType type, const Range& a, const Range& b, double (*f)(double, double)) {
  double from = kInfinity, until = -kInfinity;
  const bool nan = a.nan || b.nan;
  for (const double x : {a.from, a.until}) {
    for (const double y : {b.from, b.until}) {
      const double z = f(x, y);
      if (std::isnan(z)) return float_range(-kInfinity, kInfinity, true);
      from = std::min(from, z);
      until = std::max(until, z);
    }
  }
  return outward(type, from, until, nan);
}

bool is_bounded(const Range& a) { return a.from > -kInfinity && a.until < kInfinity; }

}  // namespace

Range whole_range(int128 low, int128 high) {
  Range r;
  r.whole = true;
  r.low = low;
  r.high = high;
  return r;
}
Range float_range(double from, double until, bool nan) {
  Range r;
  r.from = from;
  r.until = until;
  r.nan = nan;
  return r;
}
Range join(const Range& a, const Range& b) {
  if (a.whole) return whole_range(std::min(a.low, b.low), std::max(a.high, b.high));
  return float_range(std::min(a.from, b.from), std::max(a.until, b.until), a.nan || b.nan);
}

double rounded(DType type, double x) {
  return cast(cast(Tensor::scalar(x), type), DType::fp64).at<double>({});
}

std::optional<Range> whole_result(Op op, const Range& a, const Range& b) {
  switch (op) {
    case Op::add:
      return whole_range(a.low + b.low, a.high + b.high);
    case Op::sub:
      return whole_range(a.low - b.high, a.high - b.low);
    case Op::mul:
      return whole_product(a, b);
    case Op::div:
      return whole_quotient(a, b);
    case Op::pow:
      return whole_power(a, b);
    case Op::max:
      return whole_range(std::max(a.low, b.low), std::max(a.high, b.high));
    case Op::min:
      return whole_range(std::min(a.low, b.low), std::min(a.high, b.high));
    default:
      return std::nullopt;
  }
}

std::optional<Range> whole_result(Op op, const Range& a) {
  const auto sign = [](int128 x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
  switch (op) {
    case Op::neg:
      return whole_range(-a.high, -a.low);
    case Op::abs:
      return whole_range(a.contains_zero() ? 0 : std::min(magnitude(a.low), magnitude(a.high)),
                         std::max(magnitude(a.low), magnitude(a.high)));
    case Op::sign:
      return whole_range(sign(a.low), sign(a.high));
    case Op::relu:
      return whole_range(std::max<int128>(a.low, 0), std::max<int128>(a.high, 0));
    default:
      return std::nullopt;
  }
}

std::optional<Range> mixed_power_result(const Range& base, const Range& exponent, DType type) {
  // A power lies between those of the whole exponents on either side.
  const Range full = *full_range(type);
  const auto whole = [&](double x) {
    constexpr double kEnd = 0x1p64;
    return std::clamp(static_cast<int128>(std::clamp(x, -kEnd, kEnd)), full.low, full.high);
  };
  Range all = whole_power(base, whole_range(whole(std::floor(exponent.from)),
                                            whole(std::ceil(exponent.until))))
                  .value_or(whole_range(0, 0));
  const bool may_be_nan = exponent.nan || base.low < 0;
  if (may_be_nan) all = join(all, whole_range(0, 0));
  const bool may_be_infinite = base.contains_zero() && exponent.from < 0;
  if (may_be_infinite) all = join(all, whole_range(full.high, full.high));
  return all;
}

std::optional<Range> float_result(DType type, Op op, const Range& a, const Range& b) {
  switch (op) {
    case Op::add:
      return corners(type, a, b, [](double x, double y) { return x + y; });
    case Op::sub:
      return corners(type, a, b, [](double x, double y) { return x - y; });
    case Op::mul: {
      Range r = corners(type, a, b, [](double x, double y) { return x * y; });
      r.nan =
          r.nan || (a.contains_zero() && !is_bounded(b)) || (b.contains_zero() && !is_bounded(a));
      return r;
    }
    case Op::div:
      if (b.contains_zero()) return std::nullopt;
      return corners(type, a, b, [](double x, double y) { return x / y; });
    case Op::max:
      return float_range(std::max(a.from, b.from), std::max(a.until, b.until), a.nan || b.nan);
    case Op::min:
      return float_range(std::min(a.from, b.from), std::min(a.until, b.until), a.nan || b.nan);
    default:
      return std::nullopt;
  }
}

std::optional<Range> float_result(DType type, Op op, const Range& a) {
  // By the operator itself, which is monotone: the ends of the result are those of its ends.
  const auto at = [&](double x) {
    return cast(apply(op, cast(Tensor::scalar(x), type)), DType::fp64).at<double>({});
  };
  switch (op) {
    case Op::neg:
      return float_range(-a.until, -a.from, a.nan);
    case Op::abs:
      return float_range(a.contains_zero() ? 0 : std::min(std::fabs(a.from), std::fabs(a.until)),
                         std::max(std::fabs(a.from), std::fabs(a.until)), a.nan);
    case Op::reciprocal:
      if (a.contains_zero()) return std::nullopt;
      return float_range(at(a.until), at(a.from), a.nan);
    case Op::log:
    case Op::sqrt:
      if (a.from < 0) return std::nullopt;
      [[fallthrough]];
    case Op::exp:
    case Op::tanh:
    case Op::sigmoid:
    case Op::sign:
    case Op::relu:
    case Op::floor:
    case Op::ceil:
    case Op::round:
      return float_range(at(a.from), at(a.until), a.nan);
    default:
      return std::nullopt;
  }
}

std::optional<Range> cast_result(const Range& a, DType type) {
  const auto full = full_range(type);
  if (!full) return std::nullopt;
  if (a.whole && full->whole) return a;
  if (a.whole) return outward(type, static_cast<double>(a.low), static_cast<double>(a.high), false);
  if (!full->whole) return float_range(rounded(type, a.from), rounded(type, a.until), a.nan);
  const auto towards_zero = [](double x) {
    constexpr double kEnd = 0x1p126;
    return x >= kEnd ? kBeyond : x <= -kEnd ? -kBeyond : static_cast<int128>(x);
  };
  const Range r = whole_range(towards_zero(a.from), towards_zero(a.until));
  return a.nan ? join(r, whole_range(0, 0)) : r;
}

}  // namespace hadamard::model
