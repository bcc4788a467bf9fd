// A child process that leaves nobody behind, and what it prints.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace hadamard::conform {

// A function in a process of its own. Between the two stands a guardian, which inherits whomever
// the function starts, wherever they went (setsid, daemons), and ends them all: when the function's
// process ends, when this object goes, and when this process ends, however it does.
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
  int status_ = 0;
};

// Whether a limit of memory can be set: not under sanitizers, which take terabytes of addresses.
extern const bool kCanLimitMemory;

// A pipe for what others print. Up to `limit` bytes of it go to standard error, then a line says
// that the rest is left out.
class Printed {
 public:
  explicit Printed(std::size_t limit);  // throws io
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;
  ~Printed();

  int readable() const { return out_; }  // for poll()
  int writable() const { return in_; }
  void pass_on();  // what is there; does not wait

 private:
  int in_ = -1, out_ = -1;
  std::size_t left_;
  bool cut_ = false;
};

}  // namespace hadamard::conform
