#include "tensor.hpp"

#include <algorithm>
#include <vector>

#include "arrays.hpp"
#include "base/int128.hpp"
#include "dlpack.hpp"
#include "functions.hpp"
#include "num/exact.hpp"
#include "op/ops.hpp"
#include "operand.hpp"

namespace hadamard::python {
namespace {

PyTypeObject* tensor_type = nullptr;

constexpr const char* kNoState = "not the state of a hadamard.Tensor";

HeldTensor& held(const py::object& self) {
  HeldTensor* const tensor = held_tensor(self.ptr());
  if (tensor == nullptr) throw py::type_error("not a hadamard.Tensor: " + type_name(self.ptr()));
  return *tensor;
}

py::module_ numpy() { return py::module_::import("numpy"); }
py::object fraction_class() { return py::module_::import("fractions").attr("Fraction"); }

// From a number, or from text ("61/30") and what is written as such, as decimal.Decimal is.
Real real_of(const ExactNumbers& exact, PyObject* element) {
  if (exact.has(element)) return exact.value(element);
  if (PyArray_CheckScalar(element) && PyUnicode_Check(element) == 0) {
    fail(ErrorCode::unsupported_type, "{} is a type of which there is no exact value here",
         type_name(element));
  }
  const py::str text(borrow(element));
  const auto utf8 = utf8_of(text.ptr());
  if (!utf8) fail(ErrorCode::bad_literal, "{} is no number", repr(text.ptr()));
  return Real::parse(*utf8);
}

// By digits of base 16: Python makes no number of more than 4300 decimal ones.
py::object fraction_of(const py::object& of_class, const Real& value) {
  const auto integer = [](const std::string& hex) {
    return steal(PyLong_FromString(hex.c_str(), nullptr, 16));
  };
  const exact::HexFraction parts = exact::hex_of(value);
  return of_class(integer(parts.numerator), integer(parts.denominator));
}

py::object fractions_of(const ConstView& view) {
  const std::vector<Real> values = Tensor(view).to_vector<Real>();
  const py::object fraction = fraction_class();
  py::list list;
  for (const Real& value : values) list.append(fraction_of(fraction, value));
  py::object array = numpy().attr("empty")(py::len(list), "object");
  if (!values.empty()) array[py::slice(0, static_cast<py::ssize_t>(values.size()), 1)] = list;
  py::list shape;
  for (const std::int64_t extent : view.shape()) shape.append(extent);
  return array.attr("reshape")(py::tuple(shape));
}

// What NumPy shows the elements of a type as that it lacks; each value is the same.
DType shown_as(DType type) {
  switch (type) {
    case DType::bf16:
      return DType::fp32;
    case DType::int4:
      return DType::int8;
    case DType::uint4:
      return DType::uint8;
    default:
      return type;
  }
}

py::object numpy_of(const py::object& self) {
  const HeldTensor& tensor = held(self);
  const DType type = tensor.view.dtype();
  if (type == DType::real) return fractions_of(tensor.view);
  if (numpy_type(type) != kNoNumpyType) return array_over(tensor.view, tensor.writable, self);
  const py::object shown = to_object(HeldTensor(cast(tensor.view, shown_as(type))));
  return array_over(held(shown).view, true, shown);
}

HeldTensor new_tensor(const py::object& source, const py::object& wanted) {
  if (wanted.is_none()) {
    Operand operands[1];
    operands[0].take(source.ptr(), "the array");
    settle_all(operands);
    return HeldTensor(Tensor(operands[0].view()));
  }
  const DType type = dtype_from(wanted.ptr());
  if (type == DType::real) {
    const bool is_typed = held_tensor(source.ptr()) != nullptr ||
                          (PyArray_Check(source.ptr()) &&
                           type_of_numpy(PyArray_TYPE(as_array(source.ptr()))) != kNoType);
    require_no_loss(source.ptr(), "the array");
    if (!is_typed) return HeldTensor(real_tensor(source));
  }
  Operand operands[1];
  operands[0].take(source.ptr(), "the array");
  // Numbers of Python's must fit; what has a type is converted.
  const Weak weak = operands[0].weak();
  const bool to_float = kind(type) == Kind::floating || kind(type) == Kind::complex;
  const bool fits =
      weak != Weak::none && (to_float || (weak <= Weak::integer && kind(type) != Kind::boolean));
  if (fits || operands[0].is_as_written()) operands[0].settle(type, Operand::Floats::convert);
  settle_all(operands);
  if (operands[0].view().dtype() == type) return HeldTensor(Tensor(operands[0].view()));
  const WithoutGil others_run(operands[0].view().layout());
  return HeldTensor(cast(operands[0].view(), type));
}

py::tuple tuple_of(const Dims& dims) {
  py::tuple tuple(dims.size());
  for (std::size_t i = 0; i < tuple.size(); ++i) tuple[i] = py::int_(dims[i]);
  return tuple;
}
py::tuple shape_of(const py::object& self) { return tuple_of(held(self).view.shape()); }

Dims dims_of(const py::tuple& tuple) {
  Dims dims;
  for (const py::handle extent : tuple) dims.push_back(extent.cast<std::int64_t>());
  return dims;
}

// The elements from the one at `offset` on, in another shape and with other strides; the same
// memory, within what the tensor has.
HeldTensor seen_as(const py::object& self, const py::tuple& shape, const py::tuple& strides,
                   std::int64_t offset) {
  const HeldTensor& tensor = held(self);
  const Layout layout(tensor.view.dtype(), dims_of(shape), dims_of(strides));
  const auto ends = [](const Layout& of) {
    std::int64_t low = 0, high = 0;  // a valid layout spans at most 2^60 bytes
    for (std::size_t i = 0; i < of.rank(); ++i) {
      const std::int64_t reach = of.strides[i] * (of.shape[i] - 1);
      (reach < 0 ? low : high) += reach;
    }
    return std::pair(low, high);
  };
  if (layout.count() == 0) offset = 0;
  const auto [low, high] = ends(tensor.view.layout());
  const auto [first, last] = ends(layout);
  const auto at = static_cast<int128>(offset);
  if (layout.count() > 0 && (tensor.view.count() == 0 || at + first < low || at + last > high)) {
    throw py::index_error("the elements lie outside of the Tensor");
  }
  return HeldTensor(ConstView(tensor.view.data(), layout, tensor.view.offset() + offset),
                    tensor.owner, tensor.writable);
}

// Two operands as NumPy arrays of one type, for a comparison.
py::tuple arrays_of_one_type(const py::object& a, const py::object& b) {
  static constexpr std::string_view kNames[] = {"A", "B"};
  PyObject* const objects[] = {a.ptr(), b.ptr()};
  Operand operands[2];
  take_all(operands, objects, kNames);
  settle_all(operands);
  const DType types[] = {operands[0].view().dtype(), operands[1].view().dtype()};
  if (types[0] != types[1]) {
    fail(ErrorCode::type_mismatch,
         "A is {} and B is {}: what is compared must have the same type; cast one of them",
         name(types[0]), name(types[1]));
  }
  const auto array_of = [](const Operand& operand) {
    return numpy_of(to_object(HeldTensor(Tensor(operand.view()))));
  };
  return py::make_tuple(array_of(operands[0]), array_of(operands[1]));
}

std::string tensor_repr(const py::object& self) {
  const py::object text = numpy().attr("array2string")(numpy_of(self), py::arg("separator") = ", ",
                                                       py::arg("prefix") = "hadamard.Tensor(");
  const ConstView& view = held(self).view;
  const bool lost = view.count() == 0 && view.rank() > 1;  // by the text
  return fmt::format("hadamard.Tensor({}, {}dtype='{}')", text.cast<std::string>(),
                     lost ? "shape=" + py::repr(shape_of(self)).cast<std::string>() + ", " : "",
                     name(view.dtype()));
}

bool is_true(const py::object& object) {
  const int answer = PyObject_IsTrue(object.ptr());
  if (answer < 0) throw py::error_already_set();
  return answer != 0;
}

py::object as_array_for_numpy(const py::object& self, const py::object& dtype,
                              const py::object& copy) {
  py::object array = numpy_of(self);
  const bool never = !copy.is_none() && !is_true(copy);
  const bool same_type =
      dtype.is_none() || py::object(array.attr("dtype")).equal(numpy().attr("dtype")(dtype));
  if (never && (!same_type || numpy_type(held(self).view.dtype()) == kNoNumpyType)) {
    throw py::value_error("an array of that type takes a copy, and copy=False forbids one");
  }
  if (!dtype.is_none()) array = array.attr("astype")(dtype, py::arg("copy") = false);
  if (!copy.is_none() && is_true(copy)) array = array.attr("copy")();
  return array;
}

// DLPack's number for it.
py::tuple the_cpu() { return py::make_tuple(1, 0); }

// A capsule of the version that every consumer reads, whatever the newest is that this one does.
py::object dlpack_of(const py::object& self, const py::object& stream, const py::object&,
                     const py::object& device, const py::object& copy) {
  const auto refuse = [](const char* why) {
    PyErr_SetString(PyExc_BufferError, why);
    throw py::error_already_set();
  };
  if (!stream.is_none()) refuse("a hadamard.Tensor lies in the CPU's memory: it has no stream");
  const bool is_pair = PyTuple_Check(device.ptr()) != 0 || PyList_Check(device.ptr()) != 0;
  if (!device.is_none() && !(is_pair && py::tuple(device).equal(the_cpu()))) {
    refuse("a hadamard.Tensor lies in the CPU's memory, (1, 0) as dl_device");
  }
  const bool copies = !copy.is_none() && is_true(copy);
  return export_dlpack(copies ? HeldTensor(Tensor(held(self).view)) : held(self));
}

// The elements of a contiguous copy.
py::tuple state_of(const py::object& self) {
  const HeldTensor& tensor = held(self);
  const std::string_view type = name(tensor.view.dtype());
  const py::str type_text(type.data(), type.size());
  if (tensor.view.dtype() == DType::real) {
    return py::make_tuple(type_text, shape_of(self),
                          numpy_of(self).attr("ravel")().attr("tolist")());
  }
  const Tensor copy(tensor.view);
  return py::make_tuple(type_text, shape_of(self),
                        py::bytes(static_cast<const char*>(copy.data()), copy.size_bytes()));
}

// The shape of a state; a state comes from a file, and may say anything.
Dims shape_in(const py::tuple& extents) {
  Dims shape;
  for (const py::handle extent : extents) {
    int overflow = 0;
    if (PyLong_CheckExact(extent.ptr()) == 0) throw py::value_error(kNoState);
    shape.push_back(PyLong_AsLongLongAndOverflow(extent.ptr(), &overflow));
    if (overflow != 0) throw py::value_error(kNoState);
  }
  return shape;
}

// Nothing is allocated before the elements that the shape promises have been seen.
HeldTensor from_state(const py::tuple& state) {
  if (state.size() != 3 || PyTuple_Check(py::object(state[1]).ptr()) == 0) {
    throw py::value_error(kNoState);
  }
  const DType type = dtype_from(state[0].ptr());
  const Dims shape = shape_in(state[1]);
  const auto count = static_cast<std::uint64_t>(element_count(shape));
  const py::object elements = state[2];
  if (type == DType::real) {
    const ExactNumbers exact;
    if (PyList_CheckExact(elements.ptr()) == 0 || py::len(elements) != count) {
      throw py::value_error(kNoState);
    }
    std::vector<Real> values;
    for (const py::handle element : elements) {
      if (!exact.has(element.ptr())) throw py::value_error(kNoState);
      values.push_back(exact.value(element.ptr()));
    }
    return HeldTensor(Tensor::from(values, shape));
  }
  if (PyBytes_CheckExact(elements.ptr()) == 0) throw py::value_error(kNoState);
  const auto bytes = static_cast<std::uint64_t>(PyBytes_GET_SIZE(elements.ptr()));
  const auto promised = (static_cast<uint128>(count) * static_cast<unsigned>(bits(type)) + 7) / 8;
  if (bytes != promised) throw py::value_error(kNoState);
  Tensor tensor = Tensor::uninitialized(type, shape);
  if (bytes > 0) std::memcpy(tensor.data(), PyBytes_AS_STRING(elements.ptr()), bytes);
  return HeldTensor(std::move(tensor));
}

using Class = py::class_<HeldTensor>;

// Lets Python ask the other operand.
py::object not_implemented() { return borrow(Py_NotImplemented); }

void add_arithmetic(Class& tensor) {
  const auto define = [&](const char* name, const char* reflected, auto call) {
    tensor.def(name, [call](const py::object& a, const py::object& b) {
      return may_be_operand(b.ptr()) ? call(a, b) : not_implemented();
    });
    tensor.def(reflected, [call](const py::object& a, const py::object& b) {
      return may_be_operand(b.ptr()) ? call(b, a) : not_implemented();
    });
  };
  static constexpr struct {
    const char *name, *reflected;
    Op op;
  } kOperators[] = {{"__add__", "__radd__", Op::add},
                    {"__sub__", "__rsub__", Op::sub},
                    {"__mul__", "__rmul__", Op::mul}};
  for (const auto& row : kOperators) {
    define(row.name, row.reflected, [op = row.op](const py::object& a, const py::object& b) {
      return call_operator(op, a, b);
    });
  }
  define("__truediv__", "__rtruediv__", &call_divide);
  tensor.def("__neg__", [](const py::object& a) { return call_operator(Op::neg, a); });
}

}  // namespace

HeldTensor* held_tensor(PyObject* object) {
  if (tensor_type == nullptr || PyObject_TypeCheck(object, tensor_type) == 0) return nullptr;
  // pybind11 itself would hand out memory that nobody has written to.
  auto value = reinterpret_cast<py::detail::instance*>(object)->get_value_and_holder();
  if (!value.holder_constructed()) {
    throw py::type_error("a hadamard.Tensor whose __init__() was not called");
  }
  return value.value_ptr<HeldTensor>();
}

py::object to_object(HeldTensor&& tensor) { return py::cast(std::move(tensor)); }

Tensor real_tensor(const py::object& source) {
  const py::object array = numpy().attr("asarray")(source, py::arg("dtype") = "object");
  std::vector<Real> values;
  const ExactNumbers exact;
  for (const py::handle element : array.attr("ravel")()) {
    values.push_back(real_of(exact, element.ptr()));
  }
  Dims shape;
  for (const py::handle extent : array.attr("shape")) shape.push_back(extent.cast<std::int64_t>());
  return Tensor::from(values, shape);
}

void add_tensor_class(py::module_& module) {
  Class tensor(
      module, "Tensor",
      "Tensor(array, dtype=None)\n\n"
      "Elements of any type of Hadamard's, also of those that NumPy lacks: bf16, int4, uint4, "
      "real.\n\n"
      "A copy of `array` (whatever the functions take as an operand), converted as hadamard.cast\n"
      "does; Python's integers must fit. Functions of hadamard take Tensors, and their results\n"
      "are Tensors then. Indices and reshape() give Tensors over the same memory; / is true\n"
      "division. NumPy sees one as an array of the narrowest type that has all its\n"
      "values: bf16 as float32, int4 as int8, real as fractions.Fraction.");
  tensor.def(py::init(&new_tensor), py::arg("array"), py::arg("dtype") = py::none())
      .def_property_readonly("shape", &shape_of, "The extents, as a tuple.")
      .def_property_readonly(
          "dtype",
          [](const py::object& self) { return std::string(name(held(self).view.dtype())); },
          "The element type's name: 'bf16'.")
      .def_property_readonly(
          "ndim", [](const py::object& self) { return held(self).view.rank(); },
          "How many dimensions.")
      .def_property_readonly(
          "size", [](const py::object& self) { return held(self).view.count(); },
          "How many elements.")
      .def("numpy", &numpy_of,
           "The elements as an array: over the same memory where NumPy has the type, else a copy.")
      .def("__array__", &as_array_for_numpy, py::arg("dtype") = py::none(),
           py::arg("copy") = py::none())
      .def(
          "tolist", [](const py::object& self) { return numpy_of(self).attr("tolist")(); },
          "The elements as Python's numbers, in lists of lists.")
      .def(
          "astype",
          [](const py::object& self, const py::object& dtype) {
            const HeldTensor& t = held(self);
            const DType type = dtype_from(dtype.ptr());
            const WithoutGil others_run(t.view.layout());
            return HeldTensor(cast(t.view, type));
          },
          py::arg("dtype"), "A new Tensor of another type, converted as hadamard.cast does.")
      .def("__dlpack__", &dlpack_of, py::kw_only(), py::arg("stream") = py::none(),
           py::arg("max_version") = py::none(), py::arg("dl_device") = py::none(),
           py::arg("copy") = py::none(), "A capsule of DLPack over this memory, or over a copy.")
      .def("__dlpack_device__", [](const py::object&) { return the_cpu(); })
      .def("__repr__", &tensor_repr)
      .def(py::pickle(&state_of, &from_state))
      // Protocols 0 and 1 would make an object without its C++ part.
      .def("__reduce_ex__",
           [](const py::object& self, int protocol) {
             return py::module_::import("builtins")
                 .attr("object")
                 .attr("__reduce_ex__")(self, std::max(2, protocol));
           })
      // What python/hadamard/_tensor.py makes the rest of.
      .def("_strides", [](const py::object& self) { return tuple_of(held(self).view.strides()); })
      .def("_seen_as", &seen_as);
  add_arithmetic(tensor);
  module.def("arrays_of_one_type", &arrays_of_one_type);
  module.def("require_no_loss", [](const py::object& object, const std::string& what) {
    require_no_loss(object.ptr(), what);
  });
  module.def("may_be_operand",
             [](const py::object& object) { return may_be_operand(object.ptr()); });
  tensor.attr("__module__") = "hadamard";
  tensor_type = reinterpret_cast<PyTypeObject*>(tensor.ptr());
  tensor_type->tp_name = "hadamard.Tensor";  // what Python's own messages call it
}

}  // namespace hadamard::python
