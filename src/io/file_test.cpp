#include "io/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "io/test_files.hpp"

namespace hadamard::io {
namespace {

void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(bytes_of(content));
  file.commit();
}

std::string read_text(const std::string& path) {
  const auto bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

// Root may do everything: act as nobody for a while.
class AsNobody {
 public:
  AsNobody() {
    if (::geteuid() == 0) {
      EXPECT_EQ(::seteuid(65534), 0);
    }
  }
  ~AsNobody() {
    if (::getuid() == 0) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }
};

TEST(Quoted, IsOneLine) {
  EXPECT_EQ(quoted("a\nb\x7f"), "'a\\x0ab\\x7f'");
  EXPECT_EQ(quoted("abcdef", 3), "'abc…'");
}

TEST(ReadFile, ReadsRegularFilesOfAnySize) {
  const Scratch dir;
  for (const std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 1000000U}) {
    const std::string content(size, 'x');
    put(dir / "f", content);
    EXPECT_EQ(read_text(dir / "f"), content) << size;
  }
}

TEST(ReadFile, ReadsFilesThatLieAboutTheirSize) {
  EXPECT_NE(read_text("/proc/self/status").find("Pid:"), std::string::npos);
}

TEST(ReadFile, ReadsFifos) {
  const Scratch dir;
  const std::string fifo = dir / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::string content(300000, 'y');
  std::thread writer([&] { put(fifo, content); });
  EXPECT_EQ(read_text(fifo), content);
  writer.join();
}

TEST(ReadFile, ReadsOwnDescriptorsFromWhereTheyAre) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "pipe", 4), 4);
  ::close(ends[1]);
  EXPECT_EQ(read_text("/dev/fd/" + std::to_string(ends[0])), "pipe");
  ::close(ends[0]);

  const Scratch dir;
  put(dir / "f", "abcdef");
  const Descriptor fd(::open((dir / "f").c_str(), O_RDONLY));
  ASSERT_EQ(::lseek(fd.get(), 2, SEEK_SET), 2);
  EXPECT_EQ(read_text("/proc/self/fd/" + std::to_string(fd.get())), "cdef");
}

TEST(ReadFile, SaysWhyNot) {
  const Scratch dir;
  expect_error(ErrorCode::io, {dir / "none", "No such file", "check the name"},
               [&] { read_file(dir / "none"); });
  expect_error(ErrorCode::io, {"/tmp", "Is a directory"}, [] { read_file("/tmp"); });
  expect_error(ErrorCode::io, {"empty"}, [] { read_file(""); });
  expect_error(ErrorCode::io, {"a\\x00b", "zero byte"}, [] { read_file(std::string("a\0b", 3)); });
  put(dir / "secret", "x");
  ASSERT_EQ(::chmod((dir / "secret").c_str(), 0), 0);
  const AsNobody nobody;
  expect_error(ErrorCode::io, {dir / "secret", "Permission denied", "check the permissions"},
               [&] { read_file(dir / "secret"); });
}

TEST(Mapping, SurvivesTheReplacementOfItsFile) {
  const Scratch dir;
  put(dir / "f", "before");
  const InputFile file(dir / "f");
  const auto mapping = Mapping::of(file);
  ASSERT_NE(mapping, nullptr);
  write_file(dir / "f", "after!");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(mapping->bytes().data()), 6), "before");
  EXPECT_EQ(Mapping::of(InputFile("/dev/null")), nullptr);
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
    EXPECT_EQ(dir.entries(), 2U);
  }
  EXPECT_EQ(get(dir / "f"), "old");
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(AtomicFile, FollowsSymbolicLinks) {
  const Scratch dir;
  std::filesystem::create_directory(dir / "sub");
  put(dir / "sub/real", "old");
  std::filesystem::create_symlink("sub/real", dir / "link");
  std::filesystem::create_symlink("link", dir / "link2");
  std::filesystem::create_symlink("sub/fresh", dir / "dangling");
  write_file(dir / "link2", "new");
  EXPECT_EQ(get(dir / "sub/real"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link2"));
  write_file(dir / "dangling", "created");
  EXPECT_EQ(get(dir / "sub/fresh"), "created");
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "dangling"));

  std::filesystem::create_symlink("loop", dir / "loop");
  expect_error(ErrorCode::io, {dir / "loop", "symbolic links"},
               [&] { write_file(dir / "loop", ""); });
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
  expect_error(ErrorCode::io, {"'/tmp'", "Is a directory", "name of a file"},
               [] { write_file("/tmp", ""); });
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

// Whether the process may have so many files open; as many as it can be allowed are.
bool allow_open_files(rlim_t count) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > count;
}

TEST(RemoveUnfinishedOutputs, ForgetsFinishedOnesAndOverflowsGently) {
  const Scratch dir;
  const bool may_stay_open = allow_open_files(kMaxUnfinished + 100);  // syncing them is slow
  std::vector<std::unique_ptr<AtomicFile>> many;
  const auto add = [&] {
    const AtomicFile* const neighbour = many.empty() ? nullptr : many.back().get();
    many.push_back(std::make_unique<AtomicFile>(dir / std::to_string(many.size()), neighbour));
    if (!may_stay_open) many.back()->finish();
  };
  for (int i = 1; i < kMaxUnfinished; ++i) add();
  for (int i = 0; i < 10; ++i)
    write_file(dir / "f", "x");  // each takes the last place and leaves it
  for (int i = 0; i < 10; ++i) const AtomicFile discarded(dir / "g");
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

}  // namespace
}  // namespace hadamard::io
