// What a file keeps when its content is replaced.
#pragma once

namespace hadamard::io {

// Gives the file `fd` owner, permissions, access control list and extended attributes of `replaced`
// (a descriptor of any kind, O_PATH too), as far as this user and the file system allow. What
// cannot be kept is left out, never the output; permissions are then narrower, not wider. Not kept
// are those attributes that speak of the content: capabilities, and the hashes of IMA and EVM.
void keep_attributes(int fd, int replaced);

}  // namespace hadamard::io
