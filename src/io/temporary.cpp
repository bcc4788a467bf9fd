#include "io/temporary.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "io/atomic_file.hpp"
#include "io/system.hpp"

namespace hadamard::io {
namespace {

// ---- The registry. A slot is filled before its file exists and emptied after it is gone, so that
// a signal at any moment finds it; removing a name that does not exist is harmless.

struct Unfinished {
  enum State : int { kFree, kBusy, kArmed };
  std::atomic<int> state{kFree};
  int directory = 0;
  std::array<char, 48> name{};
};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads it");
std::array<Unfinished, kMaxUnfinished> unfinished;

// The slot's number; -1 when all are taken: then only the destructor and the next run remove it.
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

// ---- Names and locks.

constexpr std::string_view kPrefix = ".hadamard-", kSuffix = ".tmp";
constexpr std::size_t kDigits = 16;

bool is_our_name(std::string_view name) {
  if (name.size() != kPrefix.size() + kDigits + kSuffix.size()) return false;
  return name.starts_with(kPrefix) && name.ends_with(kSuffix) &&
         name.substr(kPrefix.size(), kDigits).find_first_not_of("0123456789abcdef") == name.npos;
}

// Empty with errno set where there is no randomness. A name is never used twice, so that a name in
// the registry is no other run's.
std::string random_name() {
  std::uint64_t random = 0;
  if (retried([&] { return ::getrandom(&random, sizeof random, 0); }) != sizeof random) return {};
  return fmt::format("{}{:016x}{}", kPrefix, random, kSuffix);
}

// A temporary in use is locked as shared, so that libraries may lock it likewise while they read
// it; a stale one can be locked as a whole.
bool lock(int fd, int kind) noexcept {
  return retried([&] { return ::flock(fd, kind | LOCK_NB); }) == 0;
}

// ---- Stale ones.

bool is_ours(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_uid == ::geteuid() && status.st_nlink == 1;
}

void remove_if_stale(int directory, const char* name) noexcept {
  struct stat seen {
  }, opened{}, named{};
  const auto look = [&](struct stat& status) {
    return ::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && is_ours(status);
  };
  if (!look(seen)) return;
  Descriptor fd;
  for (const int access : {O_RDWR, O_RDONLY, O_WRONLY}) {  // a lock may need any; one is allowed
    if (fd) break;
    fd.reset(::openat(directory, name, access | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  }
  if (!fd || ::fstat(fd.get(), &opened) != 0 || !is_ours(opened) || !lock(fd.get(), LOCK_EX))
    return;
  // Between the first look and the lock it may have been renamed: then it is an output.
  if (look(named) && is_same_file(named, opened)) ::unlinkat(directory, name, 0);
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

void remove_stale_temporaries(int directory) noexcept {
  Descriptor fd(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return;  // it may be entered but not listed
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(fd.get()), &::closedir);
  if (entries == nullptr) return;
  fd.release();
  for (int i = 0; i < kMostEntries; ++i) {
    const dirent* const entry = ::readdir(entries.get());
    if (entry == nullptr) return;
    const bool may_be_regular = entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN;
    if (may_be_regular && is_our_name(entry->d_name)) remove_if_stale(directory, entry->d_name);
  }
}

bool sync_to_disk(int fd) noexcept {
  return retried([&] { return ::fsync(fd); }) == 0 || errno == EINVAL || errno == ENOTSUP;
}

// Calls make(name), which answers 0 or errno, with new names until there is no file so called.
template <class Make>
int Temporary::take_name(const Make& make) {
  constexpr int kTries = 16;
  int error = EEXIST;
  for (int tries = 0; tries < kTries && error == EEXIST; ++tries) {
    const std::string name = random_name();
    if (name.empty()) return errno;
    slot_ = enlist(directory_, name);
    error = make(name.c_str());
    if (error == 0) {
      name_ = name;
    } else {
      forget();
    }
  }
  return error;
}

int Temporary::create(int directory, mode_t mode) {
  directory_ = directory;
  fd_ = Descriptor(
      retried([&] { return ::openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode); }));
  // Without /proc it could never be linked.
  if (fd_ && ::access(name_of_descriptor(fd_.get()).c_str(), F_OK) == 0) return 0;
  return create_named(mode);
}

int Temporary::create_named(mode_t mode) {
  return take_name([&](const char* name) {
    fd_ = Descriptor(retried([&] {
      return ::openat(directory_, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    }));
    if (!fd_) return errno;
    // Another run may have found it before it was locked, and taken it for a stale one. Where there
    // are no locks, none can be taken there either.
    struct stat status {};
    const bool is_taken = !lock(fd_.get(), LOCK_SH) && errno == EWOULDBLOCK;
    if (!is_taken && ::fstat(fd_.get(), &status) == 0 && status.st_nlink > 0) return 0;
    ::unlinkat(directory_, name, 0);
    return EEXIST;
  });
}

int Temporary::link() {
  if (!name_.empty()) return 0;
  lock(fd_.get(), LOCK_SH);  // before it has a name: whoever finds that finds the lock
  const std::string file = name_of_descriptor(fd_.get());
  const int error = take_name([&](const char* name) {
    return ::linkat(AT_FDCWD, file.c_str(), directory_, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  });
  // btrfs brings nothing of a file without a name to its log. Elsewhere there is nothing to do.
  if (error == 0 && ::fdatasync(fd_.get()) != 0 && errno != EINVAL) return errno;
  return error;
}

int Temporary::finish() {
  if (!fd_) return 0;
  if (!sync_to_disk(fd_.get())) return errno;
  // Network file systems report a full disk or quota as late as when it is closed. After EINTR it
  // is closed. The lock stays with the other descriptor.
  const int copy = ::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 3);
  if (copy >= 0 && ::close(copy) != 0 && errno != EINTR) return errno;
  rlimit limit{};
  const bool few_are_left = ::getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
                            static_cast<rlim_t>(fd_.get()) >= limit.rlim_cur / 2;
  if (!few_are_left) return 0;
  const int error = link();
  if (error == 0) give_up_descriptor();
  return error;
}

// A lock lives as long as the open file, and that as long as it is mapped.
void Temporary::give_up_descriptor() {
  void* const mapped = ::mmap(nullptr, 1, PROT_READ, MAP_SHARED, fd_.get(), 0);
  if (mapped == MAP_FAILED) return;
  mapped_ = mapped;
  fd_.reset();
}

int Temporary::rename_to(const std::string& name) {
  if (const int error = link(); error != 0) return error;
  if (::renameat(directory_, name_.c_str(), directory_, name.c_str()) != 0) return errno;
  forget();
  fd_.reset();
  return 0;
}

void Temporary::discard() noexcept {
  if (!name_.empty()) ::unlinkat(directory_, name_.c_str(), 0);
  forget();
  fd_.reset();
}

// It has no name any more, and the lock is not needed.
void Temporary::forget() noexcept {
  name_.clear();
  delist(slot_);
  slot_ = -1;
  if (mapped_ != nullptr) ::munmap(mapped_, 1);
  mapped_ = nullptr;
}

}  // namespace hadamard::io
