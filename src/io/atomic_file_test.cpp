#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "io/test_files.hpp"

namespace hadamard::io {
namespace {

bool has_unnamed_files(const std::string& folder) {
  return static_cast<bool>(Descriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR, 0600)));
}

// As where a process has few descriptors left: outputs that are finished take their name and give
// up their descriptor.
class FewDescriptors {
 public:
  FewDescriptors() {
    while (held_.size() < 20) held_.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &limit_), 0);
    const rlimit few{static_cast<rlim_t>(2 * held_.back().get()), limit_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  }
  ~FewDescriptors() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &limit_), 0); }

 private:
  std::vector<Descriptor> held_;
  rlimit limit_{};
};

// Runs `body` in a process of its own, which is killed when it has come to its end.
template <class Body>
void run_and_kill(const Body& body) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    body([&] {
      if (::write(ready[1], "r", 1) == 1) ::pause();
      ::_exit(1);
    });
    ::_exit(1);
  }
  ::close(ready[1]);
  char c = 0;
  EXPECT_EQ(::read(ready[0], &c, 1), 1);
  ::close(ready[0]);
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
}

TEST(AtomicFile, CreatesWithTheUmask) {
  const Scratch dir;
  const mode_t old = ::umask(027);
  write_file(dir / "f", "hello");
  ::umask(old);
  EXPECT_EQ(get(dir / "f"), "hello");
  EXPECT_EQ(mode_of(dir / "f"), 0640U);
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(AtomicFile, KeepsPermissionsOfWhatItReplaces) {
  const Scratch dir;
  for (const mode_t mode : {0600U, 0666U, 0755U, 0440U}) {
    if (::geteuid() != 0 && (mode & 0200) == 0) continue;
    put(dir / "f", "old");
    ASSERT_EQ(::chmod((dir / "f").c_str(), mode), 0);
    write_file(dir / "f", "new");
    EXPECT_EQ(get(dir / "f"), "new");
    EXPECT_EQ(mode_of(dir / "f"), mode);
    ::unlink((dir / "f").c_str());
  }
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const Scratch dir;
  put(dir / "f", "old");
  {
    AtomicFile file(dir / "f");
    file.write(bytes_of("new content"));
    EXPECT_EQ(get(dir / "f"), "old");
    EXPECT_EQ(dir.entries(), has_unnamed_files(dir / ".") ? 1U : 2U);
  }
  EXPECT_EQ(get(dir / "f"), "old");
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(AtomicFile, WritesDevicesAndFifosDirectly) {
  const Scratch dir;
  write_file("/dev/null", "gone");
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));

  const std::string fifo = dir / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::string content(200000, 'z');
  std::thread writer([&] { write_file(fifo, content); });
  EXPECT_EQ(get(fifo), content);
  writer.join();
  EXPECT_TRUE(std::filesystem::is_fifo(fifo));
}

TEST(AtomicFile, AppendsToOwnDescriptors) {
  const Scratch dir;
  const Descriptor fd(::open((dir / "f").c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_EQ(::write(fd.get(), "one ", 4), 4);
  write_file("/dev/fd/" + std::to_string(fd.get()), "two");
  ASSERT_EQ(::write(fd.get(), " three", 6), 6);
  EXPECT_EQ(get(dir / "f"), "one two three");
}

TEST(AtomicFile, SaysWhyNot) {
  const Scratch dir;
  std::filesystem::create_directory(dir / "folder");
  expect_error(ErrorCode::io, {dir / "folder", "Is a directory", "name of a file"},
               [&] { write_file(dir / "folder", ""); });
  expect_error(ErrorCode::io, {dir / "no/f", "No such file", "directory exists"},
               [&] { write_file(dir / "no/f", ""); });
  expect_error(ErrorCode::io, {dir / "new/", "Is a directory"},
               [&] { write_file(dir / "new/", ""); });
  put(dir / "f", "x");
  expect_error(ErrorCode::io, {dir / "f/g", "Not a directory"},
               [&] { write_file(dir / "f/g", ""); });
  ASSERT_EQ(::chmod((dir / "f").c_str(), 0444), 0);
  std::filesystem::create_directory(dir / "closed");
  ASSERT_EQ(::chmod((dir / "closed").c_str(), 0555), 0);
  const AsNobody nobody;
  expect_error(ErrorCode::io, {dir / "f", "Permission denied"},
               [&] { write_file(dir / "f", "y"); });
  expect_error(ErrorCode::io, {dir / "closed/g", "temporary", "Permission denied"},
               [&] { write_file(dir / "closed/g", "y"); });
  EXPECT_EQ(get(dir / "f"), "x");
}

TEST(AtomicFile, KeepsTheOldFileWhenTheDiskIsFull) {
  const Scratch dir;
  std::filesystem::create_symlink("/dev/full", dir / "full");
  expect_error(ErrorCode::io, {dir / "full", "No space left", "free some space"},
               [&] { write_file(dir / "full", "x"); });

  put(dir / "f", "old");
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit tiny{10, limit.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tiny), 0);
  expect_error(ErrorCode::io, {dir / "f", "File too large", "ulimit"},
               [&] { write_file(dir / "f", "more than ten bytes"); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(get(dir / "f"), "old");
  EXPECT_EQ(dir.entries(), 1U + 1U);  // f and full: no temporary
}

TEST(RemoveUnfinishedOutputs, LeavesNoTemporaryBehindASignal) {
  const Scratch dir;
  put(dir / "f", "old");
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGTERM, [](int) {
      remove_unfinished_outputs();
      ::_exit(7);
    });
    AtomicFile file(dir / "f");
    AtomicFile other(dir / "g");
    file.write(bytes_of("half"));
    file.prepare();
    other.prepare();
    if (::chdir("/") == 0 && ::write(ready[1], "r", 1) == 1) ::pause();
    ::_exit(1);
  }
  char c = 0;
  ASSERT_EQ(::read(ready[0], &c, 1), 1);
  EXPECT_EQ(dir.entries(), 3U);
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  EXPECT_EQ(dir.entries(), 1U);
  EXPECT_EQ(get(dir / "f"), "old");
  ::close(ready[0]);
  ::close(ready[1]);
}

// The process may have so many files open, as far as it can be allowed to.
void allow_open_files(rlim_t count) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  limit.rlim_cur = std::min(count, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::filesystem::path where_syncing_is_fast() {
  const bool has_memory = ::access("/dev/shm", W_OK) == 0;
  return has_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
}

TEST(RemoveUnfinishedOutputs, ForgetsFinishedOnesAndOverflowsGently) {
  const Scratch dir(where_syncing_is_fast());
  allow_open_files(kMaxUnfinished + 100);
  std::vector<std::unique_ptr<AtomicFile>> many;
  const auto add = [&] {
    const AtomicFile* const neighbour = many.empty() ? nullptr : many.back().get();
    many.push_back(std::make_unique<AtomicFile>(dir / std::to_string(many.size()), neighbour));
    many.back()->prepare();
  };
  for (int i = 1; i < kMaxUnfinished; ++i) add();
  for (int i = 0; i < 10; ++i)
    write_file(dir / "f", "x");  // each takes the last place and leaves it
  for (int i = 0; i < 10; ++i) {
    AtomicFile discarded(dir / "g");
    discarded.prepare();
  }
  for (int i = 0; i < 1 + 5; ++i) add();
  EXPECT_EQ(dir.entries(), static_cast<std::size_t>(kMaxUnfinished) + 5 + 1);
  remove_unfinished_outputs();
  EXPECT_EQ(dir.entries(), 5U + 1U);
  expect_error(ErrorCode::io, {"No such file"}, [&] { many.front()->commit(); });
  many.clear();
  EXPECT_EQ(get(dir / "f"), "x");
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(AtomicFile, NeighboursShareTheirDirectoryAndNothingElse) {
  const Scratch dir, other;
  put(dir / "b", "old");
  auto a = std::make_unique<AtomicFile>(dir / "a");
  auto b = std::make_unique<AtomicFile>(dir / "b", a.get());
  AtomicFile c(other / "c", a.get());
  for (AtomicFile* file : {a.get(), b.get(), &c}) {
    file->write(bytes_of("new"));
    file->finish();
  }
  EXPECT_EQ(get(dir / "b"), "old");
  a.reset();  // not committed
  b->commit();
  c.commit();
  EXPECT_EQ(get(dir / "b"), "new");
  EXPECT_EQ(get(other / "c"), "new");
  EXPECT_EQ(dir.entries() + other.entries(), 2U);
}

TEST(AtomicFile, OutputsThatGiveUpTheirDescriptorsAreNotTakenForStale) {
  const Scratch dir(where_syncing_is_fast());
  const FewDescriptors few;
  std::vector<std::unique_ptr<AtomicFile>> many;
  for (int i = 0; i < 100; ++i) {
    const AtomicFile* const neighbour = many.empty() ? nullptr : many.back().get();
    many.push_back(std::make_unique<AtomicFile>(dir / std::to_string(i), neighbour));
    many.back()->write(bytes_of(std::to_string(i)));
    many.back()->finish();
  }
  EXPECT_EQ(dir.entries(), 100U);
  write_file(dir / "other", "x");
  EXPECT_EQ(dir.entries(), 101U);
  for (const auto& file : many) file->commit();
  EXPECT_EQ(dir.entries(), 101U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(get(dir / std::to_string(i)), std::to_string(i));
}

TEST(AtomicFile, RemovesWhatAKilledRunLeft) {
  const Scratch dir;
  run_and_kill([&](const auto& stay) {
    AtomicFile named(dir / "f"), unnamed(dir / "g"), also_named(dir / "h");
    named.prepare();
    also_named.prepare();
    stay();
  });
  EXPECT_GE(dir.entries(), 2U);
  AtomicFile alive(dir / "a");
  alive.prepare();
  EXPECT_EQ(dir.entries(), 1U);
  write_file(dir / "f", "x");  // does not remove what is alive
  EXPECT_EQ(dir.entries(), 2U);
  alive.commit();
  EXPECT_EQ(dir.entries(), 2U);
}

TEST(AtomicFile, RemovesNothingThatIsNotATemporaryOfOurs) {
  const Scratch dir;
  const auto name = [&](std::string_view digits) {
    return dir / (".hadamard-" + std::string(digits) + ".tmp");
  };
  put(dir / "kept", "kept");
  std::filesystem::create_symlink("kept", name("0000000000000001"));
  std::filesystem::create_directory(name("0000000000000002"));
  ASSERT_EQ(::mkfifo(name("0000000000000003").c_str(), 0600), 0);
  std::filesystem::create_hard_link(dir / "kept", name("0000000000000004"));
  for (const auto* const other :
       {"1", "000000000000000g", "00000000000000001", "000000000000000A"}) {
    put(name(other), "x");
  }
  put(dir / ".hadamard-0000000000000005.tmp.npy", "x");
  put(name("0000000000000006"), "locked");
  const Descriptor locked(::open(name("0000000000000006").c_str(), O_RDONLY));
  ASSERT_EQ(::flock(locked.get(), LOCK_SH), 0);
  const std::size_t kept = dir.entries() + (is_root() ? 1 : 0);
  if (is_root()) {
    put(name("0000000000000007"), "x");
    ASSERT_EQ(::chown(name("0000000000000007").c_str(), 65534, 65534), 0);
  }
  put(name("0000000000000008"), "stale");
  write_file(dir / "f", "x");
  EXPECT_EQ(dir.entries(), kept + 1);
  EXPECT_FALSE(std::filesystem::exists(name("0000000000000008")));
  EXPECT_EQ(get(dir / "kept"), "kept");
}

}  // namespace
}  // namespace hadamard::io
