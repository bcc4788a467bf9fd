#include "io/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "io/atomic_file.hpp"
#include "io/test_files.hpp"

namespace hadamard::io {
namespace {

std::string read_text(const std::string& path) {
  const auto bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

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

TEST(ReadFile, RefusesWhatIsNotRegularWhereOnlySuchIsMeant) {
  const Scratch dir;
  const auto read = [&](const std::string& path) { return read_file(path, Accept::regular); };
  put(dir / "f", "abc");
  std::filesystem::create_symlink("f", dir / "link");
  EXPECT_EQ(read(dir / "link").size(), 3U);
  ASSERT_EQ(::mkfifo((dir / "fifo").c_str(), 0600), 0);  // opening it would wait for a writer
  expect_error(ErrorCode::io, {dir / "fifo", "expected a regular file, found a pipe"},
               [&] { read(dir / "fifo"); });
  std::filesystem::create_symlink("/dev/zero", dir / "zero");
  expect_error(ErrorCode::io, {dir / "zero", "found a device"}, [&] { read(dir / "zero"); });
  expect_error(ErrorCode::io, {"found a device"}, [&] { read("/dev/null"); });
  expect_error(ErrorCode::io, {"found a directory"}, [&] { read(dir / "."); });
  expect_error(ErrorCode::io, {dir / "none", "No such file"}, [&] { read(dir / "none"); });
}

}  // namespace
}  // namespace hadamard::io
