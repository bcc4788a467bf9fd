#include "bound/interval.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "num/text.hpp"

namespace hadamard::bound {
namespace {

std::string whole_text(int128 value) {
  if (value == kBeyond) return "2^127 or more";
  if (value == -kBeyond) return "-2^127 or less";
  if (value < 0) return "-" + whole_text(-value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

}  // namespace

Interval whole_interval(int128 low, int128 high) {
  Interval r;
  r.whole = true;
  r.low = low;
  r.high = high;
  return r;
}
Interval float_interval(double from, double until, bool nan) {
  Interval r;
  r.from = from;
  r.until = until;
  r.nan = nan;
  return r;
}
Interval truth_interval(bool may_be_false, bool may_be_true) {
  return whole_interval(may_be_false ? 0 : 1, may_be_true ? 1 : 0);
}

Interval hull(const Interval& a, const Interval& b) {
  if (a.whole) return whole_interval(std::min(a.low, b.low), std::max(a.high, b.high));
  return float_interval(std::min(a.from, b.from), std::max(a.until, b.until), a.nan || b.nan);
}

std::optional<Interval> full_interval(DType type) {
  return with_type(type, [](auto t) -> std::optional<Interval> {
    using T = typename decltype(t)::type;
    if constexpr (Element<T>::kKind == Kind::floating) {
      return float_interval(-kInfinity, kInfinity, true);
    } else if constexpr (Element<T>::kKind == Kind::integer) {
      return whole_interval(Element<T>::kMin, Element<T>::kMax);
    } else if constexpr (Element<T>::kKind == Kind::boolean) {
      return truth_interval(true, true);
    } else {
      return std::nullopt;
    }
  });
}

std::string to_text(const Interval& interval) {
  if (interval.whole) {
    return fmt::format("[{}, {}]", whole_text(interval.low), whole_text(interval.high));
  }
  return fmt::format("[{}, {}]{}", text::format(interval.from), text::format(interval.until),
                     interval.nan ? " or NaN" : "");
}

}  // namespace hadamard::bound
