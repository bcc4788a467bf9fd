#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/fail.hpp"
#include "io/attributes.hpp"
#include "io/output_place.hpp"
#include "io/system.hpp"

namespace hadamard::io {
namespace {
constexpr std::string_view kName = "give the temporary file beside it a name";

bool are_one_file(const Descriptor& a, const Descriptor& b) {
  struct stat status_a {
  }, status_b{};
  return a && b && ::fstat(a.get(), &status_a) == 0 && ::fstat(b.get(), &status_b) == 0 &&
         is_same_file(status_a, status_b);
}

// By its name, and only if it is still what was found. Not set where it cannot be, with errno.
Descriptor open_found(const OutputPlace& place, int flags) {
  Descriptor fd(retried([&] {
    return ::openat(place.directory.get(), place.name.c_str(),
                    flags | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
  }));
  if (!fd || are_one_file(fd, place.found)) return fd;
  errno = ESTALE;
  return Descriptor();
}

Descriptor open_special(const OutputPlace& place) {
  const std::string name = name_of_descriptor(place.found.get());
  Descriptor fd(retried([&] { return ::open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); }));
  const bool has_no_proc = !fd && (errno == ENOENT || errno == EACCES);
  return has_no_proc ? open_found(place, O_WRONLY) : std::move(fd);
}

// Open for reading where that is allowed: then its attributes can be read without /proc.
Descriptor open_replaced(OutputPlace& place) {
  Descriptor fd = open_found(place, O_RDONLY | O_NONBLOCK);
  return fd ? std::move(fd) : std::move(place.found);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, const AtomicFile* neighbour) : path_(path) {
  OutputPlace place = find_output(path);
  switch (place.kind) {
    case OutputPlace::Kind::own:
      direct_ = Descriptor(::fcntl(place.own, F_DUPFD_CLOEXEC, 3));
      break;
    case OutputPlace::Kind::special:
      direct_ = open_special(place);
      break;
    case OutputPlace::Kind::absent:
    case OutputPlace::Kind::regular:
      open_temporary(place, neighbour);
      return;
  }
  if (!direct_) fail_errno(path_, "open for writing", errno);
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::check(int error, std::string_view action) const {
  if (error != 0) fail_errno(path_, action, error);
}

void AtomicFile::take_directory(const Descriptor& directory, const AtomicFile* neighbour) {
  if (neighbour != nullptr && neighbour->directory_ != nullptr &&
      are_one_file(directory, *neighbour->directory_)) {
    directory_ = neighbour->directory_;
    return;
  }
  constexpr int kFlags = O_DIRECTORY | O_CLOEXEC;
  Descriptor open(::openat(directory.get(), ".", O_RDONLY | kFlags));
  if (!open && errno == EACCES) {  // may be entered but not listed: enough, but for the sync
    open = Descriptor(::openat(directory.get(), ".", O_PATH | kFlags));
  }
  if (!open) fail_errno(path_, "open the directory for writing", errno);
  directory_ = std::make_shared<const Descriptor>(std::move(open));
  remove_stale_temporaries(directory_->get());
}

void AtomicFile::open_temporary(OutputPlace& place, const AtomicFile* neighbour) {
  const bool replaces = place.kind == OutputPlace::Kind::regular;
  if (replaces && ::faccessat(place.directory.get(), place.name.c_str(), W_OK, AT_EACCESS) != 0) {
    fail_errno(path_, "replace", errno);
  }
  take_directory(place.directory, neighbour);
  target_ = place.name;
  if (replaces) replaced_ = open_replaced(place);
  temporary_ = std::make_unique<Temporary>();
  check(temporary_->create(directory_->get(), replaces ? 0600 : 0666),
        "create a temporary file beside it");
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  const int fd = temporary_ ? temporary_->fd() : direct_.get();
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), kMaxTransfer);
    const auto done = retried([&] { return ::write(fd, bytes.data(), size); });
    if (done < 0) fail_errno(path_, "write", errno);
    if (done == 0) fail_errno(path_, "write", ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

std::string AtomicFile::name_for_libraries() {
  if (!temporary_) {
    fail(ErrorCode::io, "{}: cannot write this kind of file to a device or a pipe; {}",
         quoted(path_), "give the name of a regular file");
  }
  check(temporary_->link(), kName);  // HDF5 looks for the true name
  return fmt::format("{}/{}", name_of_descriptor(directory_->get()), temporary_->name());
}

void AtomicFile::finish() {
  if (is_finished_) return;
  constexpr std::string_view kAction = "bring the data to the disk";
  if (temporary_) {
    if (replaced_) keep_attributes(temporary_->fd(), replaced_.get());
    check(temporary_->finish(), kAction);
    replaced_.reset();
  } else {
    if (!sync_to_disk(direct_.get())) fail_errno(path_, kAction, errno);
    // After EINTR it is closed.
    if (::close(direct_.release()) != 0 && errno != EINTR) fail_errno(path_, kAction, errno);
  }
  is_finished_ = true;
}

void AtomicFile::prepare() {
  finish();
  if (temporary_) check(temporary_->link(), kName);
}

void AtomicFile::commit() {
  prepare();
  if (!temporary_) return;
  check(temporary_->rename_to(target_), "replace");
  temporary_.reset();
  // EBADF: the directory may be entered but not listed, and then it cannot be synced either.
  if (!sync_to_disk(directory_->get()) && errno != EBADF) {
    fail_errno(path_, "bring its name to the disk (the file itself is complete)", errno);
  }
}

}  // namespace hadamard::io
