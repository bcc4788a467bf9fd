#include "arrays.hpp"

#include <algorithm>
#include <memory>

namespace hadamard::python {
namespace {

constexpr const char* kCapsule = "hadamard.Tensor";

void free_tensor(PyObject* capsule) {
  delete static_cast<Tensor*>(PyCapsule_GetPointer(capsule, kCapsule));
}

}  // namespace

PyObject* new_array(DType type, const Dims& shape, Order order) {
  static_assert(sizeof(npy_intp) == sizeof(std::int64_t));
  return steal(PyArray_NewFromDescr(&PyArray_Type, descr_of(type), static_cast<int>(shape.size()),
                                    reinterpret_cast<const npy_intp*>(shape.data()), nullptr,
                                    nullptr, order == Order::column_major ? 1 : 0, nullptr))
      .release()
      .ptr();
}

py::object array_over(const ConstView& view, bool writable, const py::object& owner) {
  Dims strides = view.strides();
  for (std::int64_t& stride : strides) stride *= bits(view.dtype()) / 8;
  py::object array = steal(PyArray_NewFromDescr(
      &PyArray_Type, descr_of(view.dtype()), static_cast<int>(view.rank()),
      reinterpret_cast<const npy_intp*>(view.shape().data()),
      reinterpret_cast<const npy_intp*>(strides.data()), const_cast<void*>(view.data()),
      writable ? NPY_ARRAY_WRITEABLE : 0, nullptr));
  if (PyArray_SetBaseObject(as_array(array.ptr()), owner.inc_ref().ptr()) != 0) {
    throw py::error_already_set();
  }
  return array;
}

PyObject* to_array(Tensor&& tensor) {
  auto held = std::make_unique<Tensor>(std::move(tensor));
  const ConstView view = static_cast<const Tensor&>(*held).view();
  const py::object capsule = steal(PyCapsule_New(held.get(), kCapsule, free_tensor));
  held.release();
  return PyArray_Return(as_array(array_over(view, true, capsule).release().ptr()));
}

}  // namespace hadamard::python
