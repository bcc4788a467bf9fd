// An error of a script: what MATLAB's error() carries.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hadamard/error.hpp"
#include "matlab/language.hpp"

namespace hadamard::matlab {

// Thrown by functions and the evaluator. The evaluator adds the place where the operator or call
// stands, the innermost one; report() then shows the line with a caret under it.
struct Fault {
  std::string identifier;  // "MATLAB:sizeDimensionsMustMatch"
  std::string message;
  std::optional<Place> place{};
};

// Three lines, the first alone where there is no place; long messages and lines are shown in part;
// the source begins with line `first_line` of what it is from:
//   error: message [identifier]
//   name:2 | A ./ B
//          |   ^^
std::string report(const Fault& fault, std::string_view source, std::string_view name_of_source,
                   std::size_t first_line = 1);
// The same for what parse() throws: "parse error: message".
std::string report(const SyntaxError& error, std::string_view source,
                   std::string_view name_of_source);

// The identifier of an error that the engine has none for.
std::string identifier_of(const Error& error);

}  // namespace hadamard::matlab
