// Files: reading and mapping. Outputs: atomic_file.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hadamard::io {

// `text` for a one-line message: in single quotes, control characters as \xNN, cut after `longest`.
std::string quoted(std::string_view text, std::size_t longest = 4096);

// An open file descriptor, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& o) noexcept : fd_(o.release()) {}
  Descriptor& operator=(Descriptor&& o) noexcept {
    const int fd = o.release();
    reset(fd);
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }
  int release() noexcept {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset(int fd = -1) noexcept;

 private:
  int fd_;
};

// What may be opened. `regular`, links to such included: for files that are found in a folder or
// named by another file, where a pipe would wait for a writer that there is not.
enum class Accept : std::uint8_t { any, regular };

// A file opened for reading: regular, FIFO, device, or the process's own /dev/stdin, /dev/fd/N.
// Every function throws io with path and reason; a directory is refused.
class InputFile {
 public:
  explicit InputFile(const std::string& path, Accept accept = Accept::any);

  const std::string& path() const noexcept { return path_; }
  // Bytes of a regular file that is read from its beginning; nothing for what can only be streamed.
  std::optional<std::uint64_t> size() const noexcept { return size_; }

  // Appends to `bytes` until it holds `target` bytes or the file ends. The buffer grows with what
  // arrives, never ahead of it by more than a factor of two. Throws too_large without memory.
  void read_until(std::vector<std::byte>& bytes, std::uint64_t target);

 private:
  friend class Mapping;
  std::string path_;
  Descriptor fd_;
  std::optional<std::uint64_t> size_;
};

// All of a file.
std::vector<std::byte> read_file(const std::string& path, Accept accept = Accept::any);

// A read-only private mapping of a regular file. The file must not be shortened while it lives (the
// kernel answers that with SIGBUS); replacing the file by rename, as AtomicFile does, is harmless.
class Mapping {
 public:
  // Null where the file is empty, not regular, or on a file system that cannot map.
  static std::shared_ptr<const Mapping> of(const InputFile& file);
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(address_), size_};
  }

 private:
  Mapping(void* address, std::size_t size) noexcept : address_(address), size_(size) {}
  void* address_;
  std::size_t size_;
};

}  // namespace hadamard::io
