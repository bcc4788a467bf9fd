// Owning tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "hadamard/error.hpp"
#include "hadamard/layout.hpp"
#include "hadamard/types.hpp"
#include "hadamard/view.hpp"

namespace hadamard {

// Owns its elements (64-byte aligned, zero unless said otherwise). Copies are deep, moves are free.
class Tensor {
 public:
  Tensor() : Tensor(DType::fp64, Dims{0}) {}
  explicit Tensor(DType type, Dims shape, Order order = Order::row_major);
  // Elements not set: for outputs that are written in full. (`real` elements are zero all the
  // same.)
  static Tensor uninitialized(DType type, Dims shape, Order order = Order::row_major);
  // Throws bad_argument where the layout is contiguous in neither order.
  static Tensor uninitialized(const Layout& layout);
  // From values in row-major order. Throws shape_mismatch where their number is not the shape's.
  template <class T>
  static Tensor from(std::span<const T> values, Dims shape);
  template <class T>
  static Tensor from(std::initializer_list<T> values, Dims shape) {
    return from(std::span<const T>(values.begin(), values.size()), std::move(shape));
  }
  template <class R>
  requires ElementRange<const R&>
  static Tensor from(const R& values, Dims shape) {
    using T = typename decltype(std::span(values))::value_type;
    return from(std::span<const T>(values), std::move(shape));
  }
  template <class T>
  static Tensor scalar(const T& value) {
    return from(std::span<const T>(&value, 1), Dims{});
  }
  explicit Tensor(const ConstView& source, Order order = Order::row_major);  // a contiguous copy

  Tensor(const Tensor& o);
  Tensor(Tensor&& o) noexcept;
  Tensor& operator=(const Tensor& o);
  Tensor& operator=(Tensor&& o) noexcept;
  ~Tensor();

  View view() { return View(ConstView::Valid{}, data_, layout_); }
  ConstView view() const { return ConstView(ConstView::Valid{}, data_, layout_); }
  // A tensor is readable as it stands. The view is good while the tensor lives: a temporary may be
  // an operand of a call, but `ConstView v = div(a, b);` would dangle.
  operator ConstView() const { return view(); }  // NOLINT

  const Layout& layout() const noexcept { return layout_; }
  DType dtype() const noexcept { return layout_.dtype; }
  const Dims& shape() const noexcept { return layout_.shape; }
  const Dims& strides() const noexcept { return layout_.strides; }
  std::size_t rank() const noexcept { return layout_.rank(); }
  std::int64_t count() const { return layout_.count(); }
  void* data() noexcept { return data_; }
  const void* data() const noexcept { return data_; }
  // All elements, in the tensor's order. Throws type_mismatch where T is not the element type.
  template <class T>
  T* data() {
    return detail::element_pointer<T>(data_, dtype());
  }
  template <class T>
  const T* data() const {
    return detail::element_pointer<T>(data_, dtype());
  }
  std::size_t size_bytes() const noexcept { return bytes_; }

  template <class T>
  T at(const Dims& index) const {
    return view().at<T>(index);
  }
  template <class T>
  void set(const Dims& index, const T& value) {
    view().set(index, value);
  }
  template <class T>
  std::vector<T> to_vector() const;  // in row-major order

 private:
  enum class Fill : bool { none, zero };
  Tensor(Layout layout, Fill fill);
  Layout layout_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace hadamard
