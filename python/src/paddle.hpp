// Gradients of Paddle's element-wise operators.
#pragma once

#include "common.hpp"

namespace hadamard::python {

void add_paddle(py::module_& module);

}  // namespace hadamard::python
