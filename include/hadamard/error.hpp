// The one exception of Hadamard.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "hadamard/lists.h"

namespace hadamard {

enum class ErrorCode : std::uint8_t {
  ok = 0,
#define HADAMARD_ERROR_ENUM(id, meaning) id,
  HADAMARD_ERROR_CODES(HADAMARD_ERROR_ENUM)
#undef HADAMARD_ERROR_ENUM
};

// The stable identifier of a code ("zero_divisor"), and one line of what it means.
std::string_view name(ErrorCode code) noexcept;
std::string_view meaning(ErrorCode code) noexcept;

// Every failure of the library but std::bad_alloc. what() is one line that says what was expected,
// what came and where.
class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message, std::string requirement = {});

  ErrorCode code() const noexcept { return code_; }
  // The requirement of the dialect's specification that was violated ("SONNX-DIV-INT-C3"), or
  // empty.
  const std::string& requirement() const noexcept { return requirement_; }
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  ErrorCode code_;
  std::string requirement_;
  std::string what_;
};

}  // namespace hadamard
