// The language's text, which programs share.
#pragma once

#include "program/syntax/syntax.hpp"

namespace hadamard::matlab {

using namespace syntax;

}  // namespace hadamard::matlab
