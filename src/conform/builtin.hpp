// The cases that are a part of the program: the files of tests/cases, as text.
#pragma once

#include <span>
#include <string_view>

namespace hadamard::conform {

struct CaseText {
  std::string_view file;  // "sonnx/div-int.case"
  std::string_view text;
};

// In the order of their names. The build writes this function (cmake/EmbedCases.cmake).
std::span<const CaseText> builtin_texts() noexcept;

}  // namespace hadamard::conform
