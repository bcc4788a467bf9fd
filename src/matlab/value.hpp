// A value of the MATLAB front door: a column-major array of one class, with at least two
// dimensions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hadamard/tensor.hpp"

namespace hadamard::matlab {

// X(id, name, element type): the class's name in MATLAB and what its elements are stored as.
// Complex values of double and single are stored as complex128 and complex64; char as its UTF-16
// code units; string holds text, no array.
#define HADAMARD_MATLAB_NUMERIC_CLASSES(X) \
  X(double_, "double", fp64)               \
  X(single_, "single", fp32)               \
  X(logical, "logical", bool_)             \
  X(int8, "int8", int8)                    \
  X(int16, "int16", int16)                 \
  X(int32, "int32", int32)                 \
  X(int64, "int64", int64)                 \
  X(uint8, "uint8", uint8)                 \
  X(uint16, "uint16", uint16)              \
  X(uint32, "uint32", uint32)              \
  X(uint64, "uint64", uint64)
#define HADAMARD_MATLAB_CLASSES(X)   \
  HADAMARD_MATLAB_NUMERIC_CLASSES(X) \
  X(char_, "char", uint16)           \
  X(string, "string", uint16)

enum class Class : std::uint8_t {
#define HADAMARD_MATLAB_CLASS_ENUM(id, name, type) id,
  HADAMARD_MATLAB_CLASSES(HADAMARD_MATLAB_CLASS_ENUM)
#undef HADAMARD_MATLAB_CLASS_ENUM
};
std::string_view name(Class cls) noexcept;
bool is_float(Class cls) noexcept;    // double, single
bool is_integer(Class cls) noexcept;  // int8 … uint64
// What its elements are stored as; complex ones are of double and single.
DType element_type(Class cls, bool is_complex = false) noexcept;

// Where the elements are: in the host's memory, or on the device of gpuArray (matlab/device.hpp).
enum class Residency : bool { host, device };
class Buffer;
using Handle = std::shared_ptr<const Buffer>;

// The largest product of a value's extents, zeros left out.
inline constexpr std::int64_t kLargestExtents = std::int64_t{1} << 40;

// Elements are shared between copies and never changed where they are shared. Those on a device are
// downloaded when the host asks for them.
class Value {
 public:
  Value();  // [](0x0), double
  Value(Class cls, Tensor elements, Residency residency = Residency::host);
  Value(Class cls, Handle handle);  // on the device
  static Value scalar(double value);
  static Value logical(bool value);
  static Value text(std::string_view utf8, Class cls = Class::char_);  // 1xN

  Class cls() const noexcept { return class_; }
  bool is_complex() const noexcept;
  Residency residency() const noexcept { return residency_; }
  Value with_residency(Residency residency) const;  // uploaded or downloaded where it is not there
  const Dims& size()
      const noexcept;  // at least two extents; beyond the second none of the last is 1
  std::int64_t numel() const;
  bool is_scalar() const { return numel() == 1; }
  bool is_empty() const { return numel() == 0; }

  const Tensor& elements() const {
    if (elements_ == nullptr) download();
    return *elements_;
  }
  const Handle& handle() const;  // of a value on the device
  // To be written to: copied first where others share them.
  Tensor& own_elements();

 private:
  template <class T>
  Value(Class cls, T value);  // a scalar
  const Layout& layout() const noexcept;
  void download() const;

  Class class_;
  Residency residency_;
  // One of them is there: the host's elements, also of a value on the device that was asked for
  // them or changed, and the device's, which are null where those were changed.
  mutable std::shared_ptr<Tensor> elements_;
  mutable Handle handle_;
};

// "3x4", "2x3x4"
std::string size_text(const Dims& size);

}  // namespace hadamard::matlab
