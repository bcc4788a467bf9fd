#include "io/output_place.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "base/fail.hpp"
#include "io/system.hpp"

namespace hadamard::io {
namespace {

constexpr int kMostLinks = 40;  // as the kernel

void refuse_trap(const std::string& path, const OutputPlace& place, const struct stat& found) {
  struct stat directory {};
  if (::fstat(place.directory.get(), &directory) != 0) fail_errno(path, "examine", errno);
  const bool anybody_may_write = (directory.st_mode & S_IWOTH) != 0;
  if (!anybody_may_write || found.st_uid == ::geteuid() || found.st_uid == directory.st_uid) return;
  fail(
      ErrorCode::io,
      "{}: cannot write: {} is a {} of another user (uid {}) in a world-writable directory; remove "
      "it, or give the name of the file itself",
      quoted(path), quoted(place.name), S_ISLNK(found.st_mode) ? "symbolic link" : "pipe",
      found.st_uid);
}

std::string text_of_link(const std::string& path, const Descriptor& link) {
  std::array<char, 4097> text;
  const auto length = ::readlinkat(link.get(), "", text.data(), text.size());
  if (length < 0) fail_errno(path, "follow the symbolic link", errno);
  if (static_cast<std::size_t>(length) == text.size()) {
    fail_errno(path, "follow the symbolic link", ENAMETOOLONG);
  }
  return {text.data(), static_cast<std::size_t>(length)};
}

bool is_of_proc(const Descriptor& link) {
  struct statfs system {};
  return ::fstatfs(link.get(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

// A link of /proc to an open file, which need not have a name: only the kernel can follow it. The
// file, unless it is regular and has the name that the link shows.
Descriptor unnamed_target(const OutputPlace& place, const Descriptor& link) {
  if (!is_of_proc(link)) return Descriptor();
  Descriptor target(::openat(place.directory.get(), place.name.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  const bool is_there = target && ::fstat(target.get(), &status) == 0 && !S_ISDIR(status.st_mode);
  const bool is_special = is_there && (!S_ISREG(status.st_mode) || status.st_nlink == 0);
  return is_special ? std::move(target) : Descriptor();
}

constexpr int kFolder = O_PATH | O_DIRECTORY | O_CLOEXEC;

void open_folder(const std::string& path, const char* name, OutputPlace& place) {
  place.directory = Descriptor(::open(name, kFolder));
  if (!place.directory) fail_errno(path, "open the directory for writing", errno);
}

// Goes on to the directory that the place names; where that is a link, puts its text before `rest`.
// At the root, which stays closed, names are opened with their slash: emulators of other processors
// have a root of their own.
void step(const std::string& path, OutputPlace& place, bool& at_root, std::string& rest,
          int& links) {
  const int base = at_root ? AT_FDCWD : place.directory.get();
  const std::string name = (at_root ? "/" : "") + place.name;
  Descriptor next(::openat(base, name.c_str(), kFolder | O_NOFOLLOW));
  if (!next) {
    const int error = errno;
    const Descriptor link(::openat(base, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!link || ::fstat(link.get(), &status) != 0 || !S_ISLNK(status.st_mode)) {
      fail_errno(path, "open the directory for writing", error);
    }
    if (at_root) open_folder(path, "/", place);
    refuse_trap(path, place, status);
    if (++links > kMostLinks) fail_errno(path, "follow the symbolic links", ELOOP);
    if (!is_of_proc(link)) {
      rest = text_of_link(path, link) + "/" + rest;
      return;
    }
    next = Descriptor(::openat(base, name.c_str(), kFolder));  // only the kernel can follow it
    if (!next) fail_errno(path, "open the directory for writing", errno);
  }
  place.directory = std::move(next);
  at_root = false;
}

// Opens the directory of `at`, which is relative to the one of the place so far: one name after
// the other, since each may be a link.
void enter(const std::string& path, const std::string& at, OutputPlace& place, int& links) {
  if (at.ends_with('/')) fail_errno(path, "write", EISDIR);
  if (!place.directory) open_folder(path, ".", place);
  bool at_root = false;
  std::string rest = at;
  for (;;) {
    if (rest.starts_with('/')) {
      at_root = true;
      rest.erase(0, rest.find_first_not_of('/'));
    }
    const std::size_t slash = rest.find('/');
    place.name = rest.substr(0, slash);
    if (slash == std::string::npos) break;
    rest.erase(0, rest.find_first_not_of('/', slash));
    step(path, place, at_root, rest, links);
  }
  if (at_root) open_folder(path, "/", place);
}

}  // namespace

OutputPlace find_output(const std::string& path) {
  check_path(path);
  OutputPlace place;
  std::string at = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    if (const auto own = own_descriptor(at)) {
      place.kind = OutputPlace::Kind::own;
      place.own = *own;
      return place;
    }
    enter(path, at, place, links);
    place.found = Descriptor(
        ::openat(place.directory.get(), place.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!place.found && errno == ENOENT) return place;
    struct stat status {};
    if (!place.found || ::fstat(place.found.get(), &status) != 0) fail_errno(path, "write", errno);
    if (S_ISDIR(status.st_mode)) fail_errno(path, "write", EISDIR);
    if (S_ISFIFO(status.st_mode) || S_ISLNK(status.st_mode)) refuse_trap(path, place, status);
    if (!S_ISLNK(status.st_mode)) {
      const bool is_regular = S_ISREG(status.st_mode);
      place.kind = is_regular ? OutputPlace::Kind::regular : OutputPlace::Kind::special;
      return place;
    }
    if (Descriptor target = unnamed_target(place, place.found)) {
      place.kind = OutputPlace::Kind::special;
      place.found = std::move(target);
      return place;
    }
    at = text_of_link(path, place.found);
  }
  fail_errno(path, "follow the symbolic links", ELOOP);
}

}  // namespace hadamard::io
