// Loops over the elements of values, for what the operator list has not.
#pragma once

#include <complex>
#include <cstdint>
#include <utility>

#include "base/fail.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

template <class T>
const T* data_of(const Value& value) {
  return static_cast<const T*>(value.elements().data());
}
template <class T>
T* data_of(Tensor& tensor) {
  return static_cast<T*>(tensor.data());
}

inline Tensor uninitialized(DType type, const Dims& size) {
  return Tensor::uninitialized(type, size, Order::column_major);
}

// Calls f with an element of the type that the value's elements have, complex ones left out.
template <class F>
decltype(auto) with_real_type(DType type, F&& f) {
  switch (type) {
    case DType::fp64:
      return f(double{});
    case DType::fp32:
      return f(float{});
    case DType::bool_:
      return f(bool{});
    case DType::int8:
      return f(std::int8_t{});
    case DType::int16:
      return f(std::int16_t{});
    case DType::int32:
      return f(std::int32_t{});
    case DType::int64:
      return f(std::int64_t{});
    case DType::uint8:
      return f(std::uint8_t{});
    case DType::uint16:
      return f(std::uint16_t{});
    case DType::uint32:
      return f(std::uint32_t{});
    case DType::uint64:
      return f(std::uint64_t{});
    default:
      fail(ErrorCode::internal, "no elements of a real class");
  }
}

// f(place in A, place in B) for every place of the expanded size, in column-major order.
template <class F>
void for_expanded(const Dims& a, const Dims& b, const Dims& y, F&& f) {
  const std::int64_t count = element_count(y);
  if (a == b || count == 0) {
    for (std::int64_t i = 0; i < count; ++i) f(i, i);
    return;
  }
  const auto strides = [&y](const Dims& size) {
    Dims result = Dims::filled(y.size(), 0);
    std::int64_t step = 1;
    for (std::size_t d = 0; d < size.size(); ++d) {
      result[d] = size[d] == 1 ? 0 : step;
      step *= size[d];
    }
    return result;
  };
  const Dims sa = strides(a), sb = strides(b);
  Dims index = Dims::filled(y.size(), 0);
  std::int64_t ia = 0, ib = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    f(ia, ib);
    for (std::size_t d = 0; d < y.size(); ++d) {
      ia += sa[d];
      ib += sb[d];
      if (++index[d] < y[d]) break;
      ia -= sa[d] * y[d];
      ib -= sb[d] * y[d];
      index[d] = 0;
    }
  }
}

}  // namespace hadamard::matlab
