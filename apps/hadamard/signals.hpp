// What the program does when a signal, or memory that has run out, ends it.
#pragma once

namespace hadamard::app {

// Signals that end a program (SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGXCPU …), but for SIGKILL and
// those of a crash: unfinished outputs are removed, then the signal takes its course.
// SIGBUS: a mapped input was shortened, or its disk failed, while we read it: said in a line,
// exit 2. SIGXFSZ: ignored, so that a write beyond a limit is an error like any other.
void install_signal_handlers();

// GMP cannot report that memory has run out, and would abort: instead a line and exit 2, as for any
// error.
void install_memory_handlers();

}  // namespace hadamard::app
