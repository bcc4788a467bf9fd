// The structure of a MAT-file, looked at before matio is given it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hadamard::matlab {

enum class MatFormat : std::uint8_t { mat5, hdf5 };

// Of versions 5 and 7: every variable is there to its end, what is compressed has the checksum that
// it ends with, arrays of numbers and characters have as many elements as their extents say, and
// these are numbers of the array's class, in whichever type they are stored. So the memory that
// they take is at most eight times their uncompressed bytes. What is inside of cells and structures
// is not looked at. Of version 7.3 only the beginning: HDF5 looks at the rest. Throws bad_file with
// `name` and the byte.
MatFormat check_mat_structure(std::span<const std::byte> file, std::string_view name);

}  // namespace hadamard::matlab
