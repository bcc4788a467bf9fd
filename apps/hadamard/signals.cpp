#include "signals.hpp"

#include <gmp.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

#include "command.hpp"
#include "io/atomic_file.hpp"

namespace hadamard::app {
namespace {

extern "C" void on_end(int signal) {
  io::remove_unfinished_outputs();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Ends the program from where nothing can be thrown.
[[noreturn]] void give_up(std::string_view text) {
  io::remove_unfinished_outputs();
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  _exit(kTrouble);
}

extern "C" void on_bus_error(int) {
  give_up(
      "hadamard: an input file was shortened or could not be read while it was in use; nothing was "
      "written\n");
}

void* checked(void* memory) {
  if (memory == nullptr)
    give_up("hadamard: out of memory for exact numbers; nothing was written\n");
  return memory;
}
extern "C" void* gmp_allocate(std::size_t size) { return checked(std::malloc(size)); }
extern "C" void* gmp_reallocate(void* memory, std::size_t, std::size_t size) {
  return checked(std::realloc(memory, size));
}
extern "C" void gmp_free(void* memory, std::size_t) { std::free(memory); }

// Where the signal would end the program: not where a parent (nohup) ignores it, or a library that
// was loaded before us handles it.
void clean_up_on(int signal) {
  struct sigaction now {};
  if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
    std::signal(signal, on_end);
  }
}

}  // namespace

void install_signal_handlers() {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM,
                           SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT}) {
    clean_up_on(signal);
  }
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) clean_up_on(signal);
  std::signal(SIGBUS, on_bus_error);
  std::signal(SIGXFSZ, SIG_IGN);
}

void install_memory_handlers() { mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_free); }

}  // namespace hadamard::app
