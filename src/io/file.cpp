#include "io/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <new>
#include <system_error>

#include "base/fail.hpp"
#include "io/system.hpp"

namespace hadamard::io {
namespace {

constexpr std::size_t kFirstRead = std::size_t{1} << 16;

std::string_view advice(int error) {
  switch (error) {
    case ENOENT:
      return "; check the name and that its directory exists";
    case EACCES:
    case EPERM:
      return "; check the permissions of the file and of its directory";
    case EISDIR:
      return "; give the name of a file";
    case ENOSPC:
      return "; free some space or choose another disk";
    case EDQUOT:
      return "; free some of your quota or choose another disk";
    case EROFS:
      return "; choose a file system that can be written";
    case EFBIG:
      return "; raise the limit of the file size (ulimit -f) or choose another file system";
    default:
      return "";
  }
}

}  // namespace

void fail_errno(std::string_view path, std::string_view action, int error) {
  fail(ErrorCode::io, "{}: cannot {}: {}{}", quoted(path), action,
       std::generic_category().message(error), advice(error));
}

void check_path(const std::string& path) {
  if (path.empty()) fail(ErrorCode::io, "expected the name of a file, found an empty one");
  if (path.find('\0') != std::string::npos) {
    fail(ErrorCode::io, "{}: a file's name cannot contain a zero byte", quoted(path));
  }
}

std::optional<int> own_descriptor(std::string_view path) {
  if (path == "/dev/stdin") return 0;
  if (path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(prefix)) continue;
    const std::string_view digits = path.substr(prefix.size());
    int fd = -1;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), fd);
    if (error == std::errc{} && end == digits.end() && fd >= 0) return fd;
  }
  return std::nullopt;
}

std::string quoted(std::string_view text, std::size_t longest) {
  std::string out = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  out += text.size() > longest ? "…'" : "'";
  return out;
}

void Descriptor::reset(int fd) noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

namespace {

std::string_view kind_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISDIR(mode) ? "a directory" : "a device";
}

void require_regular(const std::string& path, const struct stat& status) {
  if (S_ISREG(status.st_mode)) return;
  fail(ErrorCode::io, "{}: expected a regular file, found {}; remove it or give it another name",
       quoted(path), kind_of(status.st_mode));
}

}  // namespace

InputFile::InputFile(const std::string& path, Accept accept) : path_(path) {
  check_path(path);
  struct stat status {};
  int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
  if (accept == Accept::regular) {  // opening a pipe waits for a writer, and devices may act
    if (::stat(path.c_str(), &status) != 0) fail_errno(path, "open for reading", errno);
    require_regular(path, status);
    flags |= O_NONBLOCK;  // it may be another file by now
  }
  const auto own = accept == Accept::any ? own_descriptor(path) : std::nullopt;
  fd_ = Descriptor(own ? ::fcntl(*own, F_DUPFD_CLOEXEC, 3)
                       : retried([&] { return ::open(path.c_str(), flags); }));
  if (!fd_) fail_errno(path, "open for reading", errno);
  if (::fstat(fd_.get(), &status) != 0) fail_errno(path, "examine", errno);
  if (accept == Accept::regular) require_regular(path, status);
  if (S_ISDIR(status.st_mode)) fail_errno(path, "read", EISDIR);
  // Some files of /proc call themselves regular and empty: size 0 is streamed like a pipe.
  if (S_ISREG(status.st_mode) && status.st_size > 0 && ::lseek(fd_.get(), 0, SEEK_CUR) == 0) {
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
}

void InputFile::read_until(std::vector<std::byte>& bytes, std::uint64_t target) {
  std::size_t filled = bytes.size();
  try {
    while (filled < target) {
      if (filled == bytes.size()) {
        std::uint64_t next = std::max<std::uint64_t>(2 * filled, kFirstRead);
        if (size_ && *size_ >= filled) next = *size_ + 1;  // one more, to see the end
        bytes.resize(static_cast<std::size_t>(std::min(next, target)));
      }
      const std::size_t room = std::min(bytes.size() - filled, kMaxTransfer);
      const auto got = retried([&] { return ::read(fd_.get(), bytes.data() + filled, room); });
      if (got < 0) fail_errno(path_, "read", errno);
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::too_large, "{}: no memory for more than the first {} bytes; {}", quoted(path_),
         filled, "give the file by its name, not as a stream, so that it can be mapped");
  }
  bytes.resize(filled);
}

std::vector<std::byte> read_file(const std::string& path, Accept accept) {
  InputFile file(path, accept);
  std::vector<std::byte> bytes;
  file.read_until(bytes, std::numeric_limits<std::uint64_t>::max());
  return bytes;
}

std::shared_ptr<const Mapping> Mapping::of(const InputFile& file) {
  if (!file.size_ || *file.size_ > std::numeric_limits<std::size_t>::max()) return nullptr;
  const auto size = static_cast<std::size_t>(*file.size_);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd_.get(), 0);
  if (address == MAP_FAILED) return nullptr;
  auto* const mapping = new (std::nothrow) Mapping(address, size);
  if (mapping == nullptr) ::munmap(address, size);
  return std::shared_ptr<const Mapping>(mapping);
}

Mapping::~Mapping() { ::munmap(address_, size_); }

}  // namespace hadamard::io
