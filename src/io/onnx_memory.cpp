#include "io/onnx_memory.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/message.h>
#include <onnx/onnx_pb.h>

#include <unordered_map>

#include "base/fail.hpp"
#include "num/dtype.hpp"

namespace hadamard::io {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr int kDeepest = 100;  // messages in messages, as protobuf's parser has it

// What the parts take: protobuf's own memory, our plain values and the graph made of them, with
// vectors that grow. Measured, and rounded up (tests/model/memory_test.py holds them to it).
constexpr std::uint64_t kMessage = 430;  // beside the message itself
constexpr std::uint64_t kTensor = 200;   // of which a tensor is made
constexpr std::uint64_t kText = 330;     // a name in a list, beside twice its bytes
constexpr std::uint64_t kNumber = 32;    // with a tag of its own: listed, or outside the schema
constexpr std::uint64_t kUnknownBytes = 112;          // bytes in such a field, beside themselves
constexpr std::uint64_t kSmallestRefused = 64 << 10;  // no smaller file can exceed the limit

// Bytes that a byte of packed numbers becomes: the list while it grows, and the elements.
std::uint64_t packed_factor(const FieldDescriptor& field) {
  switch (field.type()) {
    case FieldDescriptor::TYPE_FLOAT:
    case FieldDescriptor::TYPE_DOUBLE:
    case FieldDescriptor::TYPE_FIXED32:
    case FieldDescriptor::TYPE_FIXED64:
    case FieldDescriptor::TYPE_SFIXED32:
    case FieldDescriptor::TYPE_SFIXED64:
      return 3;
    default: {  // of variable length: a byte may be a number
      const auto cpp_type = field.cpp_type();
      const bool is_wide =
          cpp_type == FieldDescriptor::CPPTYPE_INT64 || cpp_type == FieldDescriptor::CPPTYPE_UINT64;
      return is_wide ? 16 : 8;
    }
  }
}

class Estimate {
 public:
  explicit Estimate(std::span<const std::byte> bytes)
      : in_(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size())) {}

  // Ends where protobuf's parser will stop too, if not at the end.
  std::uint64_t of(const google::protobuf::Message& message) {
    add_message(message, 0);
    return total_;
  }

 private:
  // A message whose bytes are the next ones, up to the stream's limit.
  bool add_message(const google::protobuf::Message& message, int depth) {
    total_ += cost_of(message);
    int groups = 0;  // that are open; all in them is unknown
    while (const std::uint32_t tag = in_.ReadTag()) {
      const FieldDescriptor* const field =
          groups > 0 ? nullptr
                     : message.GetDescriptor()->FindFieldByNumber(static_cast<int>(tag >> 3));
      switch (tag & 7U) {
        case 2:
          if (!add_bytes(message, field, depth)) return false;
          break;
        case 3:
          ++groups;
          total_ += kUnknownBytes;
          break;
        case 4:
          if (groups-- == 0) return false;
          break;
        default:
          if (!add_number(tag & 7U)) return false;
      }
    }
    return in_.ConsumedEntireMessage();
  }

  // What protobuf says takes long to ask.
  std::uint64_t cost_of(const google::protobuf::Message& message) {
    std::uint64_t& cost = costs_[&message];
    if (cost == 0) {
      const bool is_tensor = message.GetDescriptor() == onnx::TensorProto::descriptor();
      cost = kMessage + message.SpaceUsedLong() + (is_tensor ? kTensor : 0);
    }
    return cost;
  }
  const google::protobuf::Message& made_for(const google::protobuf::Message& message,
                                            const FieldDescriptor& field) {
    const google::protobuf::Message*& made = made_[field.message_type()];
    if (made == nullptr) {
      made = message.GetReflection()->GetMessageFactory()->GetPrototype(field.message_type());
    }
    return *made;
  }

  bool add_number(std::uint32_t wire) {
    total_ += kNumber;
    std::uint64_t number = 0;
    return wire == 0   ? in_.ReadVarint64(&number)
           : wire == 1 ? in_.Skip(8)
           : wire == 5 ? in_.Skip(4)
                       : false;
  }

  bool add_bytes(const google::protobuf::Message& message, const FieldDescriptor* field,
                 int depth) {
    std::uint32_t length = 0;
    if (!in_.ReadVarint32(&length)) return false;
    if (field != nullptr && field->message_type() != nullptr && depth < kDeepest) {
      const auto limit = in_.PushLimit(static_cast<int>(length));
      if (!add_message(made_for(message, *field), depth + 1)) return false;
      in_.PopLimit(limit);
      return true;
    }
    if (field == nullptr || field->message_type() != nullptr) {
      total_ += kUnknownBytes + length;
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      total_ += 2 * std::uint64_t{length} + (field->is_repeated() ? kText : 0);
    } else {
      total_ += kUnknownBytes + length * packed_factor(*field);
    }
    return in_.Skip(static_cast<int>(length));
  }

  google::protobuf::io::CodedInputStream in_;
  std::uint64_t total_ = 0;
  std::unordered_map<const google::protobuf::Message*, std::uint64_t> costs_;  // by prototype
  std::unordered_map<const Descriptor*, const google::protobuf::Message*> made_;
};

}  // namespace

void check_onnx_memory(std::span<const std::byte> bytes, const google::protobuf::Message& kind,
                       std::string_view file) {
  if (bytes.size() < kSmallestRefused) return;
  const std::uint64_t most = kOnnxBytesPerByte * bytes.size() + kOnnxBytesFree;
  const std::uint64_t estimate = Estimate(bytes).of(kind);
  if (estimate <= most) return;
  fail(ErrorCode::bad_file,
       "{}: expected parts that take at most {} bytes of memory for a file of {} bytes, found ones "
       "that take about {}; store tensors as raw_data, or fetch the file again: it may be damaged",
       file, most, bytes.size(), estimate);
}

}  // namespace hadamard::io
