#include "io/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <new>
#include <system_error>

#include "base/fail.hpp"

namespace hadamard::io {
namespace {

// Linux moves at most this much in one call.
constexpr std::size_t kMaxTransfer = std::size_t{1} << 30;
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

[[noreturn]] void fail_errno(std::string_view path, std::string_view action, int error) {
  fail(ErrorCode::io, "{}: cannot {}: {}{}", quoted(path), action,
       std::generic_category().message(error), advice(error));
}

void check_path(const std::string& path) {
  if (path.empty()) fail(ErrorCode::io, "expected the name of a file, found an empty one");
  if (path.find('\0') != std::string::npos) {
    fail(ErrorCode::io, "{}: a file's name cannot contain a zero byte", quoted(path));
  }
}

// N for /dev/fd/N and the other names of the process's own descriptors. Opening such a name again
// would start at byte 0 of a file that others are writing, and fails for sockets: it is duplicated.
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

template <class Call>
auto retried(Call&& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

Descriptor open_or_duplicate(const std::string& path, int flags) {
  if (const auto own = own_descriptor(path)) {
    return Descriptor(::fcntl(*own, F_DUPFD_CLOEXEC, 3));
  }
  return Descriptor(retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY); }));
}

}  // namespace

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

InputFile::InputFile(const std::string& path) : path_(path) {
  check_path(path);
  fd_ = open_or_duplicate(path, O_RDONLY);
  if (!fd_) fail_errno(path, "open for reading", errno);
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) fail_errno(path, "examine", errno);
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

std::vector<std::byte> read_file(const std::string& path) {
  InputFile file(path);
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

namespace {

// The registry of temporaries. A slot is filled before its file exists and emptied after it is
// gone, so that a signal at any moment finds it; removing a name that does not exist is harmless.
struct Unfinished {
  enum State : int { kFree, kBusy, kArmed };
  std::atomic<int> state{kFree};
  int directory = 0;
  std::array<char, 48> name{};
};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads it");
std::array<Unfinished, kMaxUnfinished> unfinished;

// The slot's number; -1 when all are taken, and then only the destructor removes the file.
int enlist(int directory, const std::string& name) noexcept {
  for (int i = 0; i < kMaxUnfinished; ++i) {
    Unfinished& slot = unfinished[static_cast<std::size_t>(i)];
    int expected = Unfinished::kFree;
    if (name.size() >= slot.name.size() ||
        !slot.state.compare_exchange_strong(expected, Unfinished::kBusy)) {
      continue;
    }
    slot.directory = directory;
    std::memcpy(slot.name.data(), name.c_str(), name.size() + 1);
    slot.state.store(Unfinished::kArmed, std::memory_order_release);
    return i;
  }
  return -1;
}

void delist(int slot) noexcept {
  if (slot >= 0) unfinished[static_cast<std::size_t>(slot)].state.store(Unfinished::kFree);
}

// Where an output really goes: the end of a chain of symbolic links, which need not exist.
std::string follow_links(const std::string& path) {
  std::string at = path;
  for (int hops = 0; hops < 40; ++hops) {
    std::array<char, 4096> link;
    if (own_descriptor(at)) return at;
    const auto length = ::readlink(at.c_str(), link.data(), link.size());
    if (length < 0) return at;  // not a link; whatever else is wrong shows when it is opened
    const std::string_view to(link.data(), static_cast<std::size_t>(length));
    if (to.size() == link.size()) fail_errno(path, "follow the symbolic link", ENAMETOOLONG);
    const std::size_t slash = at.rfind('/');
    if (to.starts_with('/') || slash == std::string::npos) {
      at = to;
    } else {
      at.replace(slash + 1, std::string::npos, to);
    }
  }
  fail_errno(path, "follow the symbolic links", ELOOP);
}

std::string random_name() {
  std::uint64_t random = 0;
  if (retried([&] { return ::getrandom(&random, sizeof random, 0); }) != sizeof random) {
    fail_errno("/dev/urandom", "choose a name for a temporary file", errno);
  }
  return fmt::format(".hadamard-{:016x}.tmp", random);
}

// Owner and permissions of the file to be replaced, as far as this user may set them.
void keep_attributes(int fd, const struct stat& old) {
  struct stat now {};
  mode_t mode = old.st_mode & 07777;
  if (::fstat(fd, &now) == 0 && (now.st_uid != old.st_uid || now.st_gid != old.st_gid) &&
      ::fchown(fd, old.st_uid, old.st_gid) != 0 &&
      ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) != 0) {
    mode &= 0777;  // set-id bits mean another thing for another owner
  }
  // File systems without permissions refuse this, and lose nothing by it.
  [[maybe_unused]] const int ignored = ::fchmod(fd, mode);
}

// False with errno set where data may not have reached the disk. Pipes and devices cannot be
// synced.
bool sync(int fd) noexcept {
  return retried([&] { return ::fsync(fd); }) == 0 || errno == EINVAL || errno == ENOTSUP;
}

}  // namespace

void remove_unfinished_outputs() noexcept {
  const int saved = errno;
  for (Unfinished& slot : unfinished) {
    if (slot.state.load(std::memory_order_acquire) == Unfinished::kArmed) {
      ::unlinkat(slot.directory, slot.name.data(), 0);
    }
  }
  errno = saved;
}

AtomicFile::AtomicFile(const std::string& path, const AtomicFile* neighbour) : path_(path) {
  check_path(path);
  const std::string target = follow_links(path);
  struct stat status {};
  if (own_descriptor(target)) {
    open_direct(target);
  } else if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail_errno(path, "write", EISDIR);
    S_ISREG(status.st_mode) ? open_temporary(target, neighbour) : open_direct(path);
  } else if (errno == ENOENT) {
    open_temporary(target, neighbour);
  } else {
    fail_errno(path, "write", errno);
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::open_direct(const std::string& path) {
  fd_ = open_or_duplicate(path, O_WRONLY);
  if (!fd_) fail_errno(path_, "open for writing", errno);
}

void AtomicFile::open_temporary(const std::string& target, const AtomicFile* neighbour) {
  const std::size_t slash = target.rfind('/');
  target_ = slash == std::string::npos ? target : target.substr(slash + 1);
  if (target_.empty()) fail_errno(path_, "write", EISDIR);
  directory_name_ = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  if (neighbour != nullptr && neighbour->directory_name_ == directory_name_) {
    directory_ = neighbour->directory_;
  } else {
    Descriptor directory(::open(directory_name_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory && errno == EACCES) {  // may be entered but not listed: enough, but for the sync
      directory = Descriptor(::open(directory_name_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    }
    if (!directory) fail_errno(path_, "open the directory for writing", errno);
    directory_ = std::make_shared<const Descriptor>(std::move(directory));
  }

  struct stat old {};
  const bool replaces = ::fstatat(directory_->get(), target_.c_str(), &old, 0) == 0;
  if (replaces && ::faccessat(directory_->get(), target_.c_str(), W_OK, AT_EACCESS) != 0) {
    fail_errno(path_, "replace", errno);
  }
  for (int tries = 0; tries < 16 && !fd_; ++tries) {
    const std::string name = random_name();
    slot_ = enlist(directory_->get(), name);
    fd_ = Descriptor(retried([&] {
      return ::openat(directory_->get(), name.c_str(),
                      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, replaces ? 0600 : 0666);
    }));
    const int error = errno;
    if (fd_) {
      temporary_ = name;
    } else {
      delist(slot_);
      slot_ = -1;
      if (error != EEXIST) fail_errno(path_, "create a temporary file beside it", error);
    }
  }
  if (!fd_) fail_errno(path_, "create a temporary file beside it", EEXIST);
  if (replaces) keep_attributes(fd_.get(), old);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), kMaxTransfer);
    const auto done = retried([&] { return ::write(fd_.get(), bytes.data(), size); });
    if (done < 0) fail_errno(path_, "write", errno);
    if (done == 0) fail_errno(path_, "write", ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

std::string AtomicFile::name_for_libraries() const {
  if (temporary_.empty()) {
    fail(ErrorCode::io, "{}: cannot write this kind of file to a device or a pipe; {}",
         quoted(path_), "give the name of a regular file");
  }
  // Not /proc/self/fd, which InputFile would take for a descriptor to be read on from.
  return fmt::format("/proc/thread-self/fd/{}", fd_.get());
}

void AtomicFile::finish() {
  if (!sync(fd_.get())) fail_errno(path_, "bring the data to the disk", errno);
  // Network file systems report a full disk or quota as late as here. After EINTR it is closed.
  if (::close(fd_.release()) != 0 && errno != EINTR) fail_errno(path_, "finish writing", errno);
}

void AtomicFile::commit() {
  if (fd_) finish();
  if (temporary_.empty()) return;
  if (::renameat(directory_->get(), temporary_.c_str(), directory_->get(), target_.c_str()) != 0) {
    fail_errno(path_, "replace", errno);
  }
  temporary_.clear();
  delist(slot_);
  slot_ = -1;
  // EBADF: the directory may be entered but not listed, and then it cannot be synced either.
  if (!sync(directory_->get()) && errno != EBADF) {
    fail_errno(path_, "bring its name to the disk (the file itself is complete)", errno);
  }
}

void AtomicFile::discard() noexcept {
  if (!temporary_.empty()) ::unlinkat(directory_->get(), temporary_.c_str(), 0);
  temporary_.clear();
  delist(slot_);
  slot_ = -1;
}

}  // namespace hadamard::io
