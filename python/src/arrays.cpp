#include "arrays.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>
#include <span>

#include "base/int128.hpp"

namespace hadamard::python {
namespace {

constexpr const char* kCapsule = "hadamard.Tensor";

void free_tensor(PyObject* capsule) {
  delete static_cast<Tensor*>(PyCapsule_GetPointer(capsule, kCapsule));
}

using Extents = std::span<const std::int64_t>;

void require_all(const void* data, Extents shape, Extents strides, std::int64_t size,
                 std::string_view what) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  int128 first = static_cast<int128>(address_of(data)), end = first + size;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const int128 reach = static_cast<int128>(strides[i]) * (shape[i] - 1);
    (reach < 0 ? first : end) += reach;
  }
  const bool fits = first > 0 && end <= std::numeric_limits<std::uintptr_t>::max();
  if (fits && is_mapped(static_cast<std::uintptr_t>(first), static_cast<std::size_t>(end - first)))
    return;
  fail(ErrorCode::bad_argument,
       "{} is said to begin at address {:#x}, with shape {} and strides {} in bytes, but the "
       "process does not have that memory",
       what, address_of(data), to_string(Dims(shape)), to_string(Dims(strides)));
}

}  // namespace

bool is_mapped(std::uintptr_t first, std::size_t bytes) noexcept {
  if (bytes == 0) return true;
  std::uintptr_t end = 0;
  if (first == 0 || __builtin_add_overflow(first, bytes, &end)) return false;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = first / page * page;
  // Asks for nothing but an answer: it says ENOMEM where a page is not there.
  return msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC) == 0 || errno != ENOMEM;
}

void require_mapped(const ConstView& view, std::string_view what) {
  const std::int64_t size = bits(view.dtype()) / 8;
  Dims strides = view.strides();
  for (std::int64_t& stride : strides) stride *= size;  // a valid layout spans at most 2^60 bytes
  require_all(view.data(), view.shape().span(), strides.span(), size, what);
}
void require_mapped(PyArrayObject* array, std::string_view what) {
  const auto rank = static_cast<std::size_t>(PyArray_NDIM(array));
  require_all(PyArray_DATA(array), {PyArray_SHAPE(array), rank}, {PyArray_STRIDES(array), rank},
              PyArray_ITEMSIZE(array), what);
}

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
