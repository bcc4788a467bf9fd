// What the process that reads a MAT-file tells the one that asked, through a pipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "matlab/mat_file.hpp"

namespace hadamard::matlab {

inline constexpr int kMostDimensionsSent = 1024;

// In the reading process. Ends it where nobody listens any more.
class MessageWriter {
 public:
  explicit MessageWriter(int fd) : fd_(fd) {}
  // A variable; its elements follow by send_bytes, all of them.
  void send_header(Class cls, bool is_complex, const Dims& size, std::string_view name);
  void send_bytes(std::span<const std::byte> bytes);
  void send_unreadable(std::string_view name, std::string_view class_name);
  void send_warning(std::string_view text);
  void send_failure(std::string_view text);
  void send_end();

 private:
  int fd_;
};

// In the process that asked. It takes nothing for granted: the other one may be out of its mind.
class MessageReader {
 public:
  struct Failure {
    std::string text;
  };
  struct Ended {};

  // All elements together have at most `most` bytes.
  MessageReader(int fd, std::uint64_t most) : fd_(fd), left_(most) {}
  // Adds what came to `contents`; false at the end. Throws Failure, Ended, too_large without
  // memory, and what `filter` throws.
  bool next(MatContents& contents, const MatFilter& filter);

 private:
  void read(void* to, std::size_t count);
  std::string read_text(std::size_t length);
  Value read_value(Class cls, bool is_complex, std::uint32_t rank, const MatFilter& filter);

  int fd_;
  std::uint64_t left_, unasked_ = 0;
};

}  // namespace hadamard::matlab
