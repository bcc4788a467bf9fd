// Calling a function that may crash, end the process or never return: in a process of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hadamard/hadamard_conform.h"
#include "hadamard/tensor.hpp"

namespace hadamard::conform {

using Function = decltype(&hadamard_conform_run);

// One call. The operands are shown to the function as copies; what is spanned must outlive the run.
struct Call {
  std::string profile;
  std::string op;
  std::string type;
  Dims shape;
  std::span<const std::byte> a;
  std::optional<std::span<const std::byte>> b;  // nothing: NULL
  std::size_t y_bytes = 0;
  // Once a call did not come back, the rest of its group is not tried: it would not either.
  std::size_t group = 0;
};

struct Answer {
  // garbled: something else than an answer came through the pipe that answers go through.
  enum class Kind : std::uint8_t { returned, threw, crashed, ended, hung, garbled, not_run };
  Kind kind = Kind::not_run;
  int code = 0;  // returned: the value; crashed: the signal; ended: the exit code
  bool wrote_outside = false;
  bool changed_a = false;
  bool changed_b = false;
  std::vector<std::byte> y;  // of a call that returned
};

struct Limits {
  std::chrono::duration<double> per_call{10};     // also for loading
  int hangs = 20;                                 // after so many the rest is not run
  std::uint64_t memory = std::uint64_t{4} << 30;  // bytes beyond what this process has; 0: any
  std::size_t printed = 1 << 16;                  // bytes to standard error, of all processes
};

struct Answers {
  std::vector<Answer> of;  // each call
  std::string gave_up;     // why the last ones were not run; empty where all were
};

// Runs the calls one after the other in a child process; where one does not come back, another
// child goes on behind it. `load` runs in each child and gives the function, or throws
// hadamard::Error with what is wrong, which comes out of here; so does bad_file where loading
// crashes or hangs. No process that was started outlives the run, nor this process, however it
// ends.
Answers run_isolated(const std::function<Function()>& load, std::span<const Call> calls,
                     const Limits& limits);

// "SIGFPE"; "signal 99" for one without a name.
std::string signal_name(int signal);

}  // namespace hadamard::conform
