// The unfinished files of outputs: they have no name where the file system allows it, and in any
// case none that outlives the next run in their directory.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "io/file.hpp"

namespace hadamard::io {

// A file without a name (O_TMPFILE), which takes one, ".hadamard-….tmp", just before it is renamed;
// where the file system does not have that, it has the name from the beginning. As long as it has
// the name it has a flock(), and is in the registry of remove_unfinished_outputs(). Functions that
// return int return 0 or errno.
class Temporary {
 public:
  Temporary() = default;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { discard(); }

  // `directory` must stay open as long as this lives.
  int create(int directory, mode_t mode);
  int fd() const noexcept { return fd_.get(); }
  const std::string& name() const noexcept { return name_; }  // in the directory; empty: none yet

  // All bytes are on the disk. Where few descriptors are left, it is linked and gives up its own.
  int finish();
  // It has its name. What is renamed after that needs no more room on the disk.
  int link();
  // It is `name`, and no temporary any more. After finish().
  int rename_to(const std::string& name);
  void discard() noexcept;

 private:
  int create_named(mode_t mode);
  template <class Make>
  int take_name(const Make& make);
  void give_up_descriptor();
  void forget() noexcept;

  int directory_ = -1;
  Descriptor fd_;
  std::string name_;
  int slot_ = -1;           // in the registry
  void* mapped_ = nullptr;  // holds the lock where the descriptor was given up
};

// Removes the temporaries that runs which were killed have left in the directory: regular files of
// this user, called as we call them, that have no other name and are not locked. Where
// there are very many entries the first kMostEntries are looked at.
void remove_stale_temporaries(int directory) noexcept;
inline constexpr int kMostEntries = 10000;

// False with errno set where data may not have reached the disk. Pipes and devices cannot be
// synced.
bool sync_to_disk(int fd) noexcept;

}  // namespace hadamard::io
