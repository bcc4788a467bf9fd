// == ~= < <= > >= & | ~: what makes logicals of numbers.
#pragma once

#include "matlab/syntax.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

// By value, exactly, whatever the classes: int64(2^53+1) is not 2^53. Throws Fault for sizes that
// do not fit.
Value comparison(Operator op, const Value& a, const Value& b);
// & or |
Value logic(Operator op, const Value& a, const Value& b);
Value negation(const Value& a);

}  // namespace hadamard::matlab
