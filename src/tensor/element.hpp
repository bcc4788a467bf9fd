// Getting at single elements of any type: loads, stores, walking over indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hadamard/tensor.hpp"
#include "num/dtype.hpp"

namespace hadamard {

// The element `index` elements after `data`.
template <class T>
T load_element(const void* data, std::int64_t index) {
  if constexpr (is_packed<T>) {
    const auto byte = static_cast<const std::uint8_t*>(data)[index >> 1];
    return T((index & 1) != 0 ? byte >> 4 : byte & 15);
  } else if constexpr (std::is_same_v<T, bool>) {
    return static_cast<const std::uint8_t*>(data)[index] != 0;  // any byte is a valid bool here
  } else {
    return static_cast<const T*>(data)[index];
  }
}

template <class T>
void store_element(void* data, std::int64_t index, const T& value) {
  if constexpr (is_packed<T>) {
    auto& byte = static_cast<std::uint8_t*>(data)[index >> 1];
    const int nibble = value.value & 15;
    byte = static_cast<std::uint8_t>((index & 1) != 0 ? (byte & 15) | (nibble << 4)
                                                      : (byte & 0xF0) | nibble);
  } else {
    static_cast<T*>(data)[index] = value;
  }
}

// Throws bad_argument or too_large where a layout (whose fields anybody can set) makes no sense.
void require_valid(const Layout& layout);

// Moves a position by `elements`. Packed types keep the rest of a byte in `offset`.
void move_by(const void*& data, std::int64_t& offset, DType type, std::int64_t elements) noexcept;

// Counts through all indices of a shape in row-major order and keeps, for each of N stride vectors,
// the element offset of the current index.
template <std::size_t N>
class IndexWalk {
 public:
  IndexWalk(const Dims& shape, const Dims* const (&strides)[N])
      : shape_(shape), index_(Dims::filled(shape.size(), 0)), left_(element_count(shape)) {
    for (std::size_t k = 0; k < N; ++k) strides_[k] = strides[k];
  }
  bool done() const noexcept { return left_ == 0; }
  const Dims& index() const noexcept { return index_; }
  std::int64_t offset(std::size_t k) const noexcept { return offset_[k]; }
  void next() noexcept {
    --left_;
    for (std::size_t dim = shape_.size(); dim-- > 0;) {
      for (std::size_t k = 0; k < N; ++k) offset_[k] += (*strides_[k])[dim];
      if (++index_[dim] < shape_[dim]) return;
      for (std::size_t k = 0; k < N; ++k) offset_[k] -= (*strides_[k])[dim] * shape_[dim];
      index_[dim] = 0;
    }
  }

 private:
  const Dims& shape_;
  Dims index_;
  std::int64_t left_;
  const Dims* strides_[N];
  std::int64_t offset_[N] = {};
};

// Copies element by element; same type and shape, any strides, no overlap.
void copy_elements(const View& to, const ConstView& from);

}  // namespace hadamard
