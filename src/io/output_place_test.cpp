#include "io/output_place.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/test_files.hpp"

namespace hadamard::io {
namespace {

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

TEST(AtomicFile, StaysInTheDirectoryThatItWasOpenedIn) {
  const Scratch dir;
  std::filesystem::create_directory(dir / "there");
  std::filesystem::create_directory(dir / "victim");
  put(dir / "victim/f", "victim");
  std::filesystem::create_symlink("there", dir / "link");
  AtomicFile file(dir / "link/f");
  file.write(bytes_of("new"));
  std::filesystem::remove(dir / "link");
  std::filesystem::rename(dir / "there", dir / "moved");
  std::filesystem::create_symlink("victim", dir / "link");
  std::filesystem::create_symlink("victim", dir / "there");
  file.commit();
  EXPECT_EQ(get(dir / "moved/f"), "new");
  EXPECT_EQ(get(dir / "victim/f"), "victim");
}

TEST(AtomicFile, FollowsLinksFromWhereTheyAre) {
  const Scratch dir;
  std::filesystem::create_directories(dir / "a/b");
  std::filesystem::create_symlink("b/../c", dir / "a/up");
  std::filesystem::create_symlink("a/up", dir / "first");
  std::filesystem::create_symlink(dir / "first", dir / "absolute");
  std::filesystem::create_symlink("a/b", dir / "folder");
  write_file(dir / "absolute", "1");
  EXPECT_EQ(get(dir / "a/c"), "1");
  write_file(dir / "folder/../d", "2");
  EXPECT_EQ(get(dir / "a/d"), "2");
  std::filesystem::create_symlink("a/none/x", dir / "lost");
  expect_error(ErrorCode::io, {dir / "lost", "No such file", "directory"},
               [&] { write_file(dir / "lost", ""); });
  std::filesystem::create_symlink("a/b", dir / "to a folder");
  expect_error(ErrorCode::io, {dir / "to a folder", "Is a directory"},
               [&] { write_file(dir / "to a folder", ""); });
}

TEST(AtomicFile, FollowsLinksOfProcToFilesWithAndWithoutNames) {
  const Scratch dir;
  put(dir / "f", "old");
  const Descriptor file(::open((dir / "f").c_str(), O_RDWR));
  write_file("/proc/thread-self/fd/" + std::to_string(file.get()), "new");
  EXPECT_EQ(get(dir / "f"), "new");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  write_file("/proc/thread-self/fd/" + std::to_string(ends[1]), "through");
  char text[8] = {};
  EXPECT_EQ(::read(ends[0], text, 7), 7);
  EXPECT_STREQ(text, "through");
  ::close(ends[0]);
  ::close(ends[1]);
}

// In a folder that all may write to, by the sticky bit or without.
TEST(AtomicFile, RefusesLinksAndPipesOfOthersInAWorldWritableDirectory) {
  if (!is_root()) GTEST_SKIP() << "only root can make files of other users";
  for (const mode_t mode : {01777U, 0777U}) {
    const Scratch dir;
    ASSERT_EQ(::chmod((dir / ".").c_str(), mode), 0);
    put(dir / "victim", "victim");
    for (const auto* const name : {"link", "dangling", "own", "of nobody"}) {
      const bool dangles = std::string_view(name) == "dangling";
      std::filesystem::create_symlink(dangles ? "new" : "victim", dir / name);
    }
    std::filesystem::create_symlink("link", dir / "chain");
    ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0666), 0);
    for (const auto* const name : {"link", "dangling", "pipe", "of nobody"}) {
      ASSERT_EQ(::lchown((dir / name).c_str(), 65534, 65534), 0);
    }
    for (const auto* const name : {"link", "dangling", "chain"}) {
      expect_error(ErrorCode::io,
                   {dir / name, "symbolic link of another user (uid 65534)", "remove"},
                   [&] { write_file(dir / name, "x"); });
    }
    expect_error(ErrorCode::io, {dir / "pipe", "pipe of another user"},
                 [&] { write_file(dir / "pipe", "x"); });
    EXPECT_EQ(get(dir / "victim"), "victim");
    EXPECT_FALSE(std::filesystem::exists(dir / "new"));
    write_file(dir / "own", "x");
    EXPECT_EQ(get(dir / "victim"), "x");
    ASSERT_EQ(::chown((dir / ".").c_str(), 65534, 65534), 0);  // it is the directory's owner now
    write_file(dir / "of nobody", "y");
    EXPECT_EQ(get(dir / "victim"), "y");
    ASSERT_EQ(::chown((dir / ".").c_str(), 0, 0), 0);
    ASSERT_EQ(::chmod((dir / ".").c_str(), 0755), 0);  // only root makes anything there
    write_file(dir / "link", "z");
    EXPECT_EQ(get(dir / "victim"), "z");
  }
}

TEST(AtomicFile, RefusesLinksOfOthersToDirectoriesToo) {
  if (!is_root()) GTEST_SKIP() << "only root can make files of other users";
  const Scratch dir;
  for (const auto* const name : {"victim", "public", "public/below"}) {
    std::filesystem::create_directory(dir / name);
  }
  ASSERT_EQ(::chmod((dir / "public").c_str(), 01777), 0);
  put(dir / "victim/y", "victim");
  for (const auto* const name : {"public/link", "public/own"}) {
    std::filesystem::create_symlink("../victim", dir / name);
  }
  std::filesystem::create_symlink("public/link", dir / "chain");
  std::filesystem::create_symlink(dir / "victim", dir / "public/absolute");
  ASSERT_EQ(::lchown((dir / "public/link").c_str(), 65534, 65534), 0);
  for (const auto* const name :
       {"public/link/y", "chain/y", "public/link/../victim/y", "public/below/../link/new"}) {
    expect_error(ErrorCode::io, {dir / name, "'link' is a symbolic link of another user"},
                 [&] { write_file(dir / name, "x"); });
  }
  EXPECT_EQ(get(dir / "victim/y"), "victim");
  EXPECT_FALSE(std::filesystem::exists(dir / "victim/new"));
  for (const auto* const name : {"public/own/y", "public/absolute/y", "public/.././/victim//y",
                                 "public/own/../public/own/y"}) {
    write_file(dir / name, name);
    EXPECT_EQ(get(dir / "victim/y"), name);
  }
  std::filesystem::create_symlink("loop", dir / "loop");
  expect_error(ErrorCode::io, {"Too many levels of symbolic links"},
               [&] { write_file(dir / "loop/y", "x"); });
  expect_error(ErrorCode::io, {"Not a directory"}, [&] { write_file(dir / "victim/y/z", "x"); });
  expect_error(ErrorCode::io, {"No such file or directory"},
               [&] { write_file(dir / "nothing/z", "x"); });
  write_file("/proc/self/cwd/" + std::string("../") +
                 std::filesystem::current_path().filename().string() + "/hadamard-through-proc",
             "x");
  EXPECT_EQ(get("hadamard-through-proc"), "x");
  std::filesystem::remove("hadamard-through-proc");
}

}  // namespace
}  // namespace hadamard::io
