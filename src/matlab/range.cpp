#include "matlab/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/int128.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/elements.hpp"
#include "matlab/fault.hpp"
#include "matlab/functions.hpp"
#include "matlab/indexing.hpp"

namespace hadamard::matlab {
namespace {

constexpr int128 kFar = int128{1} << 100;  // beyond all integers that there are

// A number that a range begins with, goes on by or ends with: exact where it is whole.
struct End {
  double number;
  int128 whole;
  bool is_whole;
};

// Of a value's first element.
End end_of_range(const Value& value, const Room& room) {
  Value scalar = value;
  if (!value.is_scalar()) {
    const Index first[] = {Value::scalar(1)};
    scalar = indexed(value, first, {}, room);
  }
  scalar = real_part(scalar);
  End end{number_of(scalar, "range"), 0, false};
  with_real_type(scalar.elements().dtype(), [&](auto t) {
    using T = decltype(t);
    const T x = *data_of<T>(scalar);
    if constexpr (std::is_integral_v<T>) {
      end.whole = static_cast<int128>(x);
      end.is_whole = true;
    } else if (end.number == std::trunc(end.number)) {
      const bool is_far = std::abs(end.number) >= 0x1p100;
      end.whole = !is_far ? static_cast<int128>(end.number) : end.number > 0 ? kFar : -kFar;
      end.is_whole = true;
    }
  });
  return end;
}

Class class_of_range(std::span<const Value> ends) {
  Class cls = Class::double_;
  for (const Value& end : ends) {
    if (is_integer(cls)) continue;
    const bool is_single = end.cls() == Class::single_ && cls != Class::char_;
    if (is_integer(end.cls()) || end.cls() == Class::char_ || is_single) cls = end.cls();
  }
  if (!is_integer(cls)) return cls;
  for (const Value& end : ends) {
    if (end.cls() == cls || (end.cls() == Class::double_ && !end.is_complex())) continue;
    throw Fault{
        "MATLAB:mixedClasses",
        fmt::format("range: beside {} there may be {} and whole numbers of class double, "
                    "found {}{}",
                    name(cls), name(cls), end.is_complex() ? "complex " : "", name(end.cls()))};
  }
  return cls;
}

// How many there are, from the number of steps that fit.
Dims size_of_range(double count, const Room& room) {
  if (!(count < 9e15)) {
    throw Fault{"MATLAB:nomem", fmt::format("out of memory: the range has {} elements", count)};
  }
  const Dims size{1, static_cast<std::int64_t>(count)};
  room.require(size, DType::fp64);
  return size;
}

template <class T>
Tensor integers(const End& first, const End& step, const End& last, Class cls, const Room& room) {
  constexpr T kLeast = std::numeric_limits<T>::lowest(), kMost = std::numeric_limits<T>::max();
  const auto inside = [&](const End& end, std::string_view which) -> int128 {
    // intmax('int64') as a double, which integers become, is one more.
    if (end.number == static_cast<double>(kMost)) return std::min(end.whole, int128{kMost});
    if (end.is_whole && end.whole >= int128{kLeast} && end.whole <= int128{kMost}) return end.whole;
    throw Fault{
        "Hadamard:range",
        fmt::format("range: beside {} the {} number must be a whole one from {} to {}, found {}",
                    name(cls), which, kLeast, kMost, end.number)};
  };
  const int128 begin = inside(first, "first"), end = inside(last, "last");
  if (!step.is_whole) {
    throw Fault{"Hadamard:range",
                fmt::format("range: beside {} the step must be a whole number, found {}", name(cls),
                            step.number)};
  }
  const bool none = step.whole == 0 || (step.whole > 0 ? begin > end : begin < end);
  const int128 count = none ? 0 : (end - begin) / step.whole + 1;
  const Dims size = size_of_range(static_cast<double>(count), room);
  Tensor y = uninitialized(element_type(cls), size);
  for (std::int64_t i = 0; i < size[1]; ++i) {
    data_of<T>(y)[i] = static_cast<T>(begin + i * step.whole);
  }
  return y;
}

Value range_of_integers(const End& first, const End& step, const End& last, Class cls,
                        const Room& room) {
  std::optional<Tensor> y;
  with_real_type(element_type(cls), [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_integral_v<T>) y = integers<T>(first, step, last, cls, room);
  });
  return {cls, *std::move(y)};
}

// first:step:last where first and step are whole numbers: so is each element, and none is beyond
// the last, which need not be whole.
Value range_of_whole(const End& first, const End& step, double last, Class cls, const Room& room) {
  const auto end = static_cast<int128>(step.whole > 0 ? std::floor(last) : std::ceil(last));
  const bool none = step.whole > 0 ? first.whole > end : first.whole < end;
  const int128 count = none ? 0 : (end - first.whole) / step.whole + 1;
  const Dims size = size_of_range(static_cast<double>(count), room);
  Tensor y = uninitialized(DType::fp64, size);
  double* const out = data_of<double>(y);
  const bool is_exact = std::abs(first.number) < 0x1p52 && std::abs(last) < 0x1p52;
  for (std::int64_t i = 0; i < size[1]; ++i) {
    out[i] = is_exact ? first.number + static_cast<double>(i) * step.number
                      : static_cast<double>(first.whole + i * step.whole);
  }
  if (size[1] > 0) out[0] = first.number;  // which may be -0
  return convert(Value(Class::double_, std::move(y)), cls);
}

Value range_of_floats(double a, double s, double z, Class cls, const Room& room) {
  if (std::isnan(a) || std::isnan(s) || std::isnan(z)) return convert(Value::scalar(NAN), cls);
  const bool none = s == 0 || (s > 0 ? a > z : a < z);
  // 0:Inf:Inf, Inf:1:Inf: how many there are has no answer.
  if (!none && std::isnan((z - a) / s)) return convert(Value::scalar(NAN), cls);
  // The quotient is off by what the ends and the step are: a last element that is a little beyond
  // counts, and is the last itself.
  const double unit = cls == Class::single_ ? 0x1p-23 : 0x1p-52;
  const double steps = (z - a) / s;
  const double off = 3 * unit * std::max({std::abs(a), std::abs(z), std::abs(z - a)}) / std::abs(s);
  double count = std::floor(steps) + 1;
  if (count - steps <= std::min(off, 0.5)) ++count;
  const Dims size = size_of_range(none ? 0 : count, room);
  Tensor y = uninitialized(DType::fp64, size);
  double* const out = data_of<double>(y);
  for (std::int64_t i = 0; i < size[1]; ++i) {
    const double value = i == 0 ? a : a + static_cast<double>(i) * s;
    out[i] = s > 0 ? std::fmin(value, z) : std::fmax(value, z);
  }
  return convert(Value(Class::double_, std::move(y)), cls);
}

}  // namespace

Value range_of(std::span<const Value> ends, const Room& room) {
  const Class cls = class_of_range(ends);
  if (std::any_of(ends.begin(), ends.end(), [](const Value& end) { return end.is_empty(); })) {
    return {cls, Tensor(element_type(cls), Dims{1, 0}, Order::column_major)};
  }
  const End first = end_of_range(ends.front(), room), last = end_of_range(ends.back(), room);
  const End step = ends.size() == 3 ? end_of_range(ends[1], room) : End{1, 1, true};
  if (is_integer(cls)) return range_of_integers(first, step, last, cls, room);
  const auto is_near = [](const End& end) { return std::abs(end.number) < 0x1p100; };
  const bool is_whole = first.is_whole && step.is_whole && step.whole != 0;
  return is_whole && is_near(first) && is_near(step) && is_near(last)
             ? range_of_whole(first, step, last.number, cls, room)
             : range_of_floats(first.number, step.number, last.number, cls, room);
}

}  // namespace hadamard::matlab
