// What an operator says about itself.
//
// An operator is a struct with
//   names    its names in the worlds that call it
//   doc      one line for help texts and the reference
//   apply    its whole definition: a template over the world W that it is computed in
//
// A world knows how to add, subtract, multiply and divide *its* kind of value: a machine scalar
// (exec/ref), a SIMD vector (exec/cpu), an exact rational. A world's operations round as its
// element type says, wrap where it is an integer, and note a zero divisor where it has no answer
// for one.
#pragma once

#include <string_view>

namespace hadamard::op {

struct OpNames {
  std::string_view id;      // CLI verb, C++ and Python function, C ABI: "div"
  std::string_view symbol;  // "./"
  std::string_view onnx;    // "Div"
  std::string_view matlab;  // "rdivide"
  std::string_view paddle;  // "elementwise_div"
};

}  // namespace hadamard::op
