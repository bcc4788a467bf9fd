#include "hadamard/error.hpp"

#include <array>
#include <utility>

namespace hadamard {
namespace {

struct CodeText {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array kCodes = {CodeText{"ok", "no error"},
#define HADAMARD_CODE_TEXT(id, meaning) CodeText{#id, meaning},
                               HADAMARD_ERROR_CODES(HADAMARD_CODE_TEXT)
#undef HADAMARD_CODE_TEXT
};

const CodeText& text(ErrorCode code) noexcept {
  const auto i = static_cast<std::size_t>(code);
  return kCodes[i < kCodes.size() ? i : 0];
}

}  // namespace

std::string_view name(ErrorCode code) noexcept { return text(code).name; }
std::string_view meaning(ErrorCode code) noexcept { return text(code).meaning; }

Error::Error(ErrorCode code, std::string message, std::string requirement)
    : code_(code), requirement_(std::move(requirement)), what_(std::move(message)) {}

}  // namespace hadamard
