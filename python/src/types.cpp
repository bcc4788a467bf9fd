#include "types.hpp"

namespace hadamard::python {
namespace {

std::string all_types() {
  std::string text;
  for (int i = 0; i < kTypeCount; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", name(static_cast<DType>(i)));
  }
  return text;
}

}  // namespace

PyArray_Descr* descr_of(DType type) {
  PyArray_Descr* descr = PyArray_DescrFromType(numpy_type(type));
  if (descr == nullptr) throw py::error_already_set();
  return descr;
}

void fail_no_type(PyArray_Descr* descr, std::string_view what) {
  const auto text = py::str(borrow(reinterpret_cast<PyObject*>(descr))).cast<std::string>();
  fail(ErrorCode::unsupported_type,
       "{} has NumPy's dtype {}, which is no element type; these are: {}", what, text, all_types());
}

DType dtype_from(PyObject* object) {
  if (const auto text = utf8_of(object)) {
    if (text == "bfloat16") return DType::bf16;  // what others call the one that NumPy lacks
    if (const auto type = dtype_from_name(*text)) return *type;
  }
  PyArray_Descr* descr = nullptr;
  if (object == Py_None || PyArray_DescrConverter(object, &descr) != NPY_SUCCEED) {
    PyErr_Clear();
    fail(ErrorCode::unsupported_type,
         "{} is no element type; these are: {}, and NumPy's names of them", repr(object),
         all_types());
  }
  const py::object owner = steal(reinterpret_cast<PyObject*>(descr));
  const std::uint8_t type = type_of_numpy(descr->type_num);
  if (type == kNoType) fail_no_type(descr, "the request");
  return static_cast<DType>(type);
}

}  // namespace hadamard::python
