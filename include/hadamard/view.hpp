// Views over memory that somebody else owns: vectors, spans, arrays, pointers.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "hadamard/layout.hpp"
#include "hadamard/types.hpp"

namespace hadamard {

// What a pointer can point at, one by one. Not int4 and uint4: their tensors hold two to a byte, so
// a view over them is made from the bytes and a Layout. Not const T, so that no View writes to what
// is const.
template <class T>
concept AddressableElement =
    !std::is_const_v<T> && !std::is_same_v<T, int4> && !std::is_same_v<T, uint4>;

// What std::span views, of element types: a vector (not std::vector<bool>), a span, an std::array.
// Not an array of C, which is a pointer to its first element here.
template <class R>
concept ElementRange = !std::is_array_v<std::remove_reference_t<R>> && requires(R && r) {
  typename decltype(std::span(std::forward<R>(r)))::value_type;
  requires is_element_type<typename decltype(std::span(std::forward<R>(r)))::value_type>;
};
template <class R>
concept ReadableRange = ElementRange<const R&> &&
    AddressableElement<typename decltype(std::span(std::declval<const R&>()))::value_type>;
template <class R>
concept WritableRange = ElementRange<R> &&
    AddressableElement<typename decltype(std::span(std::declval<R>()))::element_type>;

namespace detail {
[[noreturn]] void fail_pointer(DType found, DType wanted);
// As a pointer to T; throws type_mismatch where T is not the element type.
template <class T>
T* element_pointer(void* data, DType type) {
  static_assert(AddressableElement<T>,
                "int4 and uint4 elements are packed two to a byte: use at(), set() or to_vector(), "
                "or the bytes at data()");
  if (type != dtype_of<T>) fail_pointer(type, dtype_of<T>);
  return static_cast<T*>(data);
}
// The layout of `size` elements; throws shape_mismatch where the shape has another number of them.
Layout layout_of(DType type, std::size_t size, Dims shape);
}  // namespace detail

// Reads somebody's memory. `data` points at element (0,…,0), plus `offset` elements (only the 4-bit
// types keep one; for the others it moves the pointer). The memory must outlive the view and be
// aligned for the element type.
class ConstView {
 public:
  ConstView(const void* data, Layout layout, std::int64_t offset = 0);
  template <AddressableElement T>
  ConstView(const T* data, Dims shape) : ConstView(data, Layout(dtype_of<T>, std::move(shape))) {}
  template <AddressableElement T>
  ConstView(const T* data, Dims shape, Dims strides)
      : ConstView(data, Layout(dtype_of<T>, std::move(shape), std::move(strides))) {}

  // All elements of a vector, a span or an std::array, which must outlive the view: rank 1, or of
  // `shape`, row-major; throws shape_mismatch where that has another number of elements.
  template <ReadableRange R>
  ConstView(const R& values) : ConstView(values, Dims{std::span(values).size()}) {}  // NOLINT
  template <ReadableRange R>
  ConstView(const R& values, Dims shape)
      : ConstView(std::span(values).data(),
                  detail::layout_of(dtype_of<typename decltype(std::span(values))::value_type>,
                                    std::span(values).size(), std::move(shape))) {}

  const Layout& layout() const noexcept { return layout_; }
  DType dtype() const noexcept { return layout_.dtype; }
  const Dims& shape() const noexcept { return layout_.shape; }
  const Dims& strides() const noexcept { return layout_.strides; }
  std::size_t rank() const noexcept { return layout_.rank(); }
  std::int64_t count() const { return layout_.count(); }
  const void* data() const noexcept { return data_; }
  // Element (0,…,0) as a T, which must be the element type (else type_mismatch); strides() lead to
  // the others.
  template <class T>
  const T* data() const {
    return detail::element_pointer<T>(const_cast<void*>(data_), dtype());
  }
  std::int64_t offset() const noexcept { return offset_; }

  // One element. Throws type_mismatch for another T, bad_argument for an index outside the shape.
  template <class T>
  T at(const Dims& index) const;

  // The same elements seen otherwise; nothing is copied.
  ConstView transposed() const;                 // dimensions reversed
  ConstView permuted(const Dims& order) const;  // dimension i of the result is order[i] of this
  // `count` elements from `first` on; a negative step goes backwards, 0 repeats the one.
  ConstView sliced(std::size_t dim, std::int64_t first, std::int64_t count,
                   std::int64_t step = 1) const;

 protected:
  friend class Tensor;
  struct Valid {};  // a layout and memory that were checked before
  ConstView(Valid, const void* data, const Layout& layout)
      : data_(data), layout_(layout), offset_(0) {}

  const void* data_;
  Layout layout_;
  std::int64_t offset_;
};

// Also writes. Distinct indices must mean distinct elements.
class View : public ConstView {
 public:
  View(void* data, Layout layout, std::int64_t offset = 0)
      : ConstView(data, std::move(layout), offset) {}
  template <AddressableElement T>
  View(T* data, Dims shape) : ConstView(static_cast<const T*>(data), std::move(shape)) {}
  template <AddressableElement T>
  View(T* data, Dims shape, Dims strides)
      : ConstView(static_cast<const T*>(data), std::move(shape), std::move(strides)) {}

  // Over a vector that is not const, a span of elements that are not, …
  template <WritableRange R>
  View(R&& values) : ConstView(std::span(values)) {}  // NOLINT
  template <WritableRange R>
  View(R&& values, Dims shape) : ConstView(std::span(values), std::move(shape)) {}

  void* data() const noexcept { return const_cast<void*>(data_); }
  template <class T>
  T* data() const {
    return detail::element_pointer<T>(data(), dtype());
  }
  template <class T>
  void set(const Dims& index, const T& value) const;

  View transposed() const { return View(ConstView::transposed()); }
  View permuted(const Dims& order) const { return View(ConstView::permuted(order)); }
  View sliced(std::size_t dim, std::int64_t first, std::int64_t count,
              std::int64_t step = 1) const {
    return View(ConstView::sliced(dim, first, count, step));
  }

 private:
  friend class Tensor;
  explicit View(ConstView v) : ConstView(std::move(v)) {}
  View(Valid valid, void* data, const Layout& layout) : ConstView(valid, data, layout) {}
};

}  // namespace hadamard
