// MATLAB's element-wise arithmetic on tensors: A ./ B and its like, with mixed types promoted and
// sizes expanded from the first dimension on.
//
//   #include <hadamard/matlab.hpp>
//   auto q = hadamard::matlab::rdivide(a, b);                        // int32 ./ double, say
//   auto z = hadamard::matlab::rdivide(a, b, hadamard::matlab::like(p));  // complex where p is
//   auto n = hadamard::matlab::rdivide(a, b, {.integers = hadamard::Integers::as_matlab});
//
// The same through the general calls: hadamard::div(a, b, {.dialect = Dialect::matlab}).
//
// Operands are views with any strides, of fp64 (double), fp32 (single), bool (logical), int8 …
// uint64, complex64 and complex128 (single and double, complex). Dimensions that an operand lacks
// are ones behind those that it has. What they are computed as and what the result is:
//
//   with a single             single
//   otherwise                 double: integers and logical become double
//   Integers::as_matlab       with an integer, that integer: the exact result (of 8 to 32 bits,
//   that
//                             in double) rounded half away from zero and saturated; NaN is 0
//   with a complex number     complex; real where all imaginary parts of the result are 0
//   outside the real domain   complex: sqrt(-4), log(-1), (-8).^(1/3)
//
// + - .* ./ of real numbers are correctly rounded, so are each part of complex sums, products and
// quotients and the functions of real numbers; functions of complex numbers as
// docs/semantics/matlab.md states ("Error bounds"). Division by zero is an infinity, 0 ./ 0 NaN.
//
// Everything here throws hadamard::Error, whose requirement() is MATLAB's identifier where there is
// one: shape_mismatch (MATLAB:sizeDimensionsMustMatch, with both sizes and the dimension),
// type_mismatch (MATLAB:mixedClasses, MATLAB:integerComplex), unsupported_type (no such class, or
// no complex form), bad_argument (an operator that dialect matlab does not have).
#pragma once

#include <optional>

#include "hadamard/hadamard.hpp"

namespace hadamard::matlab {

struct Settings {
  Integers integers = Integers::as_double;
  Order order = Order::column_major;        // of the result
  std::optional<Broadcast> broadcast = {};  // instead of implicit expansion
  bool is_complex = false;  // the result is complex even where its imaginary parts are all 0
};

// What rdivide(A, B, 'like', P) takes over from a prototype: its complexness.
Settings like(const ConstView& prototype, Settings settings = {});

// An operator of the list with two operands: add, sub, mul, div, pow, mod, rem, hypot, atan2.
Tensor compute(Op op, const ConstView& a, const ConstView& b, const Settings& settings = {});
// With one: neg, abs, sign, sqrt, exp, log, … abs, sign, floor, ceil and trunc of integers are
// integers of the same type, whatever the settings say.
Tensor compute(Op op, const ConstView& a, const Settings& settings = {});

inline Tensor plus(const ConstView& a, const ConstView& b, const Settings& settings = {}) {
  return compute(Op::add, a, b, settings);
}
inline Tensor minus(const ConstView& a, const ConstView& b, const Settings& settings = {}) {
  return compute(Op::sub, a, b, settings);
}
inline Tensor times(const ConstView& a, const ConstView& b, const Settings& settings = {}) {
  return compute(Op::mul, a, b, settings);
}
inline Tensor rdivide(const ConstView& a, const ConstView& b, const Settings& settings = {}) {
  return compute(Op::div, a, b, settings);
}
inline Tensor ldivide(const ConstView& a, const ConstView& b, const Settings& settings = {}) {
  return compute(Op::div, b, a, settings);
}
inline Tensor power(const ConstView& a, const ConstView& b, const Settings& settings = {}) {
  return compute(Op::pow, a, b, settings);
}

// The elements in another type by MATLAB's conversion. To integers: rounded half away from zero and
// saturated, NaN is 0. To floats: correctly rounded. To bool: whether they are not 0; a NaN is an
// error (bad_argument, MATLAB:nologicalnan). Complex only to complex (type_mismatch).
Tensor convert(const ConstView& a, DType to, Order order = Order::column_major);

// Complex, with imaginary parts 0 where `a` is real: complex64 of fp32, else complex128.
Tensor to_complex(const ConstView& a, Order order = Order::column_major);
// The parts of a complex tensor; of a real one itself, and zeros of its type.
Tensor real_part(const ConstView& a, Order order = Order::column_major);
Tensor imaginary_part(const ConstView& a, Order order = Order::column_major);
// The angle in (-pi, pi], correctly rounded; of real numbers 0 or pi.
Tensor angle(const ConstView& a, Order order = Order::column_major);
// Nearer than the operator of the list, which has the same name.
inline Tensor angle(const Tensor& a, Order order = Order::column_major) {
  return angle(ConstView(a), order);
}
Tensor conjugate(const ConstView& a, Order order = Order::column_major);
// Whether an imaginary part of a complex tensor is not 0.
bool has_imaginary_part(const ConstView& a);
// Real where all imaginary parts are 0.
Tensor narrowed(Tensor a);

}  // namespace hadamard::matlab
