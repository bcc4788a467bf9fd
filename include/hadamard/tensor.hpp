// Owning tensors, and views over anybody's memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "hadamard/error.hpp"
#include "hadamard/types.hpp"

namespace hadamard {

// Integers of any type, and what becomes a 64-bit one without narrowing.
template <class T>
concept IntegerLike = (std::integral<T> && sizeof(T) <= 8) || requires(const T& v) {
  std::int64_t{v};
};

// A short list of integers: a shape, strides or an index. No heap up to kInline entries; any
// length. `{v.size()}` is one: entries may have any type of integer, and throw too_large above
// 2^63 - 1.
class Dims {
 public:
  static constexpr std::size_t kInline = 6;
  class Entry {
   public:
    template <IntegerLike T>
    Entry(const T& v) : value_(static_cast<std::int64_t>(v)) {  // NOLINT
      if constexpr (std::unsigned_integral<T>) {
        if (value_ < 0) fail_too_large(static_cast<std::uint64_t>(v));
      }
    }
    operator std::int64_t() const noexcept { return value_; }  // NOLINT

   private:
    [[noreturn]] static void fail_too_large(std::uint64_t value);
    std::int64_t value_;
  };

  Dims() noexcept {}  // NOLINT: what is inline is set when it is used
  Dims(std::initializer_list<Entry> v) : Dims(std::span(v.begin(), v.size())) {}  // NOLINT
  // From a vector, an array or a span of integers.
  template <class R>
  requires requires(const R& r) { Entry(std::span(r)[0]); }
  explicit Dims(const R& r) {
    const std::span v(r);
    resize(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) data()[i] = Entry(v[i]);
  }
  static Dims filled(std::size_t count, std::int64_t value) {
    Dims dims;
    dims.resize(count, value);
    return dims;
  }
  Dims(const Dims& o) {
    if (o.heap_) {
      *this = Dims(o.span());
    } else {
      copy_inline(o);
    }
  }
  Dims(Dims&& o) noexcept : capacity_(o.capacity_), heap_(std::move(o.heap_)) {
    copy_inline(o);
    o.size_ = 0;
    o.capacity_ = kInline;
  }
  Dims& operator=(const Dims& o) {
    if (this != &o) *this = Dims(o);
    return *this;
  }
  Dims& operator=(Dims&& o) noexcept {
    swap(o);
    return *this;
  }
  void swap(Dims& o) noexcept;

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::int64_t* data() noexcept { return heap_ ? heap_.get() : inline_; }
  const std::int64_t* data() const noexcept { return heap_ ? heap_.get() : inline_; }
  std::int64_t& operator[](std::size_t i) noexcept { return data()[i]; }
  std::int64_t operator[](std::size_t i) const noexcept { return data()[i]; }
  std::int64_t* begin() noexcept { return data(); }
  std::int64_t* end() noexcept { return data() + size_; }
  const std::int64_t* begin() const noexcept { return data(); }
  const std::int64_t* end() const noexcept { return data() + size_; }
  std::span<const std::int64_t> span() const noexcept { return {data(), size_}; }
  void resize(std::size_t count, std::int64_t value = 0) {
    if (count > capacity_) grow(count);
    std::int64_t* const all = data();
    for (std::size_t i = size_; i < count; ++i) all[i] = value;
    size_ = count;
  }
  void push_back(std::int64_t v) { resize(size_ + 1, v); }

  friend bool operator==(const Dims& a, const Dims& b) noexcept {
    if (a.size_ != b.size_) return false;
    const std::int64_t* x = a.data();
    const std::int64_t* y = b.data();
    for (std::size_t i = 0; i < a.size_; ++i) {
      if (x[i] != y[i]) return false;
    }
    return true;
  }

 private:
  void grow(std::size_t count);
  void copy_inline(const Dims& o) noexcept {  // all of them: a fixed number is a few instructions
    size_ = o.size_;
    std::memcpy(inline_, o.inline_, sizeof inline_);
  }
  std::size_t size_ = 0;
  std::size_t capacity_ = kInline;
  std::int64_t inline_[kInline];  // not set beyond size_: clearing them showed in small calls
  std::unique_ptr<std::int64_t[]> heap_;
};

std::string to_string(const Dims& dims);  // "(2,3)", "()" for rank 0

enum class Order : std::uint8_t { row_major, column_major };

// Number of elements. Throws bad_argument for a negative extent, too_large where 2^62 is exceeded.
std::int64_t element_count(const Dims& shape);
Dims contiguous_strides(const Dims& shape, Order order = Order::row_major);

// Element type, shape and strides: all about a tensor but where it lies. Strides count elements
// (for the 4-bit types, nibbles), may be negative, and may be 0 for an operand.
struct Layout {
  DType dtype = DType::fp64;
  Dims shape;
  Dims strides;

  Layout() = default;
  Layout(DType type, Dims dims, Order order = Order::row_major);
  Layout(DType type, Dims dims, Dims element_strides);

  friend bool operator==(const Layout& a, const Layout& b) noexcept {
    return a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides;
  }

  std::size_t rank() const noexcept { return shape.size(); }
  std::int64_t count() const { return element_count(shape); }
  bool is_contiguous(Order order = Order::row_major) const noexcept;
};

// What a pointer can point at, one by one. Not int4 and uint4: their tensors hold two to a byte, so
// a view over them is made from the bytes and a Layout. Not const T, so that no View writes to what
// is const.
template <class T>
concept AddressableElement =
    !std::is_const_v<T> && !std::is_same_v<T, int4> && !std::is_same_v<T, uint4>;

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

  const Layout& layout() const noexcept { return layout_; }
  DType dtype() const noexcept { return layout_.dtype; }
  const Dims& shape() const noexcept { return layout_.shape; }
  const Dims& strides() const noexcept { return layout_.strides; }
  std::size_t rank() const noexcept { return layout_.rank(); }
  std::int64_t count() const { return layout_.count(); }
  const void* data() const noexcept { return data_; }
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

  void* data() const noexcept { return const_cast<void*>(data_); }
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
  template <class T>
  static Tensor from(const std::vector<T>& values, Dims shape) {
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
