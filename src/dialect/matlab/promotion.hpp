// MATLAB's rules on types: what operands are computed as, and what the result is. Policy only.
#pragma once

#include <string_view>

#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"

namespace hadamard::dialect::matlab {

// What a real operand of type `from` is computed as, and what becomes of the result. A complex
// operand has the type of its parts here.
struct Promotion {
  DType computed;       // fp64, fp32, or a 64-bit integer: those are computed exactly
  DType result;         // before complexness
  bool is_complex;      // an operand is
  bool keeps_integers;  // computed in doubles or exactly, rounded half away from zero, saturated
};

// Throws unsupported_type (an element type that MATLAB has no class for), type_mismatch: integers
// of two classes (MATLAB:mixedClasses), integers with complex numbers (MATLAB:integerComplex); both
// by the rule Integers::as_matlab alone.
Promotion promote(Op op, DType a, DType b, Integers integers);
// Of an operator with one operand; abs, sign, floor, ceil and fix of integers are integers.
Promotion promote(Op op, DType a, Integers integers);

// The type of a complex number's parts; other types are their own.
DType part_type(DType type) noexcept;
// The complex type with such parts: of fp32 complex64, else complex128.
DType complex_type(DType part) noexcept;
bool is_complex(DType type) noexcept;

// Whether MATLAB's answer on real floats is another one than the operator's: mod's by 0.
bool has_own_form(Op op) noexcept;

// The size of the result by implicit expansion. Throws shape_mismatch
// (MATLAB:sizeDimensionsMustMatch), naming both sizes and the dimension, which counts from 1.
Dims expanded_size(const Dims& a, const Dims& b);

// "3x4"; at least two extents.
std::string size_text(const Dims& size);

// Throws an error whose requirement is MATLAB's identifier. The text ends with it, in brackets.
[[noreturn]] void fail_as(std::string_view identifier, ErrorCode code, std::string message);

// Whether the plan of one step is all there is to do: operands of the computed type, and no result
// whose type depends on values.
bool is_one_step(Op op, DType a, DType b) noexcept;

}  // namespace hadamard::dialect::matlab
