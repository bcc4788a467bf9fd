#include "io/attributes.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/test_files.hpp"

namespace hadamard::io {
namespace {

std::string attribute(const std::string& path, const char* name) {
  char value[256];
  const ssize_t size = ::getxattr(path.c_str(), name, value, sizeof value);
  return size < 0 ? "none" : std::string(value, static_cast<std::size_t>(size));
}

bool set_attribute(const std::string& path, const char* name, std::string_view value) {
  return ::setxattr(path.c_str(), name, value.data(), value.size(), 0) == 0;
}

// As the kernel has it: version 2, then tag, permissions and id of each.
std::string access_list(int of_user_65534, int of_group, int mask) {
  std::string list("\2\0\0\0", 4);
  const auto add = [&](int tag, int permissions, std::uint32_t id) {
    for (const int half : {tag, permissions}) list.append({static_cast<char>(half), '\0'});
    for (int i = 0; i < 4; ++i) list += static_cast<char>(id >> (8 * i) & 0xff);
  };
  constexpr std::uint32_t kNone = 0xffffffff;
  add(0x01, 6, kNone);
  add(0x02, of_user_65534, 65534);
  add(0x04, of_group, kNone);
  add(0x10, mask, kNone);
  add(0x20, 0, kNone);
  return list;
}

TEST(AtomicFile, KeepsExtendedAttributesOfWhatItReplaces) {
  const Scratch dir;
  put(dir / "f", "old");
  if (!set_attribute(dir / "f", "user.origin", "here")) GTEST_SKIP() << "no such attributes here";
  ASSERT_TRUE(set_attribute(dir / "f", "user.empty", ""));
  const bool is_trusted = set_attribute(dir / "f", "trusted.note", "root's");
  std::filesystem::create_symlink("f", dir / "link");
  write_file(dir / "link", "new");
  EXPECT_EQ(get(dir / "f"), "new");
  EXPECT_EQ(attribute(dir / "f", "user.origin"), "here");
  EXPECT_EQ(attribute(dir / "f", "user.empty"), "");
  if (is_trusted) {
    EXPECT_EQ(attribute(dir / "f", "trusted.note"), "root's");
  }
  write_file(dir / "new", "x");
  EXPECT_EQ(attribute(dir / "new", "user.origin"), "none");
}

TEST(KeepAttributes, ReadsThoseOfAFileThatIsOnlyNamed) {
  const Scratch dir;
  put(dir / "old", "old");
  if (!set_attribute(dir / "old", "user.origin", "here")) GTEST_SKIP() << "no such attributes here";
  ASSERT_EQ(::chmod((dir / "old").c_str(), 0264), 0);
  for (const int flags : {O_RDONLY, O_WRONLY, O_PATH}) {
    if (!is_root() && flags == O_RDONLY) continue;
    put(dir / "new", "new");
    const Descriptor old(::open((dir / "old").c_str(), flags));
    const Descriptor fd(::open((dir / "new").c_str(), O_RDWR));
    keep_attributes(fd.get(), old.get());
    const bool may_read = is_root();
    EXPECT_EQ(attribute(dir / "new", "user.origin"), may_read ? "here" : "none") << flags;
    EXPECT_EQ(mode_of(dir / "new"), 0264U) << flags;
    std::filesystem::remove(dir / "new");
  }
}

TEST(AtomicFile, KeepsNoCapabilitiesOfAnotherContent) {
  const Scratch dir;
  put(dir / "f", "old");
  const std::string_view capability("\1\0\0\2\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
  if (!set_attribute(dir / "f", "security.capability", capability)) GTEST_SKIP() << "not allowed";
  write_file(dir / "f", "new");
  EXPECT_EQ(attribute(dir / "f", "security.capability"), "none");
}

TEST(AtomicFile, KeepsTheAccessListOrItsAbsence) {
  constexpr const char* kList = "system.posix_acl_access";
  const Scratch dir;
  put(dir / "f", "old");
  put(dir / "plain", "old");
  ASSERT_EQ(::chmod((dir / "plain").c_str(), 0640), 0);
  const std::string list = access_list(4, 0, 6);
  if (!set_attribute(dir / "f", kList, list)) GTEST_SKIP() << "no access lists here";
  write_file(dir / "f", "new");
  EXPECT_EQ(attribute(dir / "f", kList), list);
  EXPECT_EQ(mode_of(dir / "f"), 0660U);  // the mask is shown as the group's
  // One that new files in the directory inherit is not for a file that had none.
  ASSERT_TRUE(set_attribute(dir / ".", "system.posix_acl_default", access_list(6, 6, 6)));
  write_file(dir / "plain", "new");
  EXPECT_EQ(attribute(dir / "plain", kList), "none");
  EXPECT_EQ(mode_of(dir / "plain"), 0640U);
  write_file(dir / "f", "newer");
  EXPECT_EQ(attribute(dir / "f", kList), list);
  write_file(dir / "fresh", "x");
  EXPECT_NE(attribute(dir / "fresh", kList), "none");
}

TEST(AtomicFile, KeepsTheOwnerOrNarrowsPermissions) {
  if (!is_root()) GTEST_SKIP() << "only root can make files of other users";
  const Scratch dir;
  put(dir / "f", "old");
  ASSERT_EQ(::chown((dir / "f").c_str(), 65534, 12345), 0);
  ASSERT_EQ(::chmod((dir / "f").c_str(), 0664), 0);
  write_file(dir / "f", "new");
  struct stat status {};
  ASSERT_EQ(::stat((dir / "f").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 65534U);
  EXPECT_EQ(status.st_gid, 12345U);
  {
    const AsNobody nobody;  // who is not in that group
    write_file(dir / "f", "newer");
  }
  ASSERT_EQ(::stat((dir / "f").c_str(), &status), 0);
  EXPECT_NE(status.st_gid, 12345U);
  EXPECT_EQ(status.st_mode & 07777, 0644U);
}

}  // namespace
}  // namespace hadamard::io
