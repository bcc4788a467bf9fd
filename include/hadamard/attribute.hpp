// Attributes: numbers that an operator takes beside its operands.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "hadamard/types.hpp"

namespace hadamard {

// One attribute of a call, {"alpha", 0.2}: the exact value of the number that was passed. The
// default of an attribute is an exact decimal; a float or double that is the nearest one to it
// stands for it, so that {"alpha", 0.02} is what leaky_relu has anyway.
struct Attribute {
  Attribute(std::string called, double number);  // throws bad_argument unless it is finite
  Attribute(std::string called, float number);
  Attribute(std::string called, long double number) = delete;
  Attribute(std::string called, Real number) : name(std::move(called)), value(std::move(number)) {}
  template <std::signed_integral I>
  Attribute(std::string called, I number)
      : Attribute(std::move(called), Real(std::int64_t{number})) {}
  template <std::unsigned_integral I>
  requires(!std::same_as<I, bool>) Attribute(std::string called, I number)
      : Attribute(std::move(called), Real::from_unsigned(number)) {}
  Attribute(std::string called, bool number) = delete;

  std::string name;
  Real value;
  int bits = 0;  // of the significand that the value was rounded to: 24 or 53; 0: it is exact

  friend bool operator==(const Attribute&, const Attribute&) = default;
};

}  // namespace hadamard
