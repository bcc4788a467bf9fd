// hadamard.eval: MATLAB's expressions on Python's arrays.
#pragma once

#include "common.hpp"

namespace hadamard::python {

// The value of the last expression, computed by the interpreter of `hadamard matlab`.
py::object evaluate(const py::str& source, const py::dict& variables, const py::object& integers);

}  // namespace hadamard::python
