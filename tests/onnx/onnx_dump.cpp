// What the reader makes of a file, as text for interop_test.py.
//   onnx_dump model FILE     onnx_dump tensor FILE     onnx_dump copy FROM TO (a tensor)
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "io/onnx.hpp"

namespace {

using namespace hadamard;

std::string text_of(const Tensor& tensor) {
  const std::span bytes(static_cast<const unsigned char*>(tensor.data()), tensor.size_bytes());
  return fmt::format("{} {} {:02x}", io::onnx_type_name(io::onnx_from_dtype(tensor.dtype())),
                     to_string(tensor.shape()), fmt::join(bytes, ""));
}

void print_value(std::string_view what, const io::OnnxValue& value) {
  std::string dims;
  for (const io::OnnxDim& dim : value.type.dims) {
    dims += ' ' + (dim.extent ? std::to_string(*dim.extent) : "?" + dim.symbol);
  }
  fmt::print("{} {} form {} {} shape {}{}\n", what, value.name, static_cast<int>(value.type.form),
             io::onnx_type_name(value.type.elem_type), value.type.has_shape ? "known" : "unknown",
             dims);
}

void print_attribute(const io::OnnxAttribute& a) {
  using Form = io::OnnxAttribute::Form;
  fmt::print("  {} = ", a.name);
  switch (a.form) {
    case Form::number:
      fmt::print("{:.9g}\n", a.number);
      break;
    case Form::integer:
      fmt::print("{}\n", a.integer);
      break;
    case Form::text:
      fmt::print("'{}'\n", a.text);
      break;
    case Form::tensor:
      fmt::print("{}\n", text_of(*a.tensor));
      break;
    case Form::numbers:
      fmt::print("[{:.9g}]\n", fmt::join(a.numbers, ", "));
      break;
    case Form::integers:
      fmt::print("[{}]\n", fmt::join(a.integers, ", "));
      break;
    case Form::texts:
      fmt::print("['{}']\n", fmt::join(a.texts, "', '"));
      break;
    case Form::sparse_tensor:
      fmt::print("sparse\n");
      break;
    case Form::other:
      fmt::print("other\n");
      break;
    case Form::none:
      fmt::print("none\n");
      break;
  }
}

void print_model(const std::string& path) {
  const io::OnnxModel model = io::read_onnx_model(path);
  fmt::print("ir {} opset {} producer {} graph {}\n", model.ir_version, model.opset(),
             model.producer, model.graph_name);
  for (const auto& node : model.nodes) {
    fmt::print("node {} {} {} {} -> {}\n", node.domain, node.op_type, node.name,
               fmt::join(node.inputs, ","), fmt::join(node.outputs, ","));
    for (const auto& attribute : node.attributes) print_attribute(attribute);
  }
  for (const auto& value : model.inputs) print_value("input", value);
  for (const auto& value : model.outputs) print_value("output", value);
  for (const auto& value : model.value_infos) print_value("value", value);
  for (const auto& tensor : model.initializers) {
    fmt::print("initializer {} {}\n", tensor.name, text_of(*tensor.value));
  }
  for (const auto& name : model.sparse_initializers) fmt::print("sparse initializer {}\n", name);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string_view verb = argc > 2 ? argv[1] : "";
  if (verb == "model" && argc == 3) {
    print_model(argv[2]);
  } else if (verb == "tensor" && argc == 3) {
    const io::OnnxTensor tensor = io::read_onnx_tensor(argv[2]);
    fmt::print("{} {}\n", tensor.name, text_of(*tensor.value));
  } else if (verb == "copy" && argc == 4) {
    const io::OnnxTensor tensor = io::read_onnx_tensor(argv[2]);
    io::write_onnx_tensor(argv[3], tensor.name, *tensor.value);
  } else {
    fmt::print(stderr, "usage: onnx_dump model FILE | tensor FILE | copy FROM TO\n");
    return 2;
  }
  return 0;
} catch (const Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
