// Reads and writes by protobuf, which only this source and onnx_memory.cpp know.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/fail.hpp"
#include "io/atomic_file.hpp"
#include "io/npy.hpp"
#include "io/onnx.hpp"
#include "io/onnx_memory.hpp"
#include "io/onnx_tensor.hpp"
#include "num/dtype.hpp"

namespace hadamard::io {
namespace {

using Silence = google::protobuf::LogSilencer;  // what is to be said, our errors say

constexpr std::uint64_t kMaxMessage = std::numeric_limits<int>::max();
constexpr std::size_t kLongestName = 200;  // in messages

[[noreturn]] void fail_too_large(std::string_view file) {
  fail(ErrorCode::too_large,
       "{}: expected less than 2 GiB, which is all that protobuf can hold, found more; save the "
       "model with its weights as external data",
       file);
}

// `what` is the kind of message that was expected.
template <class Message>
Message parsed(std::span<const std::byte> bytes, std::string_view file, std::string_view what) {
  if (bytes.size() > kMaxMessage) fail_too_large(file);
  if (bytes.empty()) {
    fail(ErrorCode::bad_file, "{}: expected {}, found no graph and no data: the file is empty; {}",
         file, what, "fetch or write it again");
  }
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               std::min<std::size_t>(bytes.size(), 6));
  if (start == "\x93NUMPY") {
    fail(ErrorCode::bad_file, "{}: expected {}, found a .npy file; give the name of an ONNX file",
         file, what);
  }
  const Silence silence;
  check_onnx_memory(bytes, Message::default_instance(), file);
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    fail(ErrorCode::bad_file,
         "{}: expected {}, found {} bytes that are none; the file is cut short, damaged, nested "
         "more than 100 deep or of another kind",
         file, what, bytes.size());
  }
  return message;
}

template <class F>
auto with_memory(std::string_view file, F&& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::too_large, "{}: no memory for what the file holds; use a machine with more",
         file);
  }
}

// Calls f with all bytes of the file.
template <class F>
auto with_file(const std::string& path, F&& f) {
  InputFile input(path);
  if (input.size().value_or(0) > kMaxMessage) fail_too_large(quoted(path));
  if (input.size().value_or(0) >= kMapThreshold) {
    if (const auto mapping = Mapping::of(input)) return f(mapping->bytes());
  }
  std::vector<std::byte> bytes;
  input.read_until(bytes, 4096);
  // No message begins with a zero byte: /dev/zero is not read to its end.
  if (!bytes.empty() && bytes[0] != std::byte{0}) input.read_until(bytes, kMaxMessage + 1);
  return f(std::span<const std::byte>(bytes));
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

template <class Field>
auto span_of(const Field& field) {
  return std::span(field.data(), static_cast<std::size_t>(field.size()));
}

// Takes the message apart, so that a model's weights are in memory twice only one by one.
std::shared_ptr<const Tensor> decoded(onnx::TensorProto& proto, ExternalData& external,
                                      std::string_view where) {
  const onnx::TensorProto own = std::move(proto);
  TensorFields fields;
  fields.elem_type = own.data_type();
  fields.dims = span_of(own.dims());
  fields.is_external = own.data_location() == onnx::TensorProto::EXTERNAL;
  if (fields.is_external) {
    for (const auto& entry : own.external_data()) {
      fields.external.emplace_back(entry.key(), entry.value());
    }
  }
  fields.has_raw = own.has_raw_data();
  fields.raw = std::as_bytes(std::span(own.raw_data()));
  fields.float_data = span_of(own.float_data());
  fields.double_data = span_of(own.double_data());
  fields.int32_data = span_of(own.int32_data());
  fields.int64_data = span_of(own.int64_data());
  fields.uint64_data = span_of(own.uint64_data());
  fields.string_data = static_cast<std::size_t>(own.string_data_size());
  fields.has_segment = own.has_segment();
  return std::make_shared<const Tensor>(decode_tensor(fields, external, where));
}

OnnxTensor named_tensor(onnx::TensorProto& proto, ExternalData& external, std::string_view file,
                        std::string_view what) {
  OnnxTensor tensor;
  tensor.name = proto.name();
  const std::string where = fmt::format("{}: {} {}", file, what, quoted(tensor.name, kLongestName));
  tensor.value = decoded(proto, external, where);
  return tensor;
}

void read_shape(const onnx::TensorShapeProto& shape, OnnxType& type, std::string_view where) {
  if (static_cast<std::size_t>(shape.dim_size()) > kOnnxMaxRank) {
    fail(ErrorCode::bad_file,
         "{}: expected a shape of at most {} dimensions, found {}; the file is damaged", where,
         kOnnxMaxRank, shape.dim_size());
  }
  type.has_shape = true;
  for (const auto& dim : shape.dim()) {
    OnnxDim& to = type.dims.emplace_back();
    if (dim.has_dim_value()) to.extent = dim.dim_value();
    if (dim.has_dim_param()) to.symbol = dim.dim_param();
  }
}

OnnxType type_of(const onnx::TypeProto& proto, std::string_view where) {
  OnnxType type;
  const auto read = [&](OnnxType::Form form, const auto& tensor) {
    type.form = form;
    type.elem_type = tensor.elem_type();
    if (tensor.has_shape()) read_shape(tensor.shape(), type, where);
  };
  switch (proto.value_case()) {
    case onnx::TypeProto::kTensorType:
      read(OnnxType::Form::tensor, proto.tensor_type());
      break;
    case onnx::TypeProto::kSparseTensorType:
      read(OnnxType::Form::sparse_tensor, proto.sparse_tensor_type());
      break;
    case onnx::TypeProto::VALUE_NOT_SET:
      break;
    default:
      type.form = OnnxType::Form::other;
  }
  return type;
}

template <class Protos>
std::vector<OnnxValue> values_of(const Protos& protos, std::string_view file,
                                 std::string_view what) {
  std::vector<OnnxValue> values;
  for (const onnx::ValueInfoProto& proto : protos) {
    const std::string where =
        fmt::format("{}: {} {}", file, what, quoted(proto.name(), kLongestName));
    values.push_back({proto.name(), type_of(proto.type(), where)});
  }
  return values;
}

// Models of the first version do not say the type: then it is that of the field which is there.
onnx::AttributeProto::AttributeType type_of(const onnx::AttributeProto& proto) {
  using Proto = onnx::AttributeProto;
  if (proto.type() != Proto::UNDEFINED) return proto.type();
  if (proto.has_f()) return Proto::FLOAT;
  if (proto.has_i()) return Proto::INT;
  if (proto.has_s()) return Proto::STRING;
  if (proto.has_t()) return Proto::TENSOR;
  if (proto.has_g()) return Proto::GRAPH;
  if (proto.floats_size() > 0) return Proto::FLOATS;
  if (proto.ints_size() > 0) return Proto::INTS;
  if (proto.strings_size() > 0) return Proto::STRINGS;
  if (proto.tensors_size() > 0) return Proto::TENSORS;
  if (proto.graphs_size() > 0) return Proto::GRAPHS;
  return Proto::UNDEFINED;
}

OnnxAttribute attribute_of(onnx::AttributeProto& proto, ExternalData& external,
                           std::string_view node) {
  using Form = OnnxAttribute::Form;
  OnnxAttribute attribute;
  attribute.name = proto.name();
  if (!proto.ref_attr_name().empty()) {
    attribute.form = Form::other;
    return attribute;
  }
  switch (type_of(proto)) {
    case onnx::AttributeProto::UNDEFINED:
      break;
    case onnx::AttributeProto::FLOAT:
      attribute.form = Form::number;
      attribute.number = proto.f();
      break;
    case onnx::AttributeProto::INT:
      attribute.form = Form::integer;
      attribute.integer = proto.i();
      break;
    case onnx::AttributeProto::STRING:
      attribute.form = Form::text;
      attribute.text = proto.s();
      break;
    case onnx::AttributeProto::TENSOR:
      attribute.form = Form::tensor;
      attribute.tensor =
          decoded(*proto.mutable_t(), external,
                  fmt::format("{}: attribute {}", node, quoted(proto.name(), kLongestName)));
      break;
    case onnx::AttributeProto::FLOATS:
      attribute.form = Form::numbers;
      attribute.numbers.assign(proto.floats().begin(), proto.floats().end());
      break;
    case onnx::AttributeProto::INTS:
      attribute.form = Form::integers;
      attribute.integers.assign(proto.ints().begin(), proto.ints().end());
      break;
    case onnx::AttributeProto::STRINGS:
      attribute.form = Form::texts;
      attribute.texts.assign(proto.strings().begin(), proto.strings().end());
      break;
    case onnx::AttributeProto::SPARSE_TENSOR:
      attribute.form = Form::sparse_tensor;
      break;
    default:
      attribute.form = Form::other;
  }
  return attribute;
}

OnnxNode node_of(onnx::NodeProto& given, std::size_t index, ExternalData& external,
                 std::string_view file) {
  onnx::NodeProto proto = std::move(given);  // and gone at the end
  OnnxNode node;
  node.name = proto.name();
  node.op_type = proto.op_type();
  node.domain = proto.domain();
  node.inputs.assign(proto.input().begin(), proto.input().end());
  node.outputs.assign(proto.output().begin(), proto.output().end());
  const std::string where =
      fmt::format("{}: node {} ({} {})", file, index, quoted(node.op_type, kLongestName),
                  quoted(node.name, kLongestName));
  node.attributes.reserve(static_cast<std::size_t>(proto.attribute_size()));
  for (onnx::AttributeProto& attribute : *proto.mutable_attribute()) {
    node.attributes.push_back(attribute_of(attribute, external, where));
  }
  return node;
}

void read_graph(onnx::GraphProto& graph, OnnxModel& model, ExternalData& external,
                std::string_view file) {
  model.graph_name = graph.name();
  model.inputs = values_of(graph.input(), file, "input");
  model.outputs = values_of(graph.output(), file, "output");
  model.value_infos = values_of(graph.value_info(), file, "value");
  for (const auto& sparse : graph.sparse_initializer()) {
    model.sparse_initializers.push_back(sparse.values().name());
  }
  model.nodes.reserve(static_cast<std::size_t>(graph.node_size()));
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    model.nodes.push_back(node_of(node, model.nodes.size(), external, file));
  }
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    model.initializers.push_back(named_tensor(tensor, external, file, "initializer"));
  }
}

OnnxTensor tensor_of(std::span<const std::byte> bytes, std::string_view file,
                     const std::string& folder) {
  return with_memory(file, [&] {
    auto proto = parsed<onnx::TensorProto>(bytes, file, "a tensor of ONNX (TensorProto)");
    ExternalData external(folder);
    return named_tensor(proto, external, file, "tensor");
  });
}

}  // namespace

const OnnxAttribute* OnnxNode::find(std::string_view attribute) const noexcept {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const OnnxAttribute& a) { return a.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}

std::int64_t OnnxModel::opset() const noexcept {
  for (const auto& [domain, version] : opsets) {
    if (domain.empty() || domain == "ai.onnx") return version;
  }
  return 0;
}

OnnxModel parse_onnx_model(std::span<const std::byte> bytes, std::string_view name,
                           const std::string& folder) {
  const std::string file = quoted(name);
  return with_memory(file, [&] {
    auto proto = parsed<onnx::ModelProto>(bytes, file, "an ONNX model (ModelProto)");
    if (!proto.has_graph()) {
      fail(ErrorCode::bad_file, "{}: expected an ONNX model with a graph, found no graph; {}", file,
           "the file is cut short or of another kind");
    }
    OnnxModel model;
    model.ir_version = proto.ir_version();
    model.producer = proto.producer_name();
    if (!proto.producer_version().empty()) model.producer += ' ' + proto.producer_version();
    for (const auto& opset : proto.opset_import()) {
      model.opsets.emplace_back(opset.domain(), opset.version());
    }
    ExternalData external(folder);
    read_graph(*proto.mutable_graph(), model, external, file);
    return model;
  });
}

OnnxModel read_onnx_model(const std::string& path) {
  return with_file(path, [&](std::span<const std::byte> bytes) {
    return parse_onnx_model(bytes, path, folder_of(path));
  });
}

OnnxTensor parse_onnx_tensor(std::span<const std::byte> bytes, std::string_view name) {
  return tensor_of(bytes, quoted(name), {});
}

OnnxTensor read_onnx_tensor(const std::string& path) {
  return with_file(path, [&](std::span<const std::byte> bytes) {
    return tensor_of(bytes, quoted(path), folder_of(path));
  });
}

namespace {

// `where` is for messages.
void write_tensor(const std::function<void(std::span<const std::byte>)>& sink,
                  const std::string& where, std::string_view tensor_name, const ConstView& tensor) {
  onnx::TensorProto head;
  head.set_data_type(onnx_from_dtype(tensor.dtype()));
  if (tensor.rank() > kOnnxMaxRank) {
    fail(ErrorCode::bad_argument, "expected at most {} dimensions for an ONNX file, found {}; {}",
         kOnnxMaxRank, tensor.rank(), "reshape the tensor");
  }
  for (const std::int64_t extent : tensor.shape()) head.add_dims(extent);
  head.set_name(std::string(tensor_name));

  const auto bits_ =
      static_cast<std::uint64_t>(tensor.count()) * static_cast<std::uint64_t>(bits(tensor.dtype()));
  const std::uint64_t size = (bits_ + 7) / 8;
  std::string start;
  {
    const Silence silence;
    google::protobuf::io::StringOutputStream stream(&start);
    google::protobuf::io::CodedOutputStream coded(&stream);
    head.SerializeToCodedStream(&coded);
    // The last field, raw_data, is written from where the elements lie: no copy of them is made.
    constexpr std::uint32_t kLengthDelimited = 2;
    coded.WriteTag(onnx::TensorProto::kRawDataFieldNumber << 3 | kLengthDelimited);
    coded.WriteVarint64(size);
  }
  if (size > kMaxMessage - std::min<std::uint64_t>(start.size(), kMaxMessage)) {
    fail(ErrorCode::too_large,
         "{}: expected a tensor of less than 2 GiB, which is all that protobuf can hold, found {} "
         "bytes; write a .npy file",
         where, size);
  }

  // Nibbles are copied always: behind the last one a view may have a neighbour's.
  const bool as_it_lies = tensor.layout().is_contiguous() && !is_packed_type(tensor.dtype());
  std::optional<Tensor> copy;
  if (!as_it_lies) copy.emplace(tensor);
  const auto* const data = static_cast<const std::byte*>(as_it_lies ? tensor.data() : copy->data());
  sink(std::as_bytes(std::span(start)));
  sink({data, static_cast<std::size_t>(size)});
}

}  // namespace

void write_onnx_tensor(const std::function<void(std::span<const std::byte>)>& sink,
                       std::string_view tensor_name, const ConstView& tensor) {
  write_tensor(sink, fmt::format("tensor {}", quoted(tensor_name, 80)), tensor_name, tensor);
}

void write_onnx_tensor(const std::string& path, std::string_view tensor_name,
                       const ConstView& tensor) {
  std::optional<AtomicFile> file;  // made with the first bytes: what is refused makes none
  write_tensor(
      [&](std::span<const std::byte> bytes) {
        if (!file) file.emplace(path);
        file->write(bytes);
      },
      quoted(path), tensor_name, tensor);
  file->commit();
}

}  // namespace hadamard::io
