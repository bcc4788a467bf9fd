// Shapes, strides and indices, and the layout of a tensor's elements in memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>

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

}  // namespace hadamard
