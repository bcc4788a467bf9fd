// Functions of complex values. Computed in long double and rounded once per part.
#pragma once

#include "hadamard/types.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

// Both complex, of one class; expanded. 0.^0 is 1.
Value complex_power(const Value& base, const Value& exponent);

// sqrt, exp, log, sign, floor, … of a complex value. Throws Fault where the operator has no complex
// form.
Value complex_function(Op op, const Value& a);

Value modulus(const Value& a);   // real, without overflow where the result does not
Value argument(const Value& a);  // angle, real
Value conjugate(const Value& a);

}  // namespace hadamard::matlab
