#include "tensor/element.hpp"

#include <cstring>

#include "base/fail.hpp"

namespace hadamard {
namespace {

// The element offset of `index`, after checking that it lies in the shape and that T is the type.
std::int64_t checked_offset(const ConstView& v, DType type, const Dims& index) {
  if (v.dtype() != type) {
    fail(ErrorCode::type_mismatch, "an element of a {} tensor was asked for as {}", name(v.dtype()),
         name(type));
  }
  bool valid = index.size() == v.rank();
  std::int64_t offset = v.offset();
  for (std::size_t i = 0; valid && i < index.size(); ++i) {
    valid = index[i] >= 0 && index[i] < v.shape()[i];
    if (valid) offset += index[i] * v.strides()[i];
  }
  if (!valid) {
    fail(ErrorCode::bad_argument, "index {} is outside the shape {}", to_string(index),
         to_string(v.shape()));
  }
  return offset;
}

}  // namespace

void move_by(const void*& data, std::int64_t& offset, DType type, std::int64_t elements) noexcept {
  if (is_packed_type(type)) {
    offset += elements;
  } else {
    data = static_cast<const std::byte*>(data) + elements * (bits(type) / 8);
  }
}

template <class T>
T ConstView::at(const Dims& index) const {
  return load_element<T>(data_, checked_offset(*this, dtype_of<T>, index));
}

template <class T>
void View::set(const Dims& index, const T& value) const {
  store_element<T>(data(), checked_offset(*this, dtype_of<T>, index), value);
}

template <class T>
Tensor Tensor::from(std::span<const T> values, Dims shape) {
  if (static_cast<std::int64_t>(values.size()) != element_count(shape)) {
    fail(ErrorCode::shape_mismatch, "shape {} has {} elements, but got {} values", to_string(shape),
         element_count(shape), values.size());
  }
  Tensor t = uninitialized(dtype_of<T>, std::move(shape));
  for (std::size_t i = 0; i < values.size(); ++i) {
    store_element<T>(t.data(), static_cast<std::int64_t>(i), values[i]);
  }
  return t;
}

template <class T>
std::vector<T> Tensor::to_vector() const {
  if (dtype() != dtype_of<T>) {
    fail(ErrorCode::type_mismatch, "a {} tensor was asked for as {}", name(dtype()),
         name(dtype_of<T>));
  }
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(count()));
  const Dims* const strides[] = {&layout_.strides};
  for (IndexWalk<1> walk(shape(), strides); !walk.done(); walk.next()) {
    values.push_back(load_element<T>(data_, walk.offset(0)));
  }
  return values;
}

void copy_elements(const View& to, const ConstView& from) {
  if (to.dtype() != from.dtype() || to.shape() != from.shape()) {
    fail(ErrorCode::internal, "copy of a {} tensor of shape {} into {} of shape {}",
         name(from.dtype()), to_string(from.shape()), name(to.dtype()), to_string(to.shape()));
  }
  with_type(to.dtype(), [&](auto t) {
    using T = typename decltype(t)::type;
    const bool dense = to.layout().is_contiguous() && from.layout().is_contiguous();
    if constexpr (std::is_trivially_copyable_v<T> && !is_packed<T>) {
      if (dense) {
        if (to.count() > 0) {
          std::memcpy(to.data(), from.data(), static_cast<std::size_t>(to.count()) * sizeof(T));
        }
        return;
      }
    }
    const Dims* const strides[] = {&to.strides(), &from.strides()};
    for (IndexWalk<2> walk(to.shape(), strides); !walk.done(); walk.next()) {
      store_element<T>(to.data(), to.offset() + walk.offset(0),
                       load_element<T>(from.data(), from.offset() + walk.offset(1)));
    }
  });
}

#define HADAMARD_INSTANTIATE(id, Type)                             \
  template Type ConstView::at<Type>(const Dims&) const;            \
  template void View::set<Type>(const Dims&, const Type&) const;   \
  template Tensor Tensor::from<Type>(std::span<const Type>, Dims); \
  template std::vector<Type> Tensor::to_vector<Type>() const;
HADAMARD_TYPES(HADAMARD_INSTANTIATE)
#undef HADAMARD_INSTANTIATE

}  // namespace hadamard
