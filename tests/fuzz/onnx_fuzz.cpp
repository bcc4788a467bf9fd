// Any bytes: the reader throws hadamard::Error, of one line, or gives tensors that take no more
// memory than the bytes allow and that, written as raw data, come back bit for bit. The first byte
// selects what the rest is: a model, a tensor, or a model with the corpus as its folder. A model is
// then checked, by both profiles, without ranges and with ranges made of its last bytes, and run
// where it has no inputs.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "hadamard/error.hpp"
#include "io/onnx.hpp"
#include "io/test_onnx.hpp"
#include "memory_bound.hpp"
#include "model/check.hpp"
#include "model/session.hpp"

namespace {

using hadamard::ErrorCode;
using hadamard::Tensor;
namespace io = hadamard::io;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "onnx_fuzz: %s\n", what);
  std::abort();
}

void check_round_trip(const io::OnnxTensor& first) {
  require(first.value != nullptr, "no tensor");
  const Tensor& tensor = *first.value;
  const std::string data(static_cast<const char*>(tensor.data()), tensor.size_bytes());
  const std::string file =
      io::wire::raw_tensor(io::onnx_from_dtype(tensor.dtype()),
                           {tensor.shape().begin(), tensor.shape().end()}, data, first.name);
  const io::OnnxTensor second = io::parse_onnx_tensor(std::as_bytes(std::span(file)), "again");
  require(second.name == first.name, "another name came back");
  require(second.value->dtype() == tensor.dtype(), "another type came back");
  require(second.value->shape() == tensor.shape(), "another shape came back");
  require(second.value->size_bytes() == data.size() &&
              (data.empty() || std::memcmp(second.value->data(), data.data(), data.size()) == 0),
          "other elements came back");
}

// Returns the bytes of all tensors.
std::size_t check_model(const io::OnnxModel& model) {
  std::size_t total = 0;
  for (const io::OnnxTensor& tensor : model.initializers) {
    check_round_trip(tensor);
    total += tensor.value->size_bytes();
  }
  for (const io::OnnxNode& node : model.nodes) {
    for (const io::OnnxAttribute& attribute : node.attributes) {
      require(node.find(attribute.name) != nullptr, "an attribute that is not found");
      require((attribute.form == io::OnnxAttribute::Form::tensor) == (attribute.tensor != nullptr),
              "an attribute and its tensor");
      if (attribute.tensor == nullptr) continue;
      check_round_trip({attribute.name, attribute.tensor});
      total += attribute.tensor->size_bytes();
    }
  }
  require(model.opset() == 0 || !model.opsets.empty(), "an opset from nowhere");
  return total;
}

void check_problems(const io::OnnxModel& model, const hadamard::model::CheckOptions& options) {
  const hadamard::model::Problems problems = hadamard::model::check(model, options);
  for (const auto& problem : problems.kept()) {
    require(!problem.found.empty() && !problem.demanded.empty(), "a problem without words");
    require(to_text(problem).find_first_of("\n\r") == std::string::npos, "of more than one line");
  }
  require(problems.kept().size() <= 2 * hadamard::model::Problems::kMostKept, "too many are kept");
}

// A range for every input: its ends are the next bytes of the file, from its end, as numbers that
// small types hold, or as the largest of 64 bits. What the input's type refuses is an error.
std::map<std::string, hadamard::model::GivenRange, std::less<>> ranges_of(
    const io::OnnxModel& model, std::span<const std::byte> bytes) {
  std::map<std::string, hadamard::model::GivenRange, std::less<>> ranges;
  std::size_t at = bytes.size();
  const auto next = [&] { return at == 0 ? 0 : static_cast<int>(bytes[--at]); };
  for (const io::OnnxValue& input : model.inputs) {
    const int low = next() % 16 - 8, length = next();
    const std::string high =
        length == 255 ? "9223372036854775807" : std::to_string(low + length % 16);
    ranges.insert({input.name, {std::to_string(low), high}});
  }
  return ranges;
}

// The graph is checked, and run where it needs nothing but its constants. Whatever is wrong with it
// has one line, and what can be run was found to have no structural problem.
void check_graph(const io::OnnxModel& model, std::span<const std::byte> bytes) {
  for (const auto profile : {hadamard::Dialect::sonnx, hadamard::Dialect::onnx}) {
    for (const bool strict : {false, true}) {
      check_problems(model, {.profile = profile, .all_values = strict, .strict = strict});
    }
    try {
      check_problems(model, {.profile = profile, .ranges = ranges_of(model, bytes)});
    } catch (const hadamard::Error& error) {
      require(error.code() == ErrorCode::bad_argument, error.what());
      require(std::strpbrk(error.what(), "\n\r") == nullptr, "a message of more than one line");
    }
  }
  try {
    const hadamard::model::Session session(model, {.dialect = hadamard::Dialect::sonnx});
    for (const auto& input : session.inputs()) {
      if (input.required) return;
    }
    session.run({});
  } catch (const hadamard::Error& error) {
    require(error.code() != ErrorCode::internal, error.what());
    require(std::strpbrk(error.what(), "\n\r") == nullptr, "a message of more than one line");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hadamard::fuzz::MemoryBound bound(size);
  if (size == 0) return 0;
  const int mode = data[0] % 3;
  const auto file = std::as_bytes(std::span(data, size)).subspan(1);
  try {
    std::size_t total = 0;
    if (mode == 1) {
      const io::OnnxTensor tensor = io::parse_onnx_tensor(file, "fuzz");
      check_round_trip(tensor);
      total = tensor.value->size_bytes();
    } else {
      const io::OnnxModel model =
          io::parse_onnx_model(file, "fuzz", mode == 2 ? HADAMARD_CORPUS : "");
      total = check_model(model);
      check_graph(model, file);
    }
    // The longest that a byte can become is a 64-bit integer.
    require(mode == 2 || total <= 8 * size, "more memory than the file can fill");
  } catch (const hadamard::Error& error) {
    const ErrorCode code = error.code();
    require(code == ErrorCode::bad_file || code == ErrorCode::unsupported_type ||
                (code == ErrorCode::io && mode == 2),
            error.what());
    require(std::strpbrk(error.what(), "\n\r") == nullptr, "a message of more than one line");
    require(std::strlen(error.what()) < 4000, "a message without end");
  }
  return 0;
}
