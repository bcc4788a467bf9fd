// Division as Python's users know it: the quotient of integers is a float.
#pragma once

#include "common.hpp"

namespace hadamard::python {

class Operand;

// Gives both operands the type that they are divided in. Integers and bool become fp64, where that
// has all of them; a Python number beside them takes fp64 too, beside others their type. Of
// integers of 64 bits, which fp64 does not have all of, this is the quotient itself, rounded once;
// of all else nothing. Throws type_mismatch for integers beside another type than fp64 and
// complex128.
std::optional<Tensor> settle_for_quotient(Operand& a, Operand& b, Order order);

}  // namespace hadamard::python
