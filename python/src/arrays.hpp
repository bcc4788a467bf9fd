// NumPy's arrays as the engine's views, and the engine's results as NumPy's arrays.
#pragma once

#include <algorithm>

#include "common.hpp"
#include "types.hpp"

namespace hadamard::python {

// Whether the engine can read the array where it lies: native byte order, aligned, and strides that
// are whole elements.
[[gnu::always_inline]] inline bool is_readable(PyArrayObject* array) noexcept {
  if (!PyArray_ISALIGNED(array) || !PyArray_ISNOTSWAPPED(array)) return false;
  const npy_intp size = PyArray_ITEMSIZE(array);
  for (int i = 0; i < PyArray_NDIM(array); ++i) {
    if ((PyArray_STRIDE(array, i) & (size - 1)) != 0 && PyArray_DIM(array, i) > 1) return false;
  }
  return true;
}

// Of an array that is readable; sizes of elements are powers of two.
[[gnu::always_inline]] inline Layout layout_of(PyArrayObject* array, DType type) {
  Layout layout;
  layout.dtype = type;
  const int rank = PyArray_NDIM(array);
  const int shift = __builtin_ctz(static_cast<unsigned>(PyArray_ITEMSIZE(array)));
  layout.shape.resize(static_cast<std::size_t>(rank));
  layout.strides.resize(static_cast<std::size_t>(rank));
  std::int64_t* const shape = layout.shape.data();
  std::int64_t* const strides = layout.strides.data();
  bool empty = false;
  for (int i = 0; i < rank; ++i) {
    shape[i] = PyArray_DIM(array, i);
    empty = empty || shape[i] == 0;
    // What NumPy keeps as the stride of one element or of none may be any number.
    strides[i] = shape[i] > 1 ? PyArray_STRIDE(array, i) >> shift : 0;
  }
  if (empty) [[unlikely]] {
    std::fill_n(strides, rank, 0);
  }
  return layout;
}

inline std::uintptr_t address_of(const void* pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// Whether the process has all of these bytes. Whether they may be read, it does not say.
bool is_mapped(std::uintptr_t first, std::size_t bytes) noexcept;

// Of memory that others described to us in numbers: throws bad_argument where the process does not
// have all of it.
void require_mapped(const ConstView& view, std::string_view what);
void require_mapped(PyArrayObject* array, std::string_view what);

// A new C-ordered (or Fortran-ordered) array, elements not set.
PyObject* new_array(DType type, const Dims& shape, Order order);

// The tensor as an array that owns its memory. Scalars of NumPy's for rank 0, as its own functions
// return them.
PyObject* to_array(Tensor&& tensor);

// An array over memory that `owner` keeps.
py::object array_over(const ConstView& view, bool writable, const py::object& owner);

}  // namespace hadamard::python
