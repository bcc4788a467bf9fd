// first:step:last
#pragma once

#include "base/int128.hpp"
#include "matlab/room.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

// A number that a range begins with, goes on by or ends with: exact where it is whole.
struct RangeEnd {
  double number;
  int128 whole;
  bool is_whole;
};
// Of a real scalar. Throws Fault for another value.
RangeEnd range_end(const Value& scalar);

// first, first + step, …, as many as do not go beyond the last by more than the rounding of the
// three. Integers are exact. Throws Fault where there is no room.
Value range_of(const RangeEnd& first, const RangeEnd& step, const RangeEnd& last, Class cls,
               const Room& room);

}  // namespace hadamard::matlab
