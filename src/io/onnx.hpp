// ONNX files: models, and single tensors (TensorProto, the .pb files of ONNX's test data).
//
// The reader gives back what a file says, as plain values. It decodes every tensor and refuses what
// cannot be decoded; whether a graph makes sense is for whoever runs it. A file is trusted with
// nothing: no tensor is allocated before its bytes have been seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hadamard/tensor.hpp"

namespace hadamard::io {

// An element type by its number in ONNX (TensorProto.DataType).
std::optional<DType> dtype_from_onnx(int elem_type) noexcept;
int onnx_from_dtype(DType type);  // throws unsupported_type for `real`
// "FLOAT16", also for types that Hadamard does not have; "type 99" for a number without a type.
std::string onnx_type_name(int elem_type);

inline constexpr std::size_t kOnnxMaxRank = 1024;

// A fixed extent, or an unknown one, which may have a name.
struct OnnxDim {
  std::optional<std::int64_t> extent;
  std::string symbol;
};

struct OnnxType {
  enum class Form : std::uint8_t {
    missing,
    tensor,
    sparse_tensor,
    other
  };  // other: sequence, map…
  Form form = Form::missing;
  int elem_type = 0;  // of the two tensors; 0 is UNDEFINED
  bool has_shape = false;
  std::vector<OnnxDim> dims;
};

struct OnnxValue {
  std::string name;
  OnnxType type;
};

struct OnnxTensor {
  std::string name;
  std::shared_ptr<const Tensor> value;  // row-major, never null
};

struct OnnxAttribute {
  // other: graphs, types and lists of messages, and the attribute of a function's caller. Their
  // values are not decoded, nor are those of sparse tensors.
  enum class Form : std::uint8_t {
    none,
    number,
    integer,
    text,
    tensor,
    numbers,
    integers,
    texts,
    sparse_tensor,
    other
  };
  std::string name;
  Form form = Form::none;
  // Only the one that `form` names is set.
  float number = 0;
  std::int64_t integer = 0;
  std::string text;
  std::shared_ptr<const Tensor> tensor;
  std::vector<float> numbers;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;
};

struct OnnxNode {
  std::string name, op_type, domain;
  std::vector<std::string> inputs, outputs;  // an empty name is an input that is left out
  std::vector<OnnxAttribute> attributes;

  const OnnxAttribute* find(std::string_view attribute) const noexcept;  // the first; or null
};

struct OnnxModel {
  std::int64_t ir_version = 0;
  std::string producer;                                      // "pytorch 2.1.0"
  std::vector<std::pair<std::string, std::int64_t>> opsets;  // domain ("" is ONNX's own), version
  std::string graph_name;
  std::vector<OnnxNode> nodes;
  std::vector<OnnxValue> inputs, outputs, value_infos;
  std::vector<OnnxTensor> initializers;
  std::vector<std::string> sparse_initializers;  // names; their values are not decoded

  // Of ONNX's own domain, which is spelled "" or "ai.onnx"; 0 where the model imports none.
  std::int64_t opset() const noexcept;
};

// All throw bad_file, unsupported_type for elements that Hadamard does not have (strings, 8-bit
// floats), too_large and io; the message names the file and in it the tensor, or node and
// attribute. Names are the file's own bytes: any at all. A file must not be
// shortened while it is read.
//
// External data is looked for beside the model and nowhere else: a location that leads out of that
// folder, also by a symbolic link, is refused. `folder` is that folder; with none, external data is
// an error.
OnnxModel read_onnx_model(const std::string& path);
OnnxModel parse_onnx_model(std::span<const std::byte> bytes, std::string_view name,
                           const std::string& folder = {});

// A TensorProto.
OnnxTensor read_onnx_tensor(const std::string& path);
OnnxTensor parse_onnx_tensor(std::span<const std::byte> bytes, std::string_view name);

// Writes a TensorProto with raw_data, row-major; the file appears whole or not at all (AtomicFile).
// Throws io; unsupported_type for `real`; too_large from 2 GiB on, which protobuf cannot hold;
// bad_argument for more than kOnnxMaxRank dimensions.
void write_onnx_tensor(const std::string& path, std::string_view tensor_name,
                       const ConstView& tensor);
// The same bytes, handed piece by piece to `sink`.
void write_onnx_tensor(const std::function<void(std::span<const std::byte>)>& sink,
                       std::string_view tensor_name, const ConstView& tensor);

}  // namespace hadamard::io
