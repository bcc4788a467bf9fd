// A process that cannot stop, end or trace certain others.
#pragma once

#include <sys/types.h>

#include <span>

namespace hadamard::io {

// From now on, for this process and all that it starts: system calls that would signal, trace or
// change one of `processes` (as kill() names them: below 0 the group, -1 all) fail with EPERM, and
// no program gains privileges. For good: it needs no privileges, and none undoes it. Does nothing
// where the kernel has no such filters (seccomp) or we do not know its system calls.
void forbid_signals_to(std::span<const pid_t> processes);

}  // namespace hadamard::io
