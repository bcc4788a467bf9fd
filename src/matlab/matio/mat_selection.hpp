// What of a MAT-file matio is given to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "io/file.hpp"
#include "matlab/mat_file.hpp"

namespace hadamard::matlab {

// Of versions 5 and 7 the variables that are wanted, of each name the last one, and that there is a
// Value for: matio does not see the others. Where there are others, these are in a file in memory.
// Of version 7.3, whose names only HDF5 knows, all of it.
struct MatSelection {
  std::string path;           // of what is to be read; empty where nothing is
  std::uint64_t most = 0;     // bytes that all elements take at most
  std::uint64_t largest = 0;  // those of one variable
  io::Descriptor file{};
};

// Checks the structure of `file`, which is what is at `path`. Wanted variables that there is no
// Value for are added to `contents`. Throws bad_file, io, and too_large where there is no memory
// for all that is to be read.
MatSelection select_variables(const std::string& path, std::span<const std::byte> file,
                              const MatFilter& filter, MatContents& contents);

}  // namespace hadamard::matlab
