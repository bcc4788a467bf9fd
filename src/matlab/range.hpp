// first:step:last
#pragma once

#include <span>

#include "matlab/room.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

// Of {first, last} or {first, step, last}, of which the first elements count: first, first + step,
// …, as many as do not go beyond the last by more than the rounding of the three; none where one of
// them is empty. Its class is that of an end which is an integer, single, or char. Integers are
// exact; beside them all are of their class or whole doubles. Throws Fault.
Value range_of(std::span<const Value> ends, const Room& room);

}  // namespace hadamard::matlab
