// For tests: a folder to write to.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace hadamard {

// An empty folder that anybody may use, removed at the end.
class Scratch {
 public:
  explicit Scratch(const std::filesystem::path& in = std::filesystem::temp_directory_path()) {
    std::string pattern = (in / "hadamard-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    folder_ = pattern;
    std::filesystem::permissions(folder_, std::filesystem::perms::all);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string operator/(std::string_view name) const { return (folder_ / name).string(); }
  // Names of all that is in the folder.
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace hadamard
