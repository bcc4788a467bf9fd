// The structure of a MAT-file, looked at before matio is given it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hadamard::matlab {

enum class MatFormat : std::uint8_t { mat5, hdf5 };

// The name of a class in MATLAB, from its number in files of version 5, which is matio's, too.
std::string mat_class_name(std::uint32_t cls, bool is_complex);

// A variable of version 5 or 7.
struct MatVariable {
  std::string name{};
  std::string class_name{};            // of MATLAB
  bool is_readable = false;            // there is a Value for it
  std::uint64_t memory = 0;            // bytes that its elements take as a Value
  std::span<const std::byte> bytes{};  // where it is in the file, compressed or not, with its tag
};

struct MatStructure {
  MatFormat format;
  std::vector<MatVariable> variables{};  // of each name the last one; none of version 7.3
  bool has_more = false;                 // there are others, or arrays without a name
};

// Of versions 5 and 7: every variable is there to its end, what is compressed has the checksum that
// it ends with, arrays of numbers and characters have as many elements as their extents say, and
// these are numbers of the array's class, in whichever type they are stored. So the memory that
// they take is at most eight times their uncompressed bytes. What is inside of cells and structures
// is not looked at. Of version 7.3 only the beginning: HDF5 looks at the rest. Throws bad_file with
// `name` and the byte. What it takes, and the names and extents of the variables that it gives, is
// at most 8 times the file and 32 MiB.
MatStructure check_mat_structure(std::span<const std::byte> file, std::string_view name);

}  // namespace hadamard::matlab
