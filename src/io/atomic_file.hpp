// Outputs that appear whole or not at all.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "io/file.hpp"
#include "io/temporary.hpp"

namespace hadamard::io {

struct OutputPlace;

// An output that appears under its name complete or not at all: written to a temporary in the same
// directory, synced and renamed by commit(), removed where commit() was not reached. Everything is
// done in the directory that was open when the name was resolved.
//
// A replaced file's permissions, access control list, extended attributes and, where allowed, owner
// are kept (attributes.hpp); a new one has 0666 & ~umask. A symbolic link stays and its target is
// replaced, or made; those of other users in a world-writable directory are refused
// (output_place.hpp). What exists and is not a regular file (/dev/null, a pipe) is written
// directly, as are the process's own /dev/stdout and /dev/fd/N. A file that the caller may not
// write is not replaced, even where its directory would allow it. What killed runs have left in the
// directory is removed. Throws io.
class AtomicFile {
 public:
  // `neighbour` may lend its open directory, where it is the same.
  explicit AtomicFile(const std::string& path, const AtomicFile* neighbour = nullptr);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);
  // A name that a library of others can open the unfinished output by, which is a regular file; it
  // has closed it before commit(), and does without flock(LOCK_EX), since it is locked as shared.
  // Throws io for what is written directly: libraries seek.
  std::string name_for_libraries();
  // All bytes are on the disk. Nothing may be written any more. Of many outputs any number may be
  // finished: where few descriptors are left, it needs none.
  void finish();
  // Finished, and so far that commit() takes no more room on the disk. For outputs that are to
  // appear all or none.
  void prepare();
  // When this throws, an existing file is as it was. The one exception is a directory that cannot
  // be synced after the rename, which the message says.
  void commit();

 private:
  void open_temporary(OutputPlace& place, const AtomicFile* neighbour);
  void take_directory(const Descriptor& directory, const AtomicFile* neighbour);
  void check(int error, std::string_view action) const;

  std::string path_;   // as the caller named it, for messages
  Descriptor direct_;  // what is written directly
  // Else: the directory, which outlives the temporary in it, and the name there.
  std::shared_ptr<const Descriptor> directory_;
  std::string target_;
  std::unique_ptr<Temporary> temporary_;
  Descriptor replaced_;  // the file whose attributes are kept, until it is finished
  bool is_finished_ = false;
};

// Removes the temporaries of all AtomicFiles that are open, in any thread. Async-signal-safe: for
// the handler of a signal that ends the program. The first kMaxUnfinished open outputs are covered.
void remove_unfinished_outputs() noexcept;
inline constexpr int kMaxUnfinished = 2048;

}  // namespace hadamard::io
