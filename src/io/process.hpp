// A function in a process of its own, which leaves nobody behind.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace hadamard::io {

// Between this process and that of the function stands a guardian, which inherits whomever
// the function starts, wherever they went (setsid, daemons), and ends them all: when the function's
// process ends, when this object goes, and when this process ends, however it does. The function
// and whom it starts cannot signal or trace the guardian or this process (no_signals.hpp); and if
// the guardian is stopped, traced or killed all the same, this process takes its place.
class Process {
 public:
  // `body` must not return. Its standard input is empty; it has no core dumps and, where
  // `data_limit` is not 0, may take so many bytes of memory more than this process has. Throws io.
  Process(const std::function<void()>& body, std::uint64_t data_limit);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() { end(); }

  bool has_ended() const;
  // Ends it, and whom it started, where they have not ended; its status, as waitpid() gives it.
  int end();

 private:
  pid_t guardian_ = -1;
  std::vector<pid_t> before_;  // the other children of this process
  int status_ = 0;
};

// Whether a limit of memory can be set: not under sanitizers, which take terabytes of addresses.
extern const bool kCanLimitMemory;

}  // namespace hadamard::io
