#include "base/available_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "base/scratch.hpp"
#include "hadamard/error.hpp"

namespace hadamard {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// A machine made of files.
class AvailableMemory : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = root_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void write_group(const std::string& folder, const std::string& limit, const std::string& usage) {
    write(folder + "/memory.max", limit + "\n");
    write(folder + "/memory.current", usage + "\n");
  }
  std::uint64_t available() const { return available_memory(root_ / ""); }

  Scratch root_;
};

TEST_F(AvailableMemory, OfNothingKnownIsUnlimited) { EXPECT_EQ(available(), kUnlimited); }

TEST_F(AvailableMemory, OfTheMachineCountsFreeSwap) {
  write("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable:    4000 kB\n");
  EXPECT_EQ(available(), 4000U * 1024);
  write("proc/meminfo", "MemAvailable:    4000 kB\nSwapTotal: 70 kB\nSwapFree:  60 kB\n");
  EXPECT_EQ(available(), 4060U * 1024);
}

TEST_F(AvailableMemory, OfTheLimitOfAddresses) {
  const std::string head =
      "Limit                     Soft Limit           Hard Limit           Units\n";
  write("proc/self/statm", "3 1 1 1 0 1 0\n");
  write("proc/self/limits", head + "Max address space         unlimited            unlimited\n");
  EXPECT_EQ(available(), kUnlimited);
  write("proc/self/limits", head + "Max address space         1000000              unlimited\n");
  EXPECT_EQ(available(), 1000000U - 3U * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

TEST_F(AvailableMemory, OfGroupsIsTheLeastOnTheWay) {
  write("proc/meminfo", "MemAvailable: 1000000 kB\n");
  write("proc/self/cgroup", "0::/outer/inner\n");
  write_group("sys/fs/cgroup/outer/inner", "max", "500");
  EXPECT_EQ(available(), 1000000U * 1024);
  write_group("sys/fs/cgroup/outer", "70000", "20000");
  EXPECT_EQ(available(), 50000U);
  write_group("sys/fs/cgroup/outer/inner", "30000", "500");
  EXPECT_EQ(available(), 29500U);
  write("sys/fs/cgroup/outer/inner/memory.stat",
        "anon 100\nfile 400\ninactive_file 100\nactive_file 250\n");
  EXPECT_EQ(available(), 29850U);
  write_group("sys/fs/cgroup/outer/inner", "30000", "40000");
  EXPECT_EQ(available(), 0U);
}

TEST_F(AvailableMemory, InAContainerTheMountIsTheGroup) {
  write("proc/self/cgroup", "0::/not/seen/from/here\n");
  write_group("sys/fs/cgroup", "9000", "1000");
  EXPECT_EQ(available(), 8000U);
}

TEST_F(AvailableMemory, OfGroupsOfVersion1) {
  write("proc/self/cgroup", "12:cpu,cpuacct:/x\n5:memory:/docker/abc\n1:name=systemd:/y\n0::/z\n");
  const std::string group = "sys/fs/cgroup/memory/docker/abc";
  write(group + "/memory.limit_in_bytes", "6000\n");
  write(group + "/memory.usage_in_bytes", "5000\n");
  write(group + "/memory.stat",
        "inactive_file 1\ntotal_inactive_file 300\ntotal_active_file 200\n");
  EXPECT_EQ(available(), 1500U);
}

TEST_F(AvailableMemory, OfThisProcessIsSomething) {
  EXPECT_GT(available_memory(), 0U);
  EXPECT_LT(available_memory(), kUnlimited);
}

TEST(RequireMemory, RefusesWhatNoMachineHolds) {
  EXPECT_GT(require_memory(1000, 8, "a thing"), 1000U);
  try {
    require_memory(std::int64_t{1} << 50, 64, "a thing, fp64 (9)");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::too_large);
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("out of memory: a thing, fp64 (9), needs 9007199254740992 bytes"));
  }
}

}  // namespace
}  // namespace hadamard
