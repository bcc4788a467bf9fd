#include "io/attributes.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "io/system.hpp"

namespace hadamard::io {
namespace {

constexpr const char* kAccessList = "system.posix_acl_access";
constexpr std::string_view kOfTheContent[] = {"security.capability", "security.ima",
                                              "security.evm"};

// Calls `read(data, size)`, which answers as getxattr() does, until all has fitted. False with
// errno set.
template <class Read>
bool read_all(std::string& text, const Read& read) {
  for (int tries = 0; tries < 8; ++tries) {
    const ssize_t size = read(nullptr, 0);
    if (size < 0) return false;
    text.resize(static_cast<std::size_t>(size) + 1);  // a size of 0 would ask again
    const ssize_t got = read(text.data(), text.size());
    if (got >= 0) {
      text.resize(static_cast<std::size_t>(got));
      return true;
    }
    if (errno != ERANGE) return false;  // ERANGE: it has grown meanwhile
  }
  return false;
}

// EBADF: the file was opened with O_PATH, as one that this user may write and not read. Then the
// calls that take names are for it.
bool read_attribute(int fd, const char* name, std::string& value) {
  return read_all(value, [&](char* data, std::size_t size) {
    const ssize_t got = ::fgetxattr(fd, name, data, size);
    if (got >= 0 || errno != EBADF) return got;
    return ::getxattr(name_of_descriptor(fd).c_str(), name, data, size);
  });
}

void copy_attributes(int fd, int replaced) {
  std::string names, value;
  const auto list = [&](char* data, std::size_t size) {
    const ssize_t got = ::flistxattr(replaced, data, size);
    if (got >= 0 || errno != EBADF) return got;
    return ::listxattr(name_of_descriptor(replaced).c_str(), data, size);
  };
  if (!read_all(names, list)) return;
  for (const char* name = names.c_str(); name < names.c_str() + names.size();
       name += std::strlen(name) + 1) {
    const bool is_of_the_content = std::find(std::begin(kOfTheContent), std::end(kOfTheContent),
                                             name) != std::end(kOfTheContent);
    if (is_of_the_content || std::strcmp(name, kAccessList) == 0) continue;
    if (read_attribute(replaced, name, value)) {
      [[maybe_unused]] const int ignored = ::fsetxattr(fd, name, value.data(), value.size(), 0);
    }
  }
}

// False where it had a list that could not be kept: then the group's permissions are the mask of
// that list, and not what the group had. Where it had none, one that was inherited from the
// directory is dropped.
bool copy_access_list(int fd, int replaced) {
  std::string list;
  if (!read_attribute(replaced, kAccessList, list)) {
    const bool has_none = errno == ENODATA || errno == ENOTSUP;
    [[maybe_unused]] const int ignored = ::fremovexattr(fd, kAccessList);
    return has_none;
  }
  if (::fsetxattr(fd, kAccessList, list.data(), list.size(), 0) == 0) return true;
  [[maybe_unused]] const int ignored = ::fremovexattr(fd, kAccessList);
  return false;
}

}  // namespace

void keep_attributes(int fd, int replaced) {
  constexpr mode_t kSetIds = 07000, kGroup = 0070, kOthers = 0007;
  struct stat old {
  }, now{};
  if (::fstat(replaced, &old) != 0 || ::fstat(fd, &now) != 0) return;
  mode_t mode = old.st_mode & 07777;
  const bool is_another_owner = now.st_uid != old.st_uid || now.st_gid != old.st_gid;
  if (is_another_owner && ::fchown(fd, old.st_uid, old.st_gid) != 0) {
    mode &= ~kSetIds;  // they mean another thing for another owner
    if (now.st_gid != old.st_gid && ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) != 0) {
      mode &= ~kGroup | (mode & kOthers) << 3;  // to the file, this group is like others
    }
  }
  copy_attributes(fd, replaced);
  if (!copy_access_list(fd, replaced)) mode &= ~kGroup;
  // File systems without permissions refuse this, and lose nothing by it.
  [[maybe_unused]] const int ignored = ::fchmod(fd, mode);
}

}  // namespace hadamard::io
