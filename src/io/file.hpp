// Files: reading, mapping, and outputs that appear whole or not at all.
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

// A file opened for reading: regular, FIFO, device, or the process's own /dev/stdin, /dev/fd/N.
// Every function throws io with path and reason; a directory is refused.
class InputFile {
 public:
  explicit InputFile(const std::string& path);

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

// All of a file, of any kind.
std::vector<std::byte> read_file(const std::string& path);

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

// An output that appears under its name complete or not at all: written to a temporary in the same
// directory, synced and renamed by commit(), removed where commit() was not reached.
//
// A replaced file's permissions (and, where allowed, owner) are kept; a new one has 0666 & ~umask.
// A symbolic link stays and its target is replaced. What exists and is not a regular file
// (/dev/null, a FIFO) is written directly, as are the process's own /dev/stdout and /dev/fd/N. A
// file that the caller may not write is not replaced, even where its directory would allow it.
// Throws io.
class AtomicFile {
 public:
  // `neighbour` may lend its open directory, where it is the same: of many outputs in one folder
  // that are not committed yet, only those that are being written then have a file open.
  explicit AtomicFile(const std::string& path, const AtomicFile* neighbour = nullptr);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);
  // A name that a library of others can open the unfinished output by, which is a regular file; it
  // has closed it before commit(). Throws io for what is written directly: libraries seek.
  std::string name_for_libraries() const;
  // All bytes are on the disk, and the file is closed. Only its name is left for commit().
  void finish();
  // When this throws, an existing file is as it was. The one exception is a directory that cannot
  // be synced after the rename, which the message says.
  void commit();

 private:
  void open_direct(const std::string& path);
  void open_temporary(const std::string& target, const AtomicFile* neighbour);
  void discard() noexcept;

  std::string path_;  // as the caller named it, for messages
  Descriptor fd_;
  std::string directory_name_;                   // of the target; empty when written directly
  std::shared_ptr<const Descriptor> directory_;  // likewise
  std::string target_;                           // its name in that directory
  std::string temporary_;                        // likewise; empty when there is none to remove
  int slot_ = -1;                                // in the registry of unfinished outputs
};

// Removes the temporaries of all AtomicFiles that are open, in any thread. Async-signal-safe: for
// the handler of a signal that ends the program. The first kMaxUnfinished open outputs are covered.
void remove_unfinished_outputs() noexcept;
inline constexpr int kMaxUnfinished = 2048;

}  // namespace hadamard::io
