// hadamard: element-wise tensor arithmetic on the command line.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "command.hpp"
#include "hadamard/error.hpp"
#include "hadamard/hadamard.hpp"
#include "num/text.hpp"
#include "signals.hpp"

namespace hadamard::app {
namespace {

// One line on standard error, whatever the text holds.
int complain(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::fprintf(stderr, "hadamard: %s\n", text.c_str());
  return kTrouble;
}

// "-6" and "-inf" are operands, not options; with a space in front the parser takes them as such.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> args;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg.size() > 1 && arg[0] == '-' && text::is_number(arg)) {
      arg.insert(arg.begin(), ' ');
    }
    args.push_back(std::move(arg));
  }
  std::reverse(args.begin(), args.end());  // as CLI11 wants them
  return args;
}

// A first word that is no subcommand, where CLI11 would only say that one is missing.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == argv[1]) return {};
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return "'" + std::string(argv[1]) + "' is no command; expected one of: " + names;
}

int run(int argc, char** argv) {
  CLI::App app{
      "Element-wise tensor arithmetic: every element right to the last bit, on every machine."};
  app.name("hadamard");
  app.footer(
      "Example:\n"
      "  hadamard div '[6.1 9.5 35.7]' '[3.0 3.3 5.1]'\n"
      "Help on a command: hadamard div --help");
  app.set_version_flag("--version", "hadamard " + std::string(version()));
  app.require_subcommand(1);
  int exit_code = 0;
  add_apply_commands(app);
  add_explain_command(app);
  add_diff_command(app, exit_code);
  add_info_command(app);
  if (const std::string unknown = unknown_command(app, argc, argv); !unknown.empty()) {
    return complain(unknown);
  }
  try {
    app.parse(arguments(argc, argv));
  } catch (const CLI::Success& asked_for_help) {
    app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    std::string command;
    for (const CLI::App* chosen : app.get_subcommands()) command = chosen->get_name() + ' ';
    return complain(std::string(error.what()) + " (try: hadamard " + command + "--help)");
  }
  if (std::fflush(stdout) != 0) {
    return complain(std::string("cannot write to standard output: ") + std::strerror(errno));
  }
  return exit_code;
}

}  // namespace
}  // namespace hadamard::app

int main(int argc, char** argv) {
  using hadamard::app::complain;
  try {
    hadamard::app::install_signal_handlers();
    return hadamard::app::run(argc, argv);
  } catch (const hadamard::Error& error) {
    return complain(error.what());
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}
