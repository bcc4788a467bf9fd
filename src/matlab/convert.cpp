// Between classes, and between real and complex.
#include "hadamard/matlab.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/engine.hpp"
#include "matlab/fault.hpp"

namespace hadamard::matlab {
namespace {

Value in_double(const Value& value) {
  return is_float(value.cls()) ? value : convert(value, Class::double_);
}

}  // namespace

Class class_of(DType type) {
  switch (type) {
    case DType::complex128:
      return Class::double_;
    case DType::complex64:
      return Class::single_;
#define HADAMARD_MATLAB_TYPE_CLASS(id, name, type) \
  case DType::type:                                \
    return Class::id;
      HADAMARD_MATLAB_NUMERIC_CLASSES(HADAMARD_MATLAB_TYPE_CLASS)
#undef HADAMARD_MATLAB_TYPE_CLASS
    default:
      return Class::double_;
  }
}

Value convert(const Value& value, Class to) {
  if (value.cls() == to) return value;
  if (value.cls() == Class::string) {
    throw Fault{"MATLAB:invalidConversion",
                "a string is not a number; text in single quotes is char, which has numbers"};
  }
  if (value.is_complex() && !is_float(to)) {
    throw Fault{"MATLAB:complexToInteger",
                "complex values have no " + std::string(name(to)) + "; take real() or abs()"};
  }
  const DType type = element_type(to, value.is_complex());
  return {to, asked([&] { return convert(value.elements(), type); }), value.residency()};
}

Value to_complex(const Value& value) {
  if (value.is_complex()) return value;
  const Value real = in_double(value);
  return {real.cls(), to_complex(real.elements()), value.residency()};
}

Value real_part(const Value& value) {
  return value.is_complex() ? Value(value.cls(), real_part(value.elements()), value.residency())
                            : value;
}

Value imaginary_part(const Value& value) {
  const Value number = is_integer(value.cls()) ? value : in_double(value);
  return {number.cls(), imaginary_part(number.elements()), value.residency()};
}

Value argument(const Value& value) {
  const Value number = in_double(value);
  return {number.cls(), matlab::angle(number.elements()), value.residency()};
}

Value conjugate(const Value& value) {
  return value.is_complex() ? Value(value.cls(), conjugate(value.elements()), value.residency())
                            : value;
}

Value narrowed(Value value) {
  const bool is_real = value.is_complex() && !has_imaginary_part(value.elements());
  return is_real ? real_part(value) : value;
}

Value like(Value value, const Value& prototype) {
  if (prototype.is_complex()) value = to_complex(value);
  return value.with_residency(prototype.is_complex() ? Residency::host : prototype.residency());
}

}  // namespace hadamard::matlab
