// The element-wise operators on values: what a class is to the engine, and where a result lies.
// Types, implicit expansion and complexness are those of hadamard/matlab.hpp, which computes the
// elements.
#pragma once

#include <optional>

#include "hadamard/options.hpp"
#include "matlab/language.hpp"
#include "matlab/room.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

struct Rules {
  Integers integers = Integers::as_double;
  Room room;
};

// + - .* ./ .\ .^, comparisons, & and |; * / \ ^ where a side is scalar. Throws Fault.
Value binary(Operator op, const Value& a, const Value& b, const Rules& rules);
Value unary(Operator op, const Value& a, const Rules& rules);
// An operator of the list with one operand on a value: sqrt, exp, abs, … with MATLAB's class rules;
// a real operand outside the real domain (sqrt(-1), log(-1)) gives a complex result.
Value function_of_one(Op op, const Value& a, const Rules& rules = {});

// One with two operands: those of + - .* ./ .^, and mod, rem, hypot, atan2.
Value function_of_two(Op op, const Value& a, const Value& b, const Rules& rules);

// What lies on the device, as a value.
Value on_device(Handle handle);

// rdivide(A, B, 'like', P): `value` with P's residency and complexness.
Value like(Value value, const Value& prototype);

// Complex with an imaginary part that is all zero becomes real, as results of operators do.
Value narrowed(Value value);

// The same values in another class, by MATLAB's conversion (rounded half away from zero,
// saturated).
Value convert(const Value& value, Class to);

// As complex128 or complex64.
Value to_complex(const Value& value);
// The parts, of real values too.
Value real_part(const Value& value);
Value imaginary_part(const Value& value);
Value argument(const Value& value);  // angle, real
Value conjugate(const Value& value);

// The class whose elements have the type: of complex ones too. No char, no string.
Class class_of(DType type);

// A' (conjugated) or A.' of a matrix. Throws Fault for more than two dimensions.
Value transposed(const Value& value, bool conjugated);

// The size of two operands' result. Throws Fault MATLAB:sizeDimensionsMustMatch, naming both sizes
// and the dimension.
Dims expanded_size(const Dims& a, const Dims& b);

}  // namespace hadamard::matlab
