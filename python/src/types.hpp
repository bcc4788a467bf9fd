// Element types: ours and NumPy's.
#pragma once

#include <array>
#include <complex>
#include <type_traits>

#include "common.hpp"
#include "num/dtype.hpp"

namespace hadamard::python {

inline constexpr int kNoNumpyType = -1;

// NumPy's number of the type that has the same elements.
template <class T>
constexpr int numpy_type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return NPY_BOOL;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr int kNumbers[2][4] = {{NPY_UINT8, NPY_UINT16, NPY_UINT32, NPY_UINT64},
                                    {NPY_INT8, NPY_INT16, NPY_INT32, NPY_INT64}};
    constexpr int kSize = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return kNumbers[std::is_signed_v<T> ? 1 : 0][kSize];
  } else if constexpr (std::is_same_v<T, float16>) {
    return NPY_HALF;
  } else if constexpr (std::is_same_v<T, float>) {
    return NPY_FLOAT;
  } else if constexpr (std::is_same_v<T, double>) {
    return NPY_DOUBLE;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return NPY_CFLOAT;
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return NPY_CDOUBLE;
  } else {
    return kNoNumpyType;
  }
}

inline int numpy_type(DType type) noexcept {
  static constexpr int kNumbers[] = {
#define HADAMARD_NUMPY_TYPE(id, Type) numpy_type_of<Type>(),
      HADAMARD_TYPES(HADAMARD_NUMPY_TYPE)
#undef HADAMARD_NUMPY_TYPE
  };
  return kNumbers[static_cast<std::size_t>(type)];
}

// The other way; a number of NumPy's that is no type of ours is kNoType. (`long` and `long long`
// are two numbers of NumPy's for one type.)
inline constexpr std::uint8_t kNoType = 255;
inline constexpr auto kTypeOfNumpy = [] {
  std::array<std::uint8_t, NPY_NTYPES> types{};
  types.fill(kNoType);
#define HADAMARD_NUMPY_TYPE(id, Type)                              \
  if (numpy_type_of<Type>() != kNoNumpyType) {                     \
    types[numpy_type_of<Type>() < 0 ? 0 : numpy_type_of<Type>()] = \
        static_cast<std::uint8_t>(DType::id);                      \
  }
  HADAMARD_TYPES(HADAMARD_NUMPY_TYPE)
#undef HADAMARD_NUMPY_TYPE
  static_assert(sizeof(long) == sizeof(long long), "NumPy's LONG and LONGLONG are both 64 bits");
  types[NPY_LONG] = types[NPY_LONGLONG] = static_cast<std::uint8_t>(DType::int64);
  types[NPY_ULONG] = types[NPY_ULONGLONG] = static_cast<std::uint8_t>(DType::uint64);
  return types;
}();

// kNoType, or a DType.
inline std::uint8_t type_of_numpy(int number) noexcept {
  return number >= 0 && number < NPY_NTYPES ? kTypeOfNumpy[static_cast<std::size_t>(number)]
                                            : kNoType;
}

// A name of ours ("bf16", "fp32"), or whatever NumPy takes for a dtype (numpy.float32, "float32",
// "<f4", float). Throws unsupported_type.
DType dtype_from(PyObject* object);

// A new reference to NumPy's description of a type that it has.
PyArray_Descr* descr_of(DType type);

// "numpy's complex256, which is no element type; they are: …": of a dtype that we lack.
[[noreturn]] void fail_no_type(PyArray_Descr* descr, std::string_view what);

}  // namespace hadamard::python
