// hadamard: element-wise tensor arithmetic on the command line.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "base/float_env.hpp"
#include "command.hpp"
#include "grammar.hpp"
#include "hadamard/error.hpp"
#include "signals.hpp"

namespace hadamard::app {
namespace {

int run(int argc, char** argv) {
  CommandLine line(
      "Element-wise tensor arithmetic: every element right to the last bit, on every machine.",
      "Example:\n"
      "  hadamard div '[6.1 9.5 35.7]' '[3.0 3.3 5.1]'\n"
      "Help on a command: hadamard div --help");
  int exit_code = 0;
  add_apply_commands(line);
  add_eval_command(line);
  add_explain_command(line);
  add_diff_command(line, exit_code);
  add_conform_command(line, exit_code);
  add_info_command(line);
  add_run_command(line);
  add_check_command(line, exit_code);
  add_matlab_command(line, exit_code);
  line.run(argc, argv);
  if (std::fflush(stdout) != 0) {
    return complain(std::string("cannot write to standard output: ") + std::strerror(errno));
  }
  return exit_code;
}

}  // namespace
}  // namespace hadamard::app

int main(int argc, char** argv) {
  using hadamard::app::complain;
  // A library that was loaded with the program may have set traps, a rounding or flushing.
  const hadamard::ScopedFloatEnv env;
  const hadamard::ScopedExtendedPrecision precision;
  try {
    hadamard::app::install_signal_handlers();
    hadamard::app::install_memory_handlers();
    return hadamard::app::run(argc, argv);
  } catch (const hadamard::Error& error) {
    return complain(error.what());
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}
