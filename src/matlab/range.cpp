#include "matlab/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "matlab/arithmetic.hpp"
#include "matlab/elements.hpp"
#include "matlab/fault.hpp"
#include "matlab/functions.hpp"

namespace hadamard::matlab {
namespace {

// How many there are, from the number of steps that fit.
Dims size_of_range(double count, const Room& room) {
  if (!(count < 9e15)) {
    throw Fault{"MATLAB:nomem", fmt::format("out of memory: the range has {} elements", count)};
  }
  const Dims size{1, static_cast<std::int64_t>(count)};
  room.require(size, DType::fp64);
  return size;
}

Value whole_range(int128 first, int128 step, int128 last, Class cls, const Room& room) {
  const bool none = step == 0 || (step > 0 ? first > last : first < last);
  const int128 count = none ? 0 : (last - first) / step + 1;
  const Dims size = size_of_range(static_cast<double>(count), room);
  Tensor y = uninitialized(convert(Value(), cls).elements().dtype(), size);
  with_real_type(y.dtype(), [&](auto t) {
    using T = decltype(t);
    for (std::int64_t i = 0; i < size[1]; ++i) {
      data_of<T>(y)[i] = static_cast<T>(first + i * step);
    }
  });
  return {cls, std::move(y)};
}

}  // namespace

RangeEnd range_end(const Value& scalar) {
  RangeEnd end{number_of(scalar, "range"), 0, false};
  with_real_type(scalar.elements().dtype(), [&](auto t) {
    using T = decltype(t);
    const T x = *data_of<T>(scalar);
    if constexpr (std::is_integral_v<T>) {
      end.whole = static_cast<int128>(x);
      end.is_whole = true;
    } else if (std::abs(end.number) < 0x1p62 && end.number == std::trunc(end.number)) {
      end.whole = static_cast<int128>(end.number);
      end.is_whole = true;
    }
  });
  return end;
}

Value range_of(const RangeEnd& first, const RangeEnd& step, const RangeEnd& last, Class cls,
               const Room& room) {
  if (is_integer(cls) && first.is_whole && step.is_whole && last.is_whole) {
    return whole_range(first.whole, step.whole, last.whole, cls, room);
  }
  const double a = first.number, s = step.number, z = last.number;
  if (std::isnan(a) || std::isnan(s) || std::isnan(z)) {
    return convert(Value::scalar(NAN), is_integer(cls) ? Class::double_ : cls);
  }
  const bool none = s == 0 || (s > 0 ? a > z : a < z);
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

}  // namespace hadamard::matlab
