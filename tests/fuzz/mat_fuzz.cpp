// Any bytes: check_mat_structure throws hadamard::Error bad_file with a message of one line, or
// says which format they are.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "hadamard/error.hpp"
#include "matlab/matio/mat_structure.hpp"
#include "memory_bound.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hadamard::fuzz::MemoryBound bound(size);
  try {
    hadamard::matlab::check_mat_structure(std::as_bytes(std::span(data, size)), "fuzz");
  } catch (const hadamard::Error& error) {
    const bool is_expected = error.code() == hadamard::ErrorCode::bad_file &&
                             std::string_view(error.what()).find('\n') == std::string_view::npos;
    if (!is_expected) {
      std::fprintf(stderr, "mat_fuzz: %s\n", error.what());
      std::abort();
    }
  }
  return 0;
}
