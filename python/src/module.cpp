// hadamard._core: what of the package is in C++.
#define HADAMARD_PYTHON_IMPORTS_NUMPY
#include "base/float_env.hpp"
#include "dlpack.hpp"
#include "errors.hpp"
#include "evaluate.hpp"
#include "functions.hpp"
#include "paddle.hpp"
#include "settings.hpp"
#include "tensor.hpp"
#include "types.hpp"

namespace {

namespace py = pybind11;
namespace hp = hadamard::python;

py::tuple type_names() {
  py::list names;
  for (int i = 0; i < hadamard::kTypeCount; ++i) {
    names.append(std::string(name(static_cast<hadamard::DType>(i))));
  }
  return py::tuple(names);
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  if (_import_array() < 0) throw py::error_already_set();
  hp::load_error_classes();
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const hadamard::Error&) {
      hp::raise_current();
    }
  });
  hp::add_tensor_class(module);
  hp::add_functions(module);
  hp::add_paddle(module);
  // What _eval.py and _settings.py call.
  module.def("evaluate", &hp::evaluate, py::arg("expression"), py::arg("variables"),
             py::arg("integers"));
  module.def("from_dlpack",
             [](const py::object& source) { return hp::import_dlpack(source.ptr(), "the array"); });
  // For what Python or NumPy compute for us: traps of the caller's thread would end the process.
  module.def("in_default_environment",
             [](const py::function& function, const py::args& args, const py::kwargs& named) {
               const hadamard::ScopedFloatEnv env;
               const hadamard::ScopedExtendedPrecision precision;
               return function(*args, **named);
             });
  module.def("set_threads", &hadamard::set_threads);
  module.def("threads", &hadamard::threads);
  module.def("release_memory", &hadamard::release_memory);
  module.def("set_kept_memory_limit", &hadamard::set_kept_memory_limit);
  module.attr("choices") = hp::choices();
  module.attr("types") = type_names();
  module.attr("__version__") = std::string(hadamard::version());
}
