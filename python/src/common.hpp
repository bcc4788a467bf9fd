// CPython, pybind11 and NumPy's C API, included the same way everywhere.
#pragma once

#include <pybind11/pybind11.h>

// NumPy's table of functions is filled by module.cpp and shared by the other sources.
#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL hadamard_python_numpy_api
#ifndef HADAMARD_PYTHON_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <cxxabi.h>
#include <numpy/arrayobject.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/fail.hpp"
#include "hadamard/hadamard.hpp"

namespace hadamard::python {

namespace py = pybind11;

// Owns what a function of CPython returned; throws what it raised.
inline py::object steal(PyObject* object) {
  if (object == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}
inline py::object borrow(PyObject* object) { return py::reinterpret_borrow<py::object>(object); }

inline PyArrayObject* as_array(PyObject* object) noexcept {
  return reinterpret_cast<PyArrayObject*>(object);
}

// "numpy.ndarray", "list": for messages.
inline std::string type_name(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return type->tp_name;
  // Of classes that are made while Python runs, tp_name lacks the module.
  const std::string module =
      py::str(py::getattr(reinterpret_cast<PyObject*>(type), "__module__", py::str()));
  const std::string_view name = type->tp_name;
  const bool bare = module.empty() || module == "builtins" || module == "__main__" ||
                    name.find('.') != std::string_view::npos;
  return bare ? std::string(name) : module + '.' + std::string(name);
}

// A text's UTF-8, which the object keeps; nothing where it is no text, or half of a surrogate pair.
inline std::optional<std::string_view> utf8_of(PyObject* object) {
  if (PyUnicode_Check(object) == 0) return std::nullopt;
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
  if (text == nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return std::string_view(text, static_cast<std::size_t>(size));
}

// As Python shows it, in ASCII, at most 200 characters; integers of which Python refuses to make
// decimal text in base 16.
inline std::string repr(PyObject* object) {
  constexpr std::size_t kMost = 200;
  PyObject* shown = PyObject_ASCII(object);
  if (shown == nullptr && PyLong_Check(object) && PyErr_ExceptionMatches(PyExc_ValueError) != 0) {
    PyErr_Clear();
    shown = PyNumber_ToBase(object, 16);
  }
  std::string text = steal(shown).cast<std::string>();
  if (text.size() > kMost) text = text.substr(0, kMost - 3) + "...";
  return text;
}

// A class of a module that somebody has imported; a null object where nobody has.
inline py::object imported_class(const char* module_name, const char* class_name) {
  PyObject* const module = PyDict_GetItemString(PyImport_GetModuleDict(), module_name);  // borrowed
  if (module == nullptr) return {};
  py::object found = py::getattr(borrow(module), class_name, py::none());
  return PyType_Check(found.ptr()) != 0 ? found : py::object();
}

// Whether an object is of a class, by its type alone: isinstance would ask the object, and so run
// code of others.
inline bool is_of(PyObject* object, const py::object& type) noexcept {
  return type &&
         PyType_IsSubtype(Py_TYPE(object), reinterpret_cast<PyTypeObject*>(type.ptr())) != 0;
}

// Takes the interpreter's lock. Where the interpreter has ended meanwhile, CPython ends the thread
// by unwinding its stack, which C++ frames that do not throw turn into the end of the process: such
// a thread, a daemon's, waits here for the end instead.
inline void take_gil(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
}

// No more than can be said: a stretched layout may have more elements than memory has bits.
inline std::int64_t bytes_of(const Layout& layout) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  return std::min(layout.count(), kMost) * std::int64_t{bits(layout.dtype)} / 8;
}

// Other threads of Python run while this lives, where that is worth its cost: to give the lock back
// and to take it costs some 50 ns, and more where others want it.
class WithoutGil {
 public:
  static constexpr std::int64_t kWorthIt = 8192;  // bytes of result
  // Elements of type `real` own memory, of which two threads at once would free one piece twice.
  WithoutGil(DType type, std::int64_t bytes)
      : state_(type != DType::real && bytes >= kWorthIt ? PyEval_SaveThread() : nullptr) {}
  explicit WithoutGil(const Layout& layout) : WithoutGil(layout.dtype, bytes_of(layout)) {}
  ~WithoutGil() {
    if (state_ != nullptr) take_gil(state_);
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace hadamard::python
