// Where an output goes: the directory that is open, and the name there.
#pragma once

#include <cstdint>
#include <string>

#include "io/file.hpp"

namespace hadamard::io {

struct OutputPlace {
  enum class Kind : std::uint8_t {
    absent,   // nothing has that name yet
    regular,  // a file that is to be replaced
    special,  // a pipe, a device: written directly
    own,      // a descriptor of this process: /dev/stdout, /dev/fd/N
  };
  Kind kind = Kind::absent;
  int own = -1;          // of `own`: its number
  Descriptor directory;  // else: O_PATH
  std::string name;      // there; no slash, not a symbolic link
  Descriptor found;      // of `regular` and `special`: what was found, O_PATH
};

// Follows the symbolic links in `path`; one that it ends in need not lead to a file. Each step
// starts in a directory that is open and reads a link that is open, so that what is examined is
// what is used, whatever happens to the names meanwhile. Throws io.
//
// Where anybody may write (/tmp), a link or a pipe is refused that belongs neither to this user nor
// to the directory's owner, as the kernel does with fs.protected_symlinks and fs.protected_fifos;
// here it does not depend on these, nor on the sticky bit.
OutputPlace find_output(const std::string& path);

}  // namespace hadamard::io
