// What an ONNX file would take in memory, told from its bytes alone. For onnx_model.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace google::protobuf {
class Message;
}

namespace hadamard::io {

// Protobuf makes hundreds of bytes of a message that is two bytes in the file, and keeps fields
// that it does not know; the graph then takes as much again. A file whose parts would take more
// than kOnnxBytesPerByte bytes for each of its own, and kOnnxBytesFree beyond that, is refused with
// bad_file before any of them is made. So the whole process stays below 8 times the file and 64
// MiB.
inline constexpr std::uint64_t kOnnxBytesPerByte = 7;
inline constexpr std::uint64_t kOnnxBytesFree = std::uint64_t{48} << 20;

// `kind` is any message of the kind that the file should be.
void check_onnx_memory(std::span<const std::byte> bytes, const google::protobuf::Message& kind,
                       std::string_view file);

}  // namespace hadamard::io
