// [a b] and [a; b]
#pragma once

#include <span>

#include "matlab/room.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

// The class of what both stand in: char, else the first integer's, else single, else double.
// Throws Fault for a string beside another class.
Class common_class(Class a, Class b);

// [a b] along dimension 2, [a; b] along 1. Empty parts that do not fit are left out by Octave's
// rule: 0x0 always, 1x0 and 0x1 beside matrices; their class counts. Throws Fault.
Value concatenated(std::span<const Value> parts, std::size_t dimension, const Room& room);

}  // namespace hadamard::matlab
