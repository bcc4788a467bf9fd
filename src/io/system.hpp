// What the files of this module share: the errors of system calls, and names for descriptors.
#pragma once

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hadamard::io {

// Throws io: "'PATH': cannot ACTION: REASON; ADVICE".
[[noreturn]] void fail_errno(std::string_view path, std::string_view action, int error);

// Throws io for a name that is empty or has a zero byte.
void check_path(const std::string& path);

// N for /dev/fd/N and the other names of the process's own descriptors. Opening such a name again
// would start at byte 0 of a file that others are writing, and fails for sockets: it is duplicated.
std::optional<int> own_descriptor(std::string_view path);

// A name of the open file itself, whatever its own name is by now. Not /proc/self/fd, which
// own_descriptor() knows.
inline std::string name_of_descriptor(int fd) { return fmt::format("/proc/thread-self/fd/{}", fd); }

// Linux moves at most this much in one call.
inline constexpr std::size_t kMaxTransfer = std::size_t{1} << 30;

inline bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

template <class Call>
auto retried(Call&& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace hadamard::io
