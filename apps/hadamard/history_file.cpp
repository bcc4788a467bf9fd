#include "history_file.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace hadamard::app {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{4} << 20;

// The XDG specification: a path that is not absolute does not count.
std::filesystem::path absolute_path(const char* variable) {
  const char* const value = std::getenv(variable);
  const std::filesystem::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

std::string history_file() {
  std::filesystem::path state = absolute_path("XDG_STATE_HOME");
  if (state.empty()) {
    const std::filesystem::path home = absolute_path("HOME");
    if (home.empty()) return {};
    state = home / ".local" / "state";
  }
  const std::filesystem::path folder = state / "hadamard", file = folder / "matlab_history";
  std::error_code error;
  std::filesystem::create_directories(state, error);
  ::mkdir(folder.c_str(), 0700);
  if (!std::filesystem::is_directory(folder, error)) return {};
  const auto kind = std::filesystem::symlink_status(file, error).type();
  if (kind == std::filesystem::file_type::not_found) return file;
  if (kind != std::filesystem::file_type::regular) return {};
  return std::filesystem::file_size(file, error) <= kMostBytes ? file.string() : std::string();
}

}  // namespace hadamard::app
