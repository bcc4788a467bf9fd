// The functions of the module.
#pragma once

#include "common.hpp"

namespace hadamard::python {

// A function per row of HADAMARD_OPERATORS, and cast, divide, where, clip. They are CPython's own
// built-in functions, called without a tuple or a dictionary of arguments: pybind11's way into a
// function costs more than eight quotients do (docs/adr/0012).
void add_functions(py::module_& module);

// An operator on anything, as the functions compute it: for the operators of hadamard.Tensor.
py::object call_operator(Op op, const py::object& a, const py::object& b);
py::object call_operator(Op op, const py::object& a);
py::object call_divide(const py::object& a, const py::object& b);

}  // namespace hadamard::python
