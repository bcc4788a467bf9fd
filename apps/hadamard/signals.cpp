#include "signals.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "command.hpp"
#include "io/file.hpp"

namespace hadamard::app {
namespace {

extern "C" void on_end(int signal) {
  io::remove_unfinished_outputs();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void on_bus_error(int) {
  io::remove_unfinished_outputs();
  constexpr char kText[] =
      "hadamard: an input file was shortened or could not be read while it was in use; nothing was "
      "written\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kText, sizeof kText - 1);
  _exit(kTrouble);
}

}  // namespace

void install_signal_handlers() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // A parent that ignores the signal (nohup) means it.
    if (std::signal(signal, on_end) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  std::signal(SIGBUS, on_bus_error);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace hadamard::app
