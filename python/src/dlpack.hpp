// DLPack: memory that libraries share without a copy.
#pragma once

#include "common.hpp"

namespace hadamard::python {

struct HeldTensor;

// A hadamard.Tensor over the memory of an object that has __dlpack__ (and __dlpack_device__), or of
// a capsule "dltensor". Throws unsupported_type for memory of other devices and for types that we
// lack, bad_argument for a capsule that was used already.
py::object import_dlpack(PyObject* object, std::string_view what);

// A capsule "dltensor". Throws unsupported_type for int4, uint4 and real.
py::object export_dlpack(const HeldTensor& tensor);

}  // namespace hadamard::python
