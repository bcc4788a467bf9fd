// An error of a script: what MATLAB's error() carries.
#pragma once

#include <string>
#include <utility>

#include "matlab/syntax.hpp"

namespace hadamard::matlab {

// Thrown by functions and the evaluator. The evaluator adds the place where the operator or call
// stands, the innermost one; report() then shows the line with a caret under it.
struct Fault {
  std::string identifier;  // "MATLAB:sizeDimensionsMustMatch"
  std::string message;
  std::optional<Place> place{};
};

// "error: message [identifier]", the line of the source with its number, and a line with carets
// under the place.
std::string report(const Fault& fault, std::string_view source, std::string_view name_of_source);

}  // namespace hadamard::matlab
