// ONNX messages for tests, put together by hand: protobuf's wire format and ONNX's field numbers,
// without the libraries that the reader uses.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace hadamard::io::wire {

inline std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out += static_cast<char>(value);
}
inline std::string tag(int field, int wire_type) {
  return varint(static_cast<std::uint64_t>(field) << 3 | static_cast<unsigned>(wire_type));
}
inline std::string number(int field, std::int64_t value) {
  return tag(field, 0) + varint(static_cast<std::uint64_t>(value));
}
inline std::string bytes(int field, std::string_view content) {
  return tag(field, 2) + varint(content.size()) + std::string(content);
}
// Values as they lie in memory.
template <class T>
std::string memory(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
// A repeated field of integers, packed.
template <class T>
std::string packed(int field, const std::vector<T>& values) {
  std::string content;
  for (const T value : values) {
    content += varint(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  }
  return bytes(field, content);
}

// --- TensorProto
using Extents = std::vector<std::int64_t>;
inline std::string head(int type, const Extents& shape, std::string_view name = "t") {
  return packed(1, shape) + number(2, type) + bytes(8, name);
}
inline std::string raw_tensor(int type, const Extents& shape, std::string_view data,
                              std::string_view name = "t") {
  return head(type, shape, name) + bytes(9, data);
}
template <class T>
std::string float_data(const std::vector<T>& values) {
  return bytes(sizeof(T) == sizeof(float) ? 4 : 10, memory(values));
}
inline std::string int32_data(const std::vector<std::int32_t>& values) { return packed(5, values); }
inline std::string int64_data(const std::vector<std::int64_t>& values) { return packed(7, values); }
inline std::string uint64_data(const std::vector<std::uint64_t>& v) { return packed(11, v); }
// location, offset, length…
inline std::string external(
    std::initializer_list<std::pair<std::string_view, std::string_view>> entries) {
  std::string out;
  for (const auto& [key, value] : entries) out += bytes(13, bytes(1, key) + bytes(2, value));
  return out + number(14, 1);
}

// --- ModelProto
inline std::string node(std::string_view content) { return bytes(1, content); }
inline std::string attribute(std::string_view name, int type, std::string_view content) {
  return bytes(5, bytes(1, name) + std::string(content) + (type != 0 ? number(20, type) : ""));
}
inline std::string initializer(std::string_view tensor) { return bytes(5, tensor); }
inline std::string model(std::string_view graph) {
  return number(1, 8) + bytes(2, "test") + bytes(7, graph) + bytes(8, number(2, 13));
}

}  // namespace hadamard::io::wire
