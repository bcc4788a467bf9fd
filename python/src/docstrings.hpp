// What help() says.
#pragma once

#include <string>

#include "hadamard/types.hpp"
#include "settings.hpp"

namespace hadamard::python {

// From the operator's own line (src/op), the types that it is defined for, and the keywords.
std::string docstring(Op op, const Signature& signature);
std::string cast_docstring(const Signature& signature);
std::string divide_docstring(const Signature& signature);
std::string where_docstring(const Signature& signature);
std::string clip_docstring(const Signature& signature);

}  // namespace hadamard::python
