// From exceptions of C++ to those of Python.
#pragma once

#include "common.hpp"

namespace hadamard::python {

// Called once, by the module: finds the classes in hadamard._errors.
void load_error_classes();

// In a catch (...) block: raises in Python what was thrown in C++. Returns null, as functions of
// CPython do that failed.
PyObject* raise_current() noexcept;

}  // namespace hadamard::python
