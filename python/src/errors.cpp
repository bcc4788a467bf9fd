#include "errors.hpp"

#include <array>
#include <new>

namespace hadamard::python {
namespace {

constexpr std::size_t kCodes = 1
#define HADAMARD_COUNT_CODE(id, meaning) +1
    HADAMARD_ERROR_CODES(HADAMARD_COUNT_CODE)
#undef HADAMARD_COUNT_CODE
    ;

// The class of each code. Never freed: exceptions may be raised until the interpreter's end.
std::array<PyObject*, kCodes> classes{};

void raise(const Error& error) {
  const std::string_view code = name(error.code());
  const py::object type = borrow(classes.at(static_cast<std::size_t>(error.code())));
  const py::object exception = type(py::str(error.what()));
  exception.attr("code") = py::str(code.data(), code.size());
  exception.attr("requirement") = py::str(error.requirement());
  PyErr_SetObject(type.ptr(), exception.ptr());
}

}  // namespace

void load_error_classes() {
  const py::object class_of = py::module_::import("hadamard._errors").attr("class_of");
  for (std::size_t i = 0; i < kCodes; ++i) {
    const std::string_view code = name(static_cast<ErrorCode>(i));
    py::object type = class_of(py::str(code.data(), code.size()));
    Py_XDECREF(classes[i]);
    classes[i] = type.release().ptr();
  }
}

PyObject* raise_current() noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      raise(error);
    }
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an unknown exception in hadamard._core");
  }
  return nullptr;
}

}  // namespace hadamard::python
