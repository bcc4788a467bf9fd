// Tensors whose bytes lie in files of their own, beside an ONNX model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hadamard::io {

class ExternalData {
 public:
  using Entries = std::vector<std::pair<std::string, std::string>>;

  // An empty `folder`: there is none, and every tensor with external data is an error.
  explicit ExternalData(std::string folder);
  ExternalData(const ExternalData&) = delete;
  ExternalData& operator=(const ExternalData&) = delete;
  ~ExternalData();

  // The `size` bytes that the keys location, offset and length point at; other keys mean nothing
  // here. They are good while this lives. `where` begins every message. Throws bad_file, io; also
  // bad_file once the tensors of one model have asked for more than kMaxReuse times a file's bytes,
  // so that a small model cannot take any amount of memory by naming the same bytes again and
  // again.
  std::span<const std::byte> find(const Entries& entries, std::uint64_t size,
                                  std::string_view where);

  static constexpr std::uint64_t kMaxReuse = 4;

 private:
  struct File;
  File& open(const std::string& location, std::string_view where);

  std::string folder_;
  std::map<std::string, std::unique_ptr<File>> files_;  // by their true names
};

}  // namespace hadamard::io
