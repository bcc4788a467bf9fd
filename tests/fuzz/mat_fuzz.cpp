// Any bytes: check_mat_structure throws hadamard::Error bad_file with a message of one line, or
// says which format they are, and where the variables are.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "hadamard/error.hpp"
#include "matlab/matio/mat_structure.hpp"
#include "memory_bound.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hadamard::fuzz::MemoryBound bound(size);
  try {
    const auto file = std::as_bytes(std::span(data, size));
    const auto structure = hadamard::matlab::check_mat_structure(file, "fuzz");
    std::set<std::string> names;
    for (const auto& variable : structure.variables) {
      const bool is_inside = variable.bytes.data() >= file.data() + 128 &&
                             variable.bytes.data() + variable.bytes.size() <= file.data() + size;
      if (!is_inside || !names.insert(variable.name).second) std::abort();
    }
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
