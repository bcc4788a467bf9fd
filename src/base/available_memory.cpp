#include "base/available_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/fail.hpp"
#include "base/int128.hpp"
#include "base/memory.hpp"

namespace hadamard {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The number that `text` begins with, after spaces. Nothing for "max" and "unlimited".
std::optional<std::uint64_t> number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

// The number in the line that begins with `key`.
std::optional<std::uint64_t> number_after(const std::string& text, std::string_view key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key)) return number(std::string_view(line).substr(key.size()));
  }
  return std::nullopt;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

std::uint64_t left_on_machine(const std::string& root) {
  const std::string text = content(root + "/proc/meminfo");
  const auto available = number_after(text, "MemAvailable:");
  if (!available) return kUnlimited;
  return (*available + number_after(text, "SwapFree:").value_or(0)) * 1024;
}

std::uint64_t left_of_addresses(const std::string& root) {
  const auto limit = number_after(content(root + "/proc/self/limits"), "Max address space");
  const auto pages = number(content(root + "/proc/self/statm"));
  if (!limit || !pages) return kUnlimited;
  return difference(*limit, *pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

// The names of one version's files.
struct GroupFiles {
  std::string_view limit, usage, cache_prefix;
};
constexpr GroupFiles kVersion1{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_"};
constexpr GroupFiles kVersion2{"/memory.max", "/memory.current", ""};

std::uint64_t left_in_group(const std::string& folder, const GroupFiles& files) {
  const auto limit = number(content(folder + std::string(files.limit)));
  const auto usage = number(content(folder + std::string(files.usage)));
  if (!limit || !usage) return kUnlimited;
  const std::string statistics = content(folder + "/memory.stat");
  const std::string prefix(files.cache_prefix);
  const std::uint64_t cache = number_after(statistics, prefix + "inactive_file ").value_or(0) +
                              number_after(statistics, prefix + "active_file ").value_or(0);
  return difference(*limit, difference(*usage, cache));
}

// Also of the groups around it, up to the mount: inside a container they may be all that is seen.
std::uint64_t left_in_groups(const std::string& mount, std::string path, const GroupFiles& files) {
  std::uint64_t least = left_in_group(mount, files);
  while (path.size() > 1) {
    least = std::min(least, left_in_group(mount + path, files));
    path.resize(path.rfind('/'));
  }
  return least;
}

std::uint64_t left_in_cgroups(const std::string& root) {
  std::uint64_t least = kUnlimited;
  std::istringstream lines(content(root + "/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {  // number:controllers:path
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(":/", first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") {
      least = std::min(least, left_in_groups(root + "/sys/fs/cgroup", path, kVersion2));
      least = std::min(least, left_in_groups(root + "/sys/fs/cgroup/unified", path, kVersion2));
    } else if (controllers.find(",memory,") != std::string::npos) {
      least = std::min(least, left_in_groups(root + "/sys/fs/cgroup/memory", path, kVersion1));
    }
  }
  return least;
}

}  // namespace

std::uint64_t available_memory(const std::string& root) {
  return std::min({left_on_machine(root), left_of_addresses(root), left_in_cgroups(root)});
}

std::uint64_t require_memory(std::int64_t elements, unsigned bits, const std::string& what) {
  const uint128 exact = (static_cast<uint128>(elements) * bits + 7) / 8;
  const auto bytes = static_cast<std::uint64_t>(
      std::min<uint128>(exact, std::numeric_limits<std::int64_t>::max()));
  std::uint64_t available = available_memory();
  if (bytes > available && release_memory() > 0) available = available_memory();
  if (bytes > available) {
    fail(ErrorCode::too_large,
         "out of memory: {}, needs {} bytes, but only {} are available; give smaller inputs or use "
         "a machine with more memory",
         what, bytes, available);
  }
  return available;
}

}  // namespace hadamard
