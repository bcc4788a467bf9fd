// From the fields of a TensorProto to a tensor. Nothing here knows protobuf: the fields are spans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hadamard/tensor.hpp"
#include "io/onnx_external.hpp"

namespace hadamard::io {

struct TensorFields {
  int elem_type = 0;
  std::span<const std::int64_t> dims;
  // Where the data are: exactly one of these is set, or none if there are no elements.
  bool is_external = false;
  ExternalData::Entries external;
  bool has_raw = false;
  std::span<const std::byte> raw;
  std::span<const float> float_data;
  std::span<const double> double_data;
  std::span<const std::int32_t> int32_data;
  std::span<const std::int64_t> int64_data;
  std::span<const std::uint64_t> uint64_data;
  std::size_t string_data = 0;  // entries
  bool has_segment = false;     // a part of a tensor, which ONNX allows and nobody writes
};

// `where` begins every message: the file, and the tensor in it. The data are compared with type and
// shape before anything is allocated. Throws bad_file, unsupported_type, too_large, io.
Tensor decode_tensor(const TensorFields& fields, ExternalData& external, std::string_view where);

}  // namespace hadamard::io
