// What lies in a line: a 4-bit integer and a bool are a byte there.
#pragma once

#include <cstdint>

#include "hadamard/types.hpp"

namespace hadamard::exec::cpu {

template <class T>
struct LineElementOf {
  using Type = T;
};
template <>
struct LineElementOf<int4> {
  using Type = std::int8_t;
};
template <>
struct LineElementOf<uint4> {
  using Type = std::uint8_t;
};
template <>
struct LineElementOf<bool> {
  using Type = std::uint8_t;
};
template <class T>
using LineElement = typename LineElementOf<T>::Type;

}  // namespace hadamard::exec::cpu
