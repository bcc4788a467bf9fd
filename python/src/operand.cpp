#include "operand.hpp"

#include <algorithm>

#include "arrays.hpp"
#include "base/float_env.hpp"
#include "dlpack.hpp"
#include "tensor.hpp"
#include "tensor/element.hpp"

namespace hadamard::python {
namespace {

DType own_type(Weak weak) {
  switch (weak) {
    case Weak::boolean:
      return DType::bool_;
    case Weak::integer:
      return DType::int64;
    case Weak::floating:
      return DType::fp64;
    default:
      return DType::complex128;
  }
}

bool is_list(PyObject* object) noexcept { return PyList_Check(object) || PyTuple_Check(object); }

// Of the numbers of Python's own in lists of lists: the widest, none where there is anything else;
// whether there are integers that not every type has; and whether one is of a subclass, or in one,
// and so may say to NumPy that it is another.
struct NumbersIn {
  Weak widest = Weak::boolean;
  bool delicate = false;
  bool odd = false;
};

NumbersIn number_in(PyObject* object) noexcept {
  const Weak weak = weak_kind(object);
  if (weak != Weak::integer) {
    const bool exact = PyFloat_CheckExact(object) || PyComplex_CheckExact(object);
    return {weak, false, weak > Weak::integer && !exact};
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  const bool in_all = overflow == 0 && value >= 0 && value <= 7;  // in int4, too
  return {weak, !in_all, !PyLong_CheckExact(object)};
}

// NumPy refuses lists that are nested deeper.
NumbersIn numbers_in(PyObject* list, int depth = 0) noexcept {
  NumbersIn all;
  all.odd = !PyList_CheckExact(list) && !PyTuple_CheckExact(list);
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(list);
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* const item = PySequence_Fast_GET_ITEM(list, i);
    const NumbersIn one = !is_list(item)        ? number_in(item)
                          : depth < NPY_MAXDIMS ? numbers_in(item, depth + 1)
                                                : NumbersIn{Weak::none};
    if (one.widest == Weak::none) return {Weak::none};
    all = {std::max(all.widest, one.widest), all.delicate || one.delicate, all.odd || one.odd};
  }
  return all;
}

bool has_tensor(PyObject* list, int depth = 0) {
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(list);
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* const item = PySequence_Fast_GET_ITEM(list, i);
    if (is_list(item) ? depth < NPY_MAXDIMS && has_tensor(item, depth + 1)
                      : held_tensor(item) != nullptr) {
      return true;
    }
  }
  return false;
}

bool contains_kind(DType type, Weak weak) {
  switch (kind(type)) {
    case Kind::boolean:  // 0 and 1
    case Kind::integer:
      return weak <= Weak::integer;
    case Kind::complex:
      return true;
    default:
      return weak <= Weak::floating;
  }
}

bool has_attribute(PyObject* object, const char* attribute) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), attribute) == 1;
}

bool is_array_like(PyObject* object) {
  return has_attribute(object, "__array__") || has_attribute(object, "__array_interface__") ||
         has_attribute(object, "__array_struct__");
}

// What others have beside their elements, which a result of ours would not have: null where they
// have nothing.
const char* loss_of(PyObject* object) {
  static constexpr struct {
    const char *module, *name, *loss;
  } kClasses[] = {
      {"pandas.core.generic", "NDFrame", "whose labels would be lost; pass .to_numpy()"},
      {"pandas.core.indexes.base", "Index", "whose labels would be lost; pass .to_numpy()"},
      {"pandas.core.arrays.base", "ExtensionArray",
       "whose mask would be lost; pass .to_numpy(dtype) with a NumPy dtype"},
      {"hadamard.fluid.lod_tensor", "LoDTensor",
       "whose levels of detail would be lost; use hadamard.elementwise_add and its like, or pass "
       "numpy.asarray(...)"},
      {"xarray.core.dataarray", "DataArray", "whose labels would be lost; pass .to_numpy()"},
  };
  for (const auto& row : kClasses) {
    if (is_of(object, imported_class(row.module, row.name))) return row.loss;
  }
  return nullptr;
}

}  // namespace

bool is_masked(PyObject* array) {
  return is_of(array, imported_class("numpy.ma.core", "MaskedArray"));
}

void require_no_loss(PyObject* object, std::string_view what) {
  if (is_masked(object)) {
    fail(ErrorCode::unsupported_type,
         "{} is a masked array, whose mask would be lost; pass .filled(value) or .data", what);
  }
  if (const char* const loss = loss_of(object)) {
    fail(ErrorCode::unsupported_type, "{} is a {}, {}", what, type_name(object), loss);
  }
}

bool may_be_operand(PyObject* object) {
  if (PyArray_Check(object) || weak_kind(object) != Weak::none || held_tensor(object) != nullptr ||
      PyArray_CheckScalar(object) || is_list(object)) {
    return true;
  }
  if (loss_of(object) != nullptr) return false;  // they keep it, if they are asked
  return PyObject_CheckBuffer(object) != 0 || has_attribute(object, "__dlpack__") ||
         is_array_like(object) || ExactNumbers().has(object);
}

void Operand::take(PyObject* object, std::string_view what) {
  what_ = what;
  if (PyArray_Check(object)) {
    if (!PyArray_CheckExact(object)) require_no_loss(object, what);
    return take_array(borrow(object));
  }
  weak_ = weak_kind(object);
  if (weak_ != Weak::none) {
    object_ = plain_number(object);
    return;
  }
  if (const HeldTensor* tensor = held_tensor(object)) {
    object_ = borrow(object);
    view_.emplace(tensor->view);
    is_tensor_ = true;
    return;
  }
  if (PyArray_CheckScalar(object)) return take_array(steal(PyArray_FromScalar(object, nullptr)));
  require_no_loss(object, what);
  ran_code_ = true;
  if (is_list(object)) return take_list(object);
  if (has_attribute(object, "__dlpack__")) {
    try {
      object_ = import_dlpack(object, what);
      view_.emplace(held_tensor(object_.ptr())->view);
      return;
    } catch (py::error_already_set& error) {
      // PyTorch has no __dlpack__ of bool, but an __array__.
      const bool refused = error.matches(PyExc_RuntimeError) || error.matches(PyExc_TypeError) ||
                           error.matches(PyExc_BufferError);
      if (!refused || !is_array_like(object)) throw;
    }
  }
  if (PyObject_CheckBuffer(object) != 0) {
    const py::object memory = steal(PyMemoryView_FromObject(object));
    py::object array = steal(PyArray_FromAny(memory.ptr(), nullptr, 0, 0, 0, nullptr));
    require_mapped(as_array(array.ptr()), what);  // of ctypes, which takes any address
    return take_array(std::move(array));
  }
  if (is_array_like(object)) {
    const py::object array = steal(PyArray_FromAny(object, nullptr, 0, 0, 0, nullptr));
    if (PyArray_Check(array.ptr())) {
      require_mapped(as_array(array.ptr()), what);  // of an __array_interface__, which is numbers
      return take(array.ptr(), what);
    }
  }
  if (const ExactNumbers exact; exact.has(object)) {  // a Fraction
    try {
      converted_.emplace(Tensor::scalar(exact.value(object)));
    } catch (const Error& error) {
      fail(error.code(), "{}: {}", what, error.what());
    }
    view_.emplace(*converted_);
    return;
  }
  fail(ErrorCode::unsupported_type,
       "{} is of type {}; expected an array, a number, a Fraction, a list or tuple of such, a "
       "hadamard.Tensor, or something with __dlpack__, a buffer or __array__",
       what, type_name(object));
}

void Operand::take_list(PyObject* list) {
  if (has_tensor(list)) {  // NumPy would make other types of some
    fail(ErrorCode::unsupported_type,
         "{} is a list that has a hadamard.Tensor in it: make one Tensor of all elements", what_);
  }
  PyObject* const made = PyArray_FromAny(list, nullptr, 0, 0, 0, nullptr);
  if (made == nullptr) {
    const py::error_already_set error;
    const bool by_type = error.matches(PyExc_TypeError);
    if (!by_type && !error.matches(PyExc_ValueError)) throw error;
    fail(by_type ? ErrorCode::unsupported_type : ErrorCode::bad_argument,
         "{} is a list that NumPy makes no array of: {}", what_,
         py::str(error.value()).cast<std::string>());
  }
  const py::object array = steal(made);
  const bool is_empty = PyArray_SIZE(as_array(array.ptr())) == 0;
  // NumPy makes doubles of nothing.
  const NumbersIn numbers = is_empty ? NumbersIn{Weak::floating} : numbers_in(list);
  const int type = PyArray_TYPE(as_array(array.ptr()));
  weak_ = numbers.widest;
  const bool as_written =
      numbers.odd || (weak_ == Weak::integer ? type != NPY_INT64 : numbers.delicate);
  if (weak_ != Weak::none && as_written) {
    object_ = steal(PyArray_FromAny(list, PyArray_DescrFromType(NPY_OBJECT), 0, 0, 0, nullptr));
  } else if (type != NPY_OBJECT) {
    take_array(array);
  } else if (!take_objects(array)) {
    fail(ErrorCode::bad_argument,
         "{} has an integer beyond 64 bits beside numbers of NumPy's: make it an array of one type",
         what_);
  }
}

void Operand::take_array(py::object object) {
  PyArrayObject* array = as_array(object.ptr());
  const std::uint8_t number = type_of_numpy(PyArray_TYPE(array));
  if (PyArray_TYPE(array) == NPY_OBJECT) {
    take_objects(object);
    return;
  }
  if (number == kNoType) fail_no_type(PyArray_DESCR(array), what_);
  const auto type = static_cast<DType>(number);
  if (!is_readable(array)) {
    object = steal(PyArray_FromArray(
        array, descr_of(type),
        NPY_ARRAY_ENSURECOPY | NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_ENSUREARRAY));
    array = as_array(object.ptr());
  }
  view_.emplace(PyArray_DATA(array), layout_of(array, type));
  object_ = std::move(object);
}

// The array with one element in each dimension in which it repeats itself.
py::object without_repetition(const py::object& array) {
  PyArrayObject* const of = as_array(array.ptr());
  npy_intp shape[NPY_MAXDIMS];
  for (int i = 0; i < PyArray_NDIM(of); ++i) {
    const bool repeats = PyArray_STRIDE(of, i) == 0 && PyArray_DIM(of, i) > 1;
    shape[i] = repeats ? 1 : PyArray_DIM(of, i);
  }
  PyArray_Descr* const type = PyArray_DescrFromType(NPY_OBJECT);
  py::object part = steal(PyArray_NewFromDescr(&PyArray_Type, type, PyArray_NDIM(of), shape,
                                               PyArray_STRIDES(of), PyArray_DATA(of), 0, nullptr));
  if (PyArray_SetBaseObject(as_array(part.ptr()), Py_NewRef(array.ptr())) != 0) {
    throw py::error_already_set();
  }
  PyArray_UpdateFlags(as_array(part.ptr()), NPY_ARRAY_ALIGNED);
  return part;
}

// What NumPy sees in a tensor of type `real`, and in lists with fractions. Returns whether one of
// them is a fraction.
bool Operand::take_objects(const py::object& array) {
  const ExactNumbers exact;
  bool has_fraction = false;
  const py::object once = without_repetition(array);
  // Where they lie, which runs no code of others.
  const py::object each = steal(PyArray_IterNew(once.ptr()));
  auto* const at = reinterpret_cast<PyArrayIterObject*>(each.ptr());
  while (PyArray_ITER_NOTDONE(at)) {
    PyObject* element = nullptr;
    std::memcpy(&element, PyArray_ITER_DATA(at), sizeof element);  // which need not be aligned
    has_fraction = has_fraction || (element != nullptr && exact.is_fraction(element));
    if (element == nullptr || !exact.has(element)) {
      object_ = once;
      fail(ErrorCode::unsupported_type,
           "{} is of type {}, among objects: these must be fractions.Fraction, or real numbers of "
           "Python's or NumPy's",
           place_of(at->index), element == nullptr ? "NULL" : type_name(element));
    }
    PyArray_ITER_NEXT(at);
  }
  ran_code_ = true;
  // A copy, which holds each of them while others' code runs.
  const py::object held = steal(
      PyArray_FromAny(once.ptr(), PyArray_DescrFromType(NPY_OBJECT), 0, 0,
                      NPY_ARRAY_CARRAY | NPY_ARRAY_ENSURECOPY | NPY_ARRAY_ENSUREARRAY, nullptr));
  try {
    converted_.emplace(real_tensor(held));
  } catch (const Error& error) {
    fail(error.code(), "{}: {}", what_, error.what());
  }
  Layout layout = converted_->layout();
  for (std::size_t i = 0; i < layout.rank(); ++i) {
    const std::int64_t extent = PyArray_DIM(as_array(array.ptr()), static_cast<int>(i));
    if (layout.shape[i] == extent) continue;
    layout.shape[i] = extent;
    layout.strides[i] = 0;
  }
  view_.emplace(converted_->data(), layout);
  return has_fraction;
}

void Operand::look_again() {
  if (object_ && view_ && PyArray_Check(object_.ptr())) take_array(object_);
}

bool Operand::prefers(Order order) const {
  if (weak_ != Weak::none) return false;
  const bool in_columns = view_->layout().is_contiguous(Order::column_major);
  if (order == Order::row_major) return !in_columns && view_->rank() > 1;
  return in_columns && !view_->layout().is_contiguous(Order::row_major);
}

bool Operand::is_as_written() const {
  return weak_ != Weak::none && !view_ && PyArray_Check(object_.ptr());
}

bool Operand::is_beyond_int64() const {
  if (weak_ != Weak::integer || view_) return false;
  if (PyArray_Check(object_.ptr())) return true;
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(object_.ptr(), &overflow);
  return overflow != 0;
}

void Operand::settle(DType type, Floats floats) {
  if (weak_ == Weak::none) return;
  const ScopedFloatEnv env;
  if (view_) {
    settle_array(type);
  } else if (PyArray_Check(object_.ptr())) {
    settle_numbers(type, floats);
  } else {
    settle_number(type);
  }
  weak_ = Weak::none;
}

void Operand::settle_number(DType type) {
  // What is exact in the type needs no rounding, and is the most frequent by far.
  if (weak_ == Weak::floating && (type == DType::fp64 || type == DType::fp32)) {
    const double value = PyFloat_AS_DOUBLE(object_.ptr());
    const auto narrow = static_cast<float>(value);
    if (type == DType::fp64) {
      number_ = value;
      view_.emplace(&number_, Layout(type, Dims{}));
      return;
    }
    if (static_cast<double>(narrow) == value) {
      std::memcpy(&number_, &narrow, sizeof narrow);
      view_.emplace(&number_, Layout(type, Dims{}));
      return;
    }
  }
  converted_.emplace(tensor_of_number(object_.ptr(), weak_, type, what_));
  view_.emplace(*converted_);
}

void Operand::settle_numbers(DType type, Floats floats) {
  PyArrayObject* const array = as_array(object_.ptr());
  Dims shape;
  for (int i = 0; i < PyArray_NDIM(array); ++i) shape.push_back(PyArray_DIM(array, i));
  converted_.emplace(type, shape);
  auto* const numbers = static_cast<PyObject**>(PyArray_DATA(array));
  for (std::int64_t i = 0; i < converted_->count(); ++i) {
    const py::object number = plain_number(numbers[i]);
    const Weak weak = weak_kind(number.ptr());
    if (weak == Weak::none) {  // a list of a class of its own may have anything
      fail(ErrorCode::unsupported_type, "{} is of type {}, among numbers", place_of(i),
           type_name(number.ptr()));
    }
    const auto element = [&](std::string_view what) {
      const bool whole = kind(type) == Kind::integer || kind(type) == Kind::boolean;
      if (whole && weak == Weak::floating && floats == Floats::convert) {
        return cast(Tensor::scalar(PyFloat_AS_DOUBLE(number.ptr())), type);
      }
      return tensor_of_number(number.ptr(), weak, type, what);
    };
    try {
      copy_elements(View(converted_->data(), Layout(type, Dims{}), i), element(what_));
    } catch (const Error&) {  // said again, with its place
      element(place_of(i));
    }
  }
  view_.emplace(*converted_);
}

// "B[0, 3]"
std::string Operand::place_of(std::int64_t element) const {
  PyArrayObject* const array = as_array(object_.ptr());
  if (PyArray_NDIM(array) == 0) return std::string(what_);
  std::string index;
  for (int i = PyArray_NDIM(array); i-- > 0; element /= PyArray_DIM(array, i)) {
    index =
        fmt::format("{}{}{}", element % PyArray_DIM(array, i), index.empty() ? "" : ", ", index);
  }
  return fmt::format("{}[{}]", what_, index);
}

void Operand::settle_array(DType type) {
  if (view_->dtype() == type) return;
  if (!contains_kind(type, weak_) && view_->count() > 0) {
    fail(ErrorCode::type_mismatch,
         "{} is a list of {}, beside elements of {}: make it an array of that type", what_,
         name(view_->dtype()), name(type));
  }
  if (weak_ == Weak::integer && type != DType::real && view_->count() > 0) {
    for (const char* end : {"argmin", "argmax"}) {
      const py::object at = object_.attr(end)();
      const py::object number = object_.attr("item")(at);
      // Or says that it does not fit.
      tensor_of_number(number.ptr(), Weak::integer, type, place_of(at.cast<std::int64_t>()));
    }
  }
  try {
    converted_.emplace(cast(*view_, type));
  } catch (const Error& error) {  // of NaN there is no real
    fail(error.code(), "{}: {}", what_, error.what());
  }
  view_.emplace(*converted_);
}

void Operand::convert(DType type) {
  if (view_->dtype() == type) return;
  converted_.emplace(cast(*view_, type));
  view_.emplace(*converted_);
}

void Operand::settle_as_literal() {
  if (weak_ == Weak::none) return;
  settle(weak_ == Weak::integer ? DType::fp64 : own_type(weak_));
}

void take_all(std::span<Operand> operands, PyObject* const* objects,
              std::span<const std::string_view> names) {
  bool ran_code = false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    operands[i].take(objects[i], names[i]);
    ran_code = ran_code || operands[i].ran_code();
  }
  for (Operand& operand : operands) {
    if (ran_code) operand.look_again();
  }
}

bool makes_tensor(std::span<const Operand> operands) {
  for (const Operand& operand : operands) {
    if (operand.is_tensor() || numpy_type(operand.view().dtype()) == kNoNumpyType) return true;
  }
  return false;
}

void settle_all(std::span<Operand> operands) {
  const auto strong = std::find_if(operands.begin(), operands.end(),
                                   [](const Operand& o) { return o.weak() == Weak::none; });
  Weak widest = Weak::boolean;
  for (const Operand& operand : operands) widest = std::max(widest, operand.weak());
  const DType type = strong != operands.end() ? strong->view().dtype() : own_type(widest);
  for (Operand& operand : operands) operand.settle(type);
}

}  // namespace hadamard::python
