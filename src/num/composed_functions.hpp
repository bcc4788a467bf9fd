// Functions that the library of multiple precision does not have, made of some that it has.
#pragma once

#include "num/elementary.hpp"
#include "num/multiple_precision.hpp"

namespace hadamard::elementary {

constexpr bool is_composed(Function function) {
  switch (function) {
    case Function::sigmoid:
    case Function::stanh:
    case Function::swish:
    case Function::softplus:
    case Function::logsigmoid:
    case Function::soft_relu:
    case Function::tanh_shrink:
      return true;
    default:
      return false;
  }
}

// Sets x to f(a), within 16 units of its last place; NaN where the steps to a limit have none.
void approximate(Function function, multiple_precision::Number& x, double a);

// Correctly rounded to the format, limits too: in ever more bits, until the bounds of the result
// round alike. Needs a ScopedLibrary.
double by_growing_precision(Function function, double a, FloatFormat format);

}  // namespace hadamard::elementary
