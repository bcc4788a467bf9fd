// MAT-files of versions 5 (MATLAB's -v6), 7 and 7.3: variables with their names.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "matlab/value.hpp"

namespace hadamard::matlab {

// X(id, option): -v6 is not compressed, -v7 is, -v7.3 is HDF5.
#define HADAMARD_MAT_VERSIONS(X) \
  X(v6, "-v6")                   \
  X(v7, "-v7")                   \
  X(v73, "-v7.3")

enum class MatVersion : std::uint8_t {
#define HADAMARD_MAT_VERSION_ENUM(id, option) id,
  HADAMARD_MAT_VERSIONS(HADAMARD_MAT_VERSION_ENUM)
#undef HADAMARD_MAT_VERSION_ENUM
};

struct NamedValue {
  std::string name;
  Value value;
};

// What a file holds of which there is no Value: cells, structures, sparse arrays, objects.
struct UnreadableVariable {
  std::string name;
  std::string class_name;
};

struct MatContents {
  std::vector<NamedValue> values;
  std::vector<UnreadableVariable> unreadable;
  std::vector<std::string> warnings;  // what else may be missing, and why
};

// What is done for a variable before its elements are read.
struct MatFilter {
  std::function<bool(std::string_view name)> wants;
  std::function<void(const Dims& size, DType type)> require_room;  // throws where there is none
};

// "matio 1.5.23"; empty where this program was built without it. Then both functions below throw
// unavailable.
std::string mat_library();

// The variables that `filter` wants, in the order of the file. A file cannot crash the program, nor
// take memory that its bytes do not account for: docs/semantics/matlab.md. Throws io, bad_file.
MatContents read_mat(const std::string& path, const MatFilter& filter);

// Replaces the file as a whole, or not at all (io::AtomicFile), after it was read back and compared
// bit for bit. Versions 6 and 7 hold variables below 2 GiB. Throws io, too_large, bad_argument.
void write_mat(const std::string& path, std::span<const NamedValue> values, MatVersion version);

}  // namespace hadamard::matlab
